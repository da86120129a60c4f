import SynthAudioFiles
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@testable import SynthKit

@Suite("The transport of a song renders without a violation", .timeLimit(.minutes(5)))
struct SongTransportTests {
  private let path: WholePath
  private let timeline: Timeline
  private var events: EventInput { path.sampler.events }
  private var violations: Violations { path.watched.violations }

  init() throws {
    path = try WholePath()
    timeline = try WholePath.timeline()
  }

  @Test(
    "seeks from silence and from sound, to places before and behind, also before the last one has come about",
    arguments: SamplerEngine.allCases)
  func seeks(_ engine: SamplerEngine) throws {
    let path = try WholePath(engine)
    let events = path.sampler.events
    events.play(timeline, from: 960_000)
    path.watched.render(24_000, sliceSize: 100)
    var voiceCount = 0
    for place in [0, 1_440_000, 480_000] as [Int64] {
      events.seek(to: place)
      path.watched.render(128)
      events.seek(to: place + 48_000)
      path.watched.render(12_000, sliceSize: 441)
      voiceCount = max(voiceCount, path.sampler.activeVoiceCount)
    }
    #expect(voiceCount > 0)
    #expect(path.watched.violations.isEmpty, "\(path.watched.violations)")
  }

  @Test("a queued song begins over the sound of the one before, and tracks fall silent and are heard again")
  func queued() {
    let number = events.play(timeline, from: 960_000)
    #expect(events.queue(timeline, from: 480_000) != nil)
    path.watched.render(24_000, sliceSize: 100)
    events.clock.noteSilence(ofSong: number)
    for turn in 0..<8 {
      events.tracks.mute(turn / 2, turn % 2 == 0)
      events.tracks.mute(nil, turn == 6)
      path.watched.render(6_000, sliceSize: 333)
    }
    #expect(!events.hasQueuedSong && path.sampler.activeVoiceCount > 0)
    #expect(violations.isEmpty, "\(violations)")
  }

  @Test("a metronome counts bars in, and clicks through seeks, tempos and loops, and without a song")
  func metronome() throws {
    let metronome = MetronomeNode(following: events)
    metronome.isOn.value = 1
    try path.watched.engine.edit { [path] graph in
      try graph.disconnect(input: path.equalizer, bus: 0)
      try graph.attach(metronome)
      try graph.connect(path.mixer, to: metronome)
      try graph.connect(metronome, to: path.equalizer)
    }
    path.watched.render(48_000, sliceSize: 100)
    events.countIn = 2
    events.play(timeline, from: 960_000, loop: TimelineLoop(start: 960_000, end: 990_000))
    for turn in 0..<8 {
      events.tempo = turn % 2 == 0 ? 0.5 : 3
      if turn == 5 { events.seek(to: 970_000, countsIn: true) }
      path.watched.render(30_000, sliceSize: 333)
    }
    #expect(events.clock.songFrame(at: 1e9) > 970_000)
    #expect(violations.isEmpty, "\(violations)")
  }

  @Test("an audio file is played, stretched, sought in, looped and replaced", arguments: [44100, 48000])
  func sound(rate: Int) throws {
    let file = try TestNodes.constantFile(rate: rate)
    defer { TestNodes.remove(file) }
    let sounds = try [FileSound(path: file), FileSound(path: file)]
    let node = SongSoundNode(following: events)
    for sound in sounds { try node.feed.add(sound) }
    try path.watched.engine.edit { [path] graph in
      try graph.disconnect(input: path.equalizer, bus: 0)
      try graph.attach(node)
      try graph.connect(path.mixer, to: node)
      try graph.connect(node, to: path.equalizer)
    }
    for turn in 0..<24 {
      if turn % 6 == 0 {
        let timeline = Timeline(Song(sound: sounds[turn / 6 % 2]), sampleRate: 48000)
        events.play(timeline, loop: TimelineLoop(start: 9_600, end: 12_345))
      }
      events.tempo = [1, 1, 0.37, 2.9][turn % 4]
      events.transposition = turn % 3 == 0 ? 0 : turn - 12
      events.isSongHeld = turn % 5 == 4
      if turn % 6 == 3 { events.seek(to: 20_000) }
      path.watched.render(2_000, sliceSize: 333)
    }
    #expect(violations.isEmpty, "\(violations)")
  }

  @Test("routes change from silence and from sound, while it loops and before the last ones have come about")
  func routes() {
    events.routes[.channel(0)] = 5
    events.play(timeline, from: 960_000, loop: TimelineLoop(start: 960_000, end: 1_000_000))
    _ = events.queue(timeline, from: 480_000, to: nil, loop: nil)
    var voiceCount = 0
    for turn in 0..<16 {
      for channel in 0..<16 as Range<UInt8> { events.routes[.channel(channel)] = (channel + UInt8(turn)) % 16 }
      events.routes[.track(turn % 4)] = turn % 3 == 0 ? nil : 9
      if turn % 5 == 4 { events.seek(to: 970_000) }
      path.watched.render(turn % 3 == 0 ? 64 : 6_000, sliceSize: 333)
      voiceCount = max(voiceCount, path.sampler.activeVoiceCount)
    }
    #expect(voiceCount > 0)
    #expect(violations.isEmpty, "\(violations)")
  }

  @Test("loops, tempos, transpositions and holds, all at once, to the song's end")
  func everything() {
    events.play(timeline, from: 960_000, to: 1_000_000, loop: TimelineLoop(start: 960_000, end: 970_000, passCount: 3))
    events.tempo = 1.7
    events.transposition = 3
    path.watched.render(48_000, sliceSize: 100)
    for turn in 0..<20 {
      events.isSongHeld = turn % 3 == 1
      events.tempo = turn % 2 == 0 ? 0.37 : 2.9
      events.transposition = turn - 10
      events.repeatPassage(turn % 5 == 4 ? nil : TimelineLoop(start: 960_000, end: 962_000))
      path.watched.render(4_000, sliceSize: 333)
    }
    events.isSongHeld = false
    events.repeatPassage(nil)
    path.watched.render(96_000)
    #expect(violations.isEmpty, "\(violations)")
  }
}
