import SynthMIDI
import SynthRealtime
import TestSupport
import Testing

@Suite("A MIDI clock")
struct MIDIClockTests {
  /// What a follower has been sent: clocks from 1 s on, each up to so many milliseconds early or late.
  private struct Machine {
    var follower = MIDIClockFollower()
    var time = 1e9
    var random = SplitMix64(seed: 7)
    var jitter = 0.0

    var hostTime: UInt64 { UInt64(time) }

    /// Sends clocks at a tempo; the tempos that the follower tells after each.
    mutating func play(_ clockCount: Int, tempo: Double) -> [Double] {
      (0..<clockCount).compactMap { _ in
        let offset = Double.random(in: -jitter...jitter, using: &random) * 1e6
        follower.receive(.clock, at: UInt64(time + offset))
        time += 60e9 / 24 / tempo
        return follower.tempo
      }
    }
  }

  @Test(
    "starts at NaN as at 0, and has an end of clocks at any rate", arguments: [Double.nan, .infinity, -1, 0, 1e300])
  func nonsense(number: Double) {
    var times = MIDIClockTimes(TempoMap(tempo: number), rate: number)
    // At the last place that can be told others are sent there first.
    #expect(times.start(atBeat: number, at: 1_000_000_000).count == (number > 0 ? 2 : 1))
    times.setTempo(120)
    #expect(times.take(before: 2_000_000_000).count <= 4801)
  }

  @Test("bars without end are not counted in")
  func countIn() throws {
    let meter = try Song(MusicSequence()).meter
    #expect(meter.countIn(bars: .max, to: .nan).beats.count == 4000)
    #expect(meter.countIn(bars: .min, to: .infinity).beats.isEmpty)
  }

  @Test(
    "with 1 ms of jitter is followed within 0.1 a minute once it has run for four seconds",
    arguments: [
      40.0, 90, 120, 174.5, 240,
    ])
  func steady(tempo: Double) {
    var machine = Machine()
    machine.jitter = 1
    _ = machine.play(Int(tempo / 60 * 24 * 4) + 1, tempo: tempo)
    let tempos = machine.play(2400, tempo: tempo)
    #expect(tempos.count == 2400)
    #expect(tempos.allSatisfy { abs($0 - tempo) < 0.1 })
  }

  @Test("that changes its tempo is followed to the new one within two seconds")
  func change() throws {
    var machine = Machine()
    machine.jitter = 1
    _ = machine.play(400, tempo: 120)
    _ = machine.play(93, tempo: 140)
    #expect(abs(try #require(machine.follower.tempo) - 140) < 0.5)
  }

  @Test("has no tempo before eight clocks, nor after a pause")
  func unknown() {
    var machine = Machine()
    #expect(machine.play(7, tempo: 120).isEmpty)
    #expect(machine.play(1, tempo: 120).count == 1)
    machine.time += 2e9
    #expect(machine.play(1, tempo: 120).isEmpty)
  }

  @Test("tells the beat from the start on, between clocks too, and stands still where it is stopped")
  func position() throws {
    var machine = Machine()
    #expect(machine.play(48, tempo: 120).last.map { abs($0 - 120) < 1e-6 } == true)
    #expect(machine.follower.beat(at: machine.hostTime) == 0 && !machine.follower.isRunning)
    machine.follower.receive(.start, at: machine.hostTime)
    #expect(machine.follower.beat(at: machine.hostTime + 5_000_000) == 0)
    let start = machine.hostTime
    _ = machine.play(49, tempo: 120)
    // Two quarter notes a second.
    for milliseconds in [1000, 1003, 1020] as [UInt64] {
      let beat = machine.follower.beat(at: start + milliseconds * 1_000_000)
      #expect(abs(beat - Double(milliseconds) / 500) < 1e-4)
    }
    // Without further clocks it goes on for a quarter note.
    #expect(abs(machine.follower.beat(at: start + 60_000_000_000) - 3) < 1e-9)
    machine.follower.receive(.stop, at: machine.hostTime)
    #expect(machine.follower.beat(at: machine.hostTime) == 49.0 / 24)
    machine.follower.receive(.songPosition(32), at: machine.hostTime)
    machine.follower.receive(.continue, at: machine.hostTime)
    #expect(machine.follower.beat(at: machine.hostTime) == 8)
    let resumed = machine.hostTime
    _ = machine.play(25, tempo: 120)
    #expect(abs(machine.follower.beat(at: resumed + 500_000_000) - 9) < 1e-4)
  }

  @Test("is sent 24 times a quarter note by the tempos of a song, each once")
  func times() throws {
    var sequence = MusicSequence()
    try sequence.setTempo(60)
    try sequence.setTempo(120, at: 1)
    var times = MIDIClockTimes(sequence.tempoMap)
    #expect(times.take(before: .max / 4).isEmpty)
    let start = times.start(at: 1_000_000_000)
    #expect(start.map(\.message) == [.start] && start[0].hostTime == 998_000_000)
    let first = times.take(before: 2_000_000_000)
    #expect(first.count == 24 && first[0].hostTime == 1_000_000_000)
    let second = times.take(before: 2_500_000_000)
    #expect(second.count == 24 && second[0].hostTime == 2_000_000_000)
    #expect(second.allSatisfy { $0.message == .clock })
    times.setTempo(240)
    #expect(times.take(before: 2_750_000_000).map(\.hostTime).first == 2_500_000_000)
    #expect(times.take(before: 3_000_000_000).count == 24)
    #expect(times.stop(at: 3).map(\.message) == [.stop] && times.stop(at: 3).isEmpty)
  }

  @Test("starts amid a song by its position in sixteenth notes")
  func startsAmid() {
    var times = MIDIClockTimes(TempoMap(tempo: 120))
    #expect(times.start(atBeat: 2.2, at: 5_000_000_000).map(\.message) == [.songPosition(9), .continue])
    #expect(times.take(before: 5_000_000_001).map(\.hostTime) == [5_000_000_000])
    #expect(times.start(atBeat: 0, at: 6_000_000_000).map(\.message) == [.stop, .start])
  }

  @Test("from a sender reaches a follower, ahead of its time", .timeLimit(.minutes(1)))
  func sender() throws {
    let sink = ClockSink()
    let clock = try MIDIClockSender(to: sink, tempo: 300)
    #expect(sink.received.withLock { $0.isEmpty })
    clock.start(atBeat: 1)
    #expect(eventually { sink.received.withLock { $0.count } >= 60 })
    clock.stop()
    #expect(eventually { sink.received.withLock { $0.last?.message } == .stop })
    var follower = MIDIClockFollower()
    let received = sink.received.withLock { $0 }
    for (message, hostTime) in received { follower.receive(message, at: hostTime) }
    #expect(received.prefix(3).map(\.message) == [.songPosition(4), .continue, .clock])
    #expect(abs(try #require(follower.tempo) - 300) < 0.01)
    #expect(follower.beat(at: 0) >= 1 + 57.0 / 24)
  }
}

private final class ClockSink: MIDISink {
  let received = CheckedMutex<[(message: MIDIClockMessage, hostTime: UInt64)]>([])

  func receive(_ event: MIDISourceEvent) {
    guard case .received(.clock(let message), _, let time) = event else { return }
    received.withLock { $0.append((message, time)) }
  }
}
