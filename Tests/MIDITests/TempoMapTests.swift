import SynthMIDI
import TestSupport
import Testing

@Suite("Tempo map")
struct TempoMapTests {
  private func map(division: UInt16 = 480, format: UInt8 = 1, _ tracks: [UInt8]...) throws -> TempoMap {
    TempoMap(try MIDIFile(bytes: smf(format: format, division: division, tracks: tracks)))
  }

  @Test("without a tempo event a quarter note takes half a second")
  func defaultTempo() throws {
    let map = try map(end())
    #expect(map.seconds(at: 480) == 0.5)
    #expect(map.seconds(at: .max) == 4_294_967_295.0 / 960)
  }

  @Test("a tempo holds from its tick on; of two at one tick the last counts")
  func changes() throws {
    let map = try map(tempo(1_000_000) + tempo(250_000, after: 480) + tempo(2_000_000) + end())
    #expect([0, 240, 480, 720, 960].map { map.seconds(at: $0) } == [0, 0.5, 1, 2, 3])
  }

  @Test("tempo events of every track count")
  func everyTrack() throws {
    let map = try map(tempo(1_000_000, after: 960) + end(), tempo(2_000_000, after: 480) + end())
    #expect([480, 960, 1440].map { map.seconds(at: $0) } == [0.5, 2.5, 3.5])
  }

  @Test("in SMPTE time the tempo does not matter, and 29 means 29.97")
  func smpte() throws {
    #expect(try map(division: 0xE728, tempo(1_000_000) + end()).seconds(at: 1000) == 1)
    #expect(try map(division: 0xE864, end()).seconds(at: 2400) == 1)
    #expect(try map(division: 0xE302, end()).seconds(at: 60_000) == 1001)
    #expect(try map(division: 0xE250, end()).seconds(at: 2400) == 1)
  }

  @Test("the tick nearest to a time is found, and times outside give the first and last")
  func ticks() throws {
    let map = try map(tempo(1_000_000) + tempo(250_000, after: 480) + end())
    #expect(map.tick(at: 0.5) == 240)
    #expect(map.tick(at: 1.25) == 960)
    #expect(map.tick(at: 0.5 + 0.9 / 960) == 240)
    #expect(map.tick(at: -1) == 0)
    #expect(map.tick(at: .infinity) == .max)
    #expect(map.tick(at: .nan) == 0)
  }

  @Test("700 tempo changes agree with exact arithmetic to the frame, and every tick comes back from its time")
  func exactArithmetic() throws {
    var random = SplitMix64(seed: 700)
    var tracks: [[UInt8]] = [[], []]
    // The changes alternate between two tracks; each track's deltas count from its own last event.
    var lastTick = [0, 0]
    var changes: [(tick: Int, tempo: Int)] = [(0, 500_000)]
    for index in 0..<700 {
      let tick = changes[index].tick + Int.random(in: 1...2000, using: &random)
      let microseconds = Int.random(in: 1...0xFF_FFFF, using: &random)
      tracks[index % 2] += tempo(microseconds, after: tick - lastTick[index % 2])
      lastTick[index % 2] = tick
      changes.append((tick, microseconds))
    }
    // A note at each of 5000 random ticks, most between changes.
    var ticks = (0..<5000).map { _ in Int.random(in: 0...changes[700].tick + 3000, using: &random) }
    ticks.sort()
    let notes = zip(ticks, [0] + ticks).flatMap { note(60, after: $0 - $1) }
    let file = try MIDIFile(bytes: smf(division: 479, tracks: [tracks[0] + end(), tracks[1] + end(), notes + end()]))
    let song = Song(file)
    let events = Timeline(song, sampleRate: 44_100).copiedEvents
    #expect(song.events.count == 5000)

    for (index, tick) in ticks.enumerated() {
      // The exact time is a whole number of units of 1 / 479 microsecond.
      var units: UInt128 = 0
      for (change, next) in zip(changes, changes.dropFirst() + [(tick: Int.max, tempo: 0)]) where change.tick < tick {
        units += UInt128(min(tick, next.tick) - change.tick) * UInt128(change.tempo)
      }
      let frame = (units * 44_100 * 2 + 479_000_000) / (2 * 479_000_000)
      #expect(events[index].time == Int64(frame))
      #expect(song.tempoMap.tick(at: song.events[index].seconds) == UInt32(tick))
    }
  }
}
