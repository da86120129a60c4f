import AudioGraph
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

/// What a song sounds like from a place where nothing sounds must not depend on how one came there.
@Suite("A seek", .timeLimit(.minutes(5)))
struct SeekTests {
  /// Uninterrupted playing up to the places, where nothing sounds and the engines are exchanged for new ones: a voice
  /// of FluidSynth that has sounded before begins a little otherwise.
  private struct Reference {
    let timeline: Timeline
    let places: [Int]
    private(set) var left: [Float] = []
    private(set) var right: [Float] = []

    /// - Parameter isCut: whether all sound is ended before each place; else the song is silent there.
    init(
      _ song: Song, seconds: Double, placeCount: Int, isCut: Bool, seed: UInt64, player: () throws -> PlayedRack
    ) throws {
      timeline = Timeline(song, sampleRate: 48000)
      let quantumCount = Int(seconds * 750)
      var silences: [Int] = []
      if isCut {
        silences = (1..<quantumCount - 750).map { $0 * 64 }
      } else {
        let first = try player()
        first.rack.events.play(timeline)
        for quantum in 1..<quantumCount {
          _ = first.render(64)
          if first.rack.activeVoiceCount == 0 { silences.append(quantum * 64) }
        }
      }
      var random = SplitMix64(seed: seed)
      places = Set((0..<placeCount).compactMap { _ in silences.randomElement(using: &random) }).sorted()

      let second = try player()
      second.rack.events.play(timeline)
      for quantum in 0..<quantumCount {
        if places.contains(quantum * 64) { try second.rack.exchange(second.rack.configuration) }
        if isCut, places.contains((quantum + 1) * 64) {
          for channel in 0..<16 as Range<UInt8> {
            second.play(.controlChange(channel: channel, .allSoundOff, value7: 0), after: 63)
          }
        }
        let (left, right) = second.renderStereo(64)
        self.left += left
        self.right += right
      }
    }

    /// How many frames there are from a place to the quantum before the next.
    func length(of place: Int) -> Int {
      min(((places + [left.count]).first { $0 > place } ?? 0) - place - 64, 48000)
    }
  }

  /// Seeks while something else sounds, and compares what is played then.
  ///
  /// - Returns: how many of the frames sounded.
  private func compare(_ reference: Reference, at place: Int, with player: PlayedRack) throws -> Int {
    player.play(.noteOn(channel: 12, note: 60, velocity7: 100))
    _ = player.render(640)
    #expect(player.rack.activeVoiceCount > 0)
    try player.rack.exchange(player.rack.configuration)
    player.rack.events.play(reference.timeline, from: Int64(place + 63))
    // 256 frames of fade, then the chase, then the song.
    var (delay, left, right): (Int, [Float], [Float]) = (0, [], [])
    repeat {
      (left, right) = player.renderStereo(64)
      delay += 64
    } while player.songFrame <= Double(place) && delay < 640
    delay -= 64
    #expect(delay <= 480, "the song begins \(delay) frames after the seek")
    let count = reference.length(of: place)
    let more = player.renderStereo(count)
    let isSame =
      (left + more.left).prefix(count) == reference.left[place..<place + count]
      && (right + more.right).prefix(count) == reference.right[place..<place + count]
    if !isSame {
      let first = (0..<count).first { (left + more.left)[$0] != reference.left[place + $0] } ?? -1
      Issue.record("seeking to \(place), frame \(first) of \(count) differs")
    }
    return reference.left[place..<place + count].count { $0 != 0 }
  }

  @Test("to silence in a generated song gives the same samples as playing up to there", arguments: 0..<8)
  func generated(seed: UInt64) throws {
    let song = Song(try MIDIFile(bytes: PhrasedSong(seed: seed).file))
    let font = try TestFiles.soundFont
    let assignments: [InstrumentAssignment] =
      seed % 2 == 0 ? [] : [InstrumentAssignment(.patch(.bare(.saw)), channel: 0), InstrumentAssignment(.sampler)]
    func player() throws -> PlayedRack { try PlayedRack(assignments, soundFonts: [font], polyphony: 256) }
    let reference = try Reference(
      song, seconds: song.duration, placeCount: 25, isCut: false, seed: seed, player: player)
    let player = try player()
    var soundCount = 0
    for place in reference.places { soundCount += try compare(reference, at: place, with: player) }
    #expect(soundCount > 10 * 4800)
  }

  @Test(
    "into a real song that was silenced gives the same samples as playing up to there",
    arguments: [
      "tttheme2.mid", "busy_schedule.mid", "wood_whistles.mid",
    ])
  func real(name: String) throws {
    let song = Song(try MIDIFile(path: try TestFiles.song(name)))
    let font = try TestFiles.soundFont
    func player() throws -> PlayedRack { try PlayedRack([], soundFonts: [font]) }
    let reference = try Reference(song, seconds: 40, placeCount: 12, isCut: true, seed: 1, player: player)
    let player = try player()
    var soundCount = 0
    for place in reference.places { soundCount += try compare(reference, at: place, with: player) }
    #expect(soundCount > 48000)
  }

  @Test(
    "into a song that tells parts all sorts of things gives the same samples as playing up to there",
    arguments: SamplerEngine.allCases, 0..<4)
  func parts(engine: SamplerEngine, seed: UInt64) throws {
    let song = Song(try MIDIFile(bytes: PartSong(seed: seed).file))
    let font = try TestFiles.soundFont
    func player() throws -> PlayedRack { try PlayedRack([], soundFonts: [font], polyphony: 256, engine: engine) }
    let reference = try Reference(
      song, seconds: song.duration, placeCount: 12, isCut: false, seed: seed, player: player)
    let player = try player()
    var soundCount = 0
    for place in reference.places { soundCount += try compare(reference, at: place, with: player) }
    #expect(soundCount > 4 * 4800)
  }

  @Test("from sound is a fade of 256 frames, without a click, and the song follows it")
  func fade() throws {
    let player = try PlayedRack(.bare())
    let silence = Timeline(Song(try MIDIFile(bytes: smf(tracks: [end(after: 9600)]))), sampleRate: 48000)
    player.rack.events.play(silence)
    player.play(.noteOn(channel: 0, note: 60, velocity7: 100), after: 64)
    let before = player.render(9600)
    player.rack.events.seek(to: 4800)
    let after = player.render(256)
    func steepest(_ samples: [Float]) -> Float { zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max() ?? 0 }
    let own = steepest(before.suffix(4800))
    #expect(own > 0.001 && steepest(before.suffix(1) + after) <= 1.2 * own)
    #expect(after.contains { abs($0) > 0.01 } && player.render(4800).allSatisfy { $0 == 0 })
    // From the next quantum on; the fade has taken 256 frames.
    #expect(player.songFrame == 4800 + 4800)
  }

  @Test("a thousand times, with loops, tempos, transpositions and holds between, leaves nothing behind")
  func storm() throws {
    let player = try PlayedRack([], soundFonts: [try TestFiles.soundFont])
    let events = player.rack.events
    weak var timeline: Timeline?
    try {
      let song = Timeline(Song(try MIDIFile(path: try TestFiles.song)), sampleRate: 48000)
      timeline = song
      events.play(song)
    }()
    var random = SplitMix64(seed: 1)
    for turn in 0..<1000 {
      events.seek(to: Int64(random.next(below: 5_000_000)))
      let start = Int64(random.next(below: 4_000_000))
      if turn % 3 == 0 { events.repeatPassage(TimelineLoop(start: start, end: start + 9600)) }
      if turn % 7 == 0 { events.repeatPassage(nil) }
      events.tempo = 0.25 + Double(random.next(below: 375)) / 100
      events.transposition = random.next(below: 49) - 24
      events.isSongHeld = turn % 5 == 0
      _ = player.render(1 + random.next(below: 1000))
    }
    events.isSongHeld = true
    for _ in 0..<30 where player.rack.activeVoiceCount > 0 { _ = player.render(48000) }
    #expect(player.rack.activeVoiceCount == 0 && timeline != nil)
    // The second one frees what the first one has replaced.
    for _ in 0..<2 {
      events.play(Timeline(Song(try MIDIFile(bytes: smf(tracks: [end()]))), sampleRate: 48000))
      _ = player.render(640)
    }
    #expect(timeline == nil)
  }
}
