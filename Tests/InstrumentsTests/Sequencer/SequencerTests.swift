import Synchronization
import SynthMIDI
import TestSupport
import Testing

@testable import SynthInstruments

@Suite("A sequencer", .timeLimit(.minutes(5)))
struct SequencerTests {
  private let first = ReadDestination()
  private let second = ReadDestination()

  @Test("plays from its position to its end, and tells where it is in beats")
  func transport() throws {
    let sequencer = try Sequencer(.notes([(60, 0, 1), (61, 1, 1)]), playing: first)
    #expect(sequencer.duration == 2 && sequencer.transportState == .stopped)
    try sequencer.start()
    #expect(sequencer.position == 0 && sequencer.isPlaying)
    #expect(first.read(375) == ["0 on 1 60"])
    #expect(sequencer.position == 1)
    #expect(first.read(376) == ["24000 off 1 60", "24000 on 1 61", "48000 off 1 61"])
    #expect(!sequencer.isPlaying && sequencer.position == 2 && sequencer.transportState == .playing)
    // From the start again, behind what may still sound.
    try sequencer.start()
    #expect(first.read(9) == ["48576 on 1 60"])
    sequencer.stop()
    #expect(first.read(1) == ["48640 off 1 60"])
    sequencer.position = 1
    #expect(sequencer.position == 1)
    try sequencer.start()
    #expect(first.read(9) == ["49216 off 1 60", "49216 on 1 61"])
  }

  @Test("pauses: keys and pedals are let go, and pedals given back when it goes on at its place")
  func pause() throws {
    var sequence = try MusicSequence.notes([(60, 0, 2), (61, 3, 1)])
    try sequence.add(.message(.controlChange(channel: 0, .sustain, value7: 127)), at: 0)
    let sequencer = try Sequencer(sequence, playing: first)
    try sequencer.start()
    _ = first.read(375)
    sequencer.pause()
    #expect(first.read(100) == ["24000 off 1 60", "24000 cc 1 64=0"])
    #expect(sequencer.position == 1 && !sequencer.isPlaying)
    try sequencer.start()
    #expect(first.read(375) == ["30400 cc 1 64=127"])
    #expect(sequencer.position == 2)
    #expect(first.read(376) == ["54400 off 1 60", "78400 on 1 61"])
  }

  @Test("lets destinations begin, change and loop at one frame, also one that takes it over later")
  func together() throws {
    let sequencer = try Sequencer(.notes([(60, 0, 1), (62, 4, 1)], [(70, 0, 1), (72, 4, 1)]), playing: first)
    sequencer.tracks[1].destination = second
    try sequencer.start()
    #expect(first.read(10) == ["0 on 1 60"] && second.read(10) == ["0 on 2 70"])
    // Of a rate that the second takes over one quantum too late, and of a pause three too late.
    _ = second.read(1)
    sequencer.rate = 2
    _ = first.read(100)
    _ = second.read(99)
    sequencer.pause()
    _ = (first.read(50), second.read(50))
    sequencer.rate = 0.5
    try sequencer.start()
    let rest = (first.read(6000), second.read(6000))
    // At frame 640 the song is at 640, at 7040 at 13440, and from 10240 on half as fast: beat 4 is at 175360.
    #expect(rest.0.contains("175360 on 1 62") && rest.1.contains("175360 on 2 72"))
    #expect(first.events.clock.songFrame(at: 1e6) == second.events.clock.songFrame(at: 1e6))
  }

  @Test("waits for a live output's slices before all destinations begin")
  func live() throws {
    let sequencer = try Sequencer(.notes([(60, 0, 1)], [(70, 0, 1)]), playing: first)
    sequencer.tracks[1].destination = second
    for slice in 0..<4 {
      let now = UInt64.max / 4 + UInt64(slice)
      _ = (first.read(8, hostTime: now), second.read(8, hostTime: now))
    }
    try sequencer.start()
    let late = second.read(8)
    // Two slices of 512 frames ahead of 2048.
    #expect(first.read(40) == ["3072 on 1 60"] && late + second.read(32) == ["3072 on 2 70"])
  }

  @Test("is as fast as its rate, 0.25 to 4, from the next quantum on")
  func rate() throws {
    let sequencer = try Sequencer(.notes([(60, 1, 1), (61, 3, 1)]), playing: first)
    sequencer.rate = 0.5
    try sequencer.start()
    #expect(first.read(751) == ["48000 on 1 60"])
    sequencer.rate = 9
    #expect(sequencer.rate == 4)
    // At frame 48064 the song is at 24032; 47968 frames later at four times the speed is 11992.
    #expect(first.read(200) == ["54056 off 1 60", "60056 on 1 61"])
    for rate in [-1, 0] as [Double] {
      sequencer.rate = rate
      #expect(sequencer.rate == 0.25)
    }
  }

  @Test("repeats a passage so many times; an edit does not count as a pass")
  func loop() throws {
    let sequencer = try Sequencer(.notes([(60, 0, 0.5), (61, 1, 0.5), (62, 2, 0.5)]), playing: first)
    sequencer.loop = SequencerLoop(1, 2, passCount: 3)
    try sequencer.start()
    #expect(first.read(760).filter { $0.contains("on") } == ["0 on 1 60", "24000 on 1 61", "48000 on 1 61"])
    try sequencer.edit { $0.tracks[0].add(.meta(.marker, []), at: 0) }
    #expect(first.read(1200).filter { $0.contains("on") } == ["72000 on 1 61", "96000 on 1 62"])
    // Behind it: back at once.
    sequencer.position = 2.5
    _ = first.read(40)
    sequencer.loop = SequencerLoop(0, 1)
    #expect(first.read(9).contains { $0.hasSuffix("on 1 60") } && sequencer.position < 0.1)
    sequencer.loop = SequencerLoop(3, 1)
    sequencer.loop = SequencerLoop(.nan, .infinity)
    _ = first.read(100)
  }

  @Test("a track is muted and soloed at once: what it holds ends, its controllers go on, the others are not touched")
  func mute() throws {
    var sequence = try MusicSequence.notes([(60, 0, 4), (61, 5, 1)], [(70, 0, 4)])
    try sequence.add(.message(.controlChange(channel: 0, .volume, value7: 9)), at: 1)
    let sequencer = try Sequencer(sequence, playing: first)
    try sequencer.start()
    _ = first.read(10)
    sequencer.tracks[0].isMuted = true
    #expect(first.read(10) == ["640 off 1 60"])
    #expect(first.read(400) == ["24000 cc 1 7=9"])
    sequencer.tracks[0].isMuted = false
    sequencer.tracks[0].isSoloed = true
    #expect(first.read(1) == ["26880 off 2 70"])
    #expect(first.read(1500).contains("120000 on 1 61"))
  }

  @Test("a track is played later, earlier, and no longer than it may")
  func offsetAndLength() throws {
    let sequencer = try Sequencer(.notes([(60, 0, 2), (61, 2, 1)], [(70, 0, 1), (71, 1, 1)]), playing: first)
    sequencer.tracks[0].offset = 1
    sequencer.tracks[0].length = 1.5
    sequencer.tracks[1].offset = -1
    #expect(sequencer.duration == 2.5)
    try sequencer.start()
    #expect(
      first.read(1000) == ["0 off 2 70", "0 on 2 71", "24000 on 1 60", "24000 off 2 71", "60000 off 1 60"])
    for value in [.nan, .infinity, -.infinity, 1e300] as [Double] {
      sequencer.tracks[0].offset = value
      sequencer.tracks[0].length = value
      _ = first.read(10)
    }
  }

  @Test("an edit ends the notes it takes away, keeps those it leaves, and plays those it brings")
  func edit() throws {
    let sequencer = try Sequencer(.notes([(60, 0, 2), (61, 0, 2), (62, 3, 1)]), playing: first)
    try sequencer.start()
    _ = first.read(100)
    try sequencer.edit { sequence in
      sequence.tracks[0].events.removeAll { $0.content.key == 61 || $0.content.key == 62 }
      try sequence.addNote(65, at: sequencer.position + 1 - 6400 / 24000.0, for: 1)
      // It has begun before: it is not struck.
      try sequence.addNote(66, at: 0, for: 4)
    }
    #expect(first.read(1) == ["6400 off 1 61"])
    #expect(
      first.read(1500) == ["24000 on 1 65", "48000 off 1 60", "48000 off 1 65", "96000 off 1 66"])
    #expect(sequencer.sequence.tracks[0].events.count == 6)
  }

  @Test("an edit of what lies behind tells channels what they would have been told, and only that")
  func editOfControls() throws {
    var sequence = try MusicSequence.notes([(60, 0, 4)], [(70, 0, 4)])
    for channel in 0..<2 as Range<UInt8> {
      try sequence.add(.message(.controlChange(channel: channel, .volume, value7: 50)), at: 0, track: Int(channel))
      try sequence.add(.message(.programChange(channel: channel, program: 5)), at: 0, track: Int(channel))
    }
    let sequencer = try Sequencer(sequence, playing: first)
    try sequencer.start()
    _ = first.read(100)
    try sequencer.edit { sequence in
      sequence.tracks[1].events.removeAll { $0.content.controller == .volume }
      try sequence.add(.message(.controlChange(channel: 1, .pan, value7: 0)), at: 0, track: 1)
    }
    #expect(first.read(1) == ["6400 cc 2 7=100", "6400 program 2 5", "6400 cc 2 10=0"])
    #expect(first.read(10) == [])
  }

  @Test("edits that come before the last has come about count from what is played")
  func manyEdits() throws {
    let sequencer = try Sequencer(.notes([(60, 0, 2), (61, 0, 2)]), playing: first)
    try sequencer.start()
    _ = first.read(100)
    sequencer.tracks[0].isMuted = true
    sequencer.tracks[0].isMuted = false
    sequencer.rate = 2
    try sequencer.edit { $0.tracks[0].events.removeAll { $0.content.key == 61 } }
    sequencer.rate = 1
    #expect(first.read(1) == ["6400 off 1 61"])
    #expect(first.read(1000) == ["48000 off 1 60"])
    // Nor do edits disturb what has not begun.
    sequencer.position = 0
    try sequencer.edit { try $0.addNote(64, at: 0, for: 1) }
    #expect(
      first.read(20).map { $0.split(separator: " ").dropFirst().joined(separator: " ") } == ["on 1 60", "on 1 64"])
  }

  @Test("an edit by which a loop becomes too short lets the song go on")
  func shortLoop() throws {
    let sequencer = try Sequencer(.notes([(60, 0, 1), (61, 4, 1)]), playing: first)
    sequencer.loop = SequencerLoop(1, 2)
    try sequencer.start()
    _ = first.read(1200)
    try sequencer.edit { try $0.setTempo(60000) }
    #expect(first.read(100).contains { $0.hasSuffix("on 1 61") })
    #expect(!sequencer.isPlaying)
  }

  @Test("an edit before the first note sounds plays nothing that lies before the start")
  func editBeforeStart() throws {
    let sequencer = try Sequencer(.notes([(60, 3.995, 2), (61, 4, 1)]), playing: first)
    try sequencer.start()
    _ = first.read(10)
    sequencer.position = 4
    #expect(first.read(4) == [])
    sequencer.rate = 0.5
    try sequencer.edit { try $0.addNote(62, at: 4, for: 1) }
    #expect(first.read(10).map { $0.suffix(7) } == ["on 1 61", "on 1 62"])
  }

  @Test("an edit of the tempo keeps the beat")
  func editOfTempo() throws {
    let sequencer = try Sequencer(.notes([(60, 0, 1), (61, 4, 1)]), playing: first)
    try sequencer.start()
    _ = first.read(750)
    #expect(sequencer.position == 2)
    try sequencer.edit { try $0.setTempo(60) }
    #expect(sequencer.position == 2)
    _ = first.read(1)
    #expect(abs(sequencer.position - (2 + 64 / 48000.0)) < 1e-9)
    // Two beats of a second each.
    #expect(first.read(1600) == ["144000 on 1 61"])
  }

  @Test("beats, frames and host times, there and back, at any rate")
  func times() throws {
    let sequencer = try Sequencer(.notes([(60, 0, 8)]), playing: first)
    #expect(sequencer.hostTime(forBeat: 1) == nil && sequencer.frame(forBeat: 1) == nil)
    try sequencer.start()
    _ = first.read(8, hostTime: 10_000_000_000)
    // Beat 2 is a second behind the start.
    #expect(sequencer.hostTime(forBeat: 2) == 11_000_000_000)
    #expect(sequencer.frame(forBeat: 2) == 48000 && sequencer.beat(forFrame: 48000) == 2)
    sequencer.rate = 2
    _ = first.read(8, hostTime: 10_010_666_667)
    let host = try #require(sequencer.hostTime(forBeat: 2))
    #expect(abs(Double(host) - 10_505_333_333) < 10_000)
    #expect(abs((sequencer.beat(forHostTime: host) ?? 0) - 2) < 1e-6)
    sequencer.pause()
    #expect(sequencer.beat(forHostTime: host) == nil)
  }

  @Test("a sink takes tracks, in order, and is told to let go at the end")
  func sink() throws {
    let recorder = MIDIRecorder()
    do {
      let sequencer = try Sequencer(.notes([(60, 0, 1)], [(70, 0.5, 8)]), playing: first)
      sequencer.tracks[1].destination = MIDISinkDestination(recorder)
      try sequencer.start()
      #expect(first.read(400) == ["0 on 1 60", "24000 off 1 60"])
      #expect(eventually { recorder.entries.count == 1 })
    }
    // The thread that sends may be the last to let the sequencer go.
    #expect(eventually { recorder.entries.count == 2 })
    #expect(
      recorder.entries.map(\.content) == [
        .message(.noteOn(channel: 1, note: 70, velocity7: 100)), .message(.noteOff(channel: 1, note: 70)),
      ])
  }

  @Test("the program is told of markers, lyrics and its own bytes, on another thread, also in each pass of a loop")
  func callback() throws {
    var sequence = try MusicSequence.notes([(60, 0, 4)])
    try sequence.addText("Anfang", .marker, at: 0)
    try sequence.addText("é", .lyric, at: 1.5)
    try sequence.add(.meta(.sequencerSpecific, [1, 2]), at: 3)
    let sequencer = try Sequencer(sequence, playing: first)
    let cues = CueList()
    sequencer.setUserCallback { [weak sequencer] cue in
      cues.add(cue)
      if cue.type == .sequencerSpecific { sequencer?.stop() }
    }
    sequencer.loop = SequencerLoop(1, 2, passCount: 2)
    try sequencer.start()
    _ = first.read(375 * 5 + 1)
    #expect(eventually { cues.all.count == 4 && sequencer.transportState == .stopped })
    #expect(cues.all.map(\.beat) == [0, 1.5, 1.5, 3])
    #expect(cues.all.map(\.text) == ["Anfang", "é", "é", nil] && cues.all.last?.bytes == [1, 2])
  }

  @Test("separate songs of a file are put behind one another; hostile places are held")
  func hostile() throws {
    let file = try MIDIFile(bytes: smf(format: 2, tracks: [note(60) + end(after: 480), note(61) + end(after: 480)]))
    let sequencer = try Sequencer(MusicSequence(file), playing: first)
    #expect(sequencer.duration == 2)
    for place in [.nan, -1, 1e300, .infinity] as [Double] {
      sequencer.position = place
      #expect((0...2).contains(sequencer.position))
      try sequencer.start()
      sequencer.position = place
      _ = (first.read(3), sequencer.hostTime(forBeat: place), sequencer.frame(forBeat: place))
      sequencer.stop()
    }
    #expect(throws: MusicSequenceError.noSuchTrack(9, count: 2)) {
      try sequencer.edit { try $0.addNote(60, at: 0, for: 1, track: 9) }
    }
    try sequencer.edit { $0.tracks.removeAll() }
    sequencer.tracks = []
    try sequencer.start()
    #expect(first.read(1000) == [])
  }
}

extension MusicEvent.Content {
  fileprivate var key: UInt8? {
    if case .message(let message) = self, [.noteOn, .noteOff].contains(message.kind) { message.note } else { nil }
  }

  fileprivate var controller: Controller? {
    if case .message(let message) = self, message.kind == .controlChange { message.controller } else { nil }
  }
}

/// What a callback was told.
private final class CueList: Sendable {
  private let cues = Mutex<[SequencerCue]>([])
  var all: [SequencerCue] { cues.withLock { $0 } }
  func add(_ cue: SequencerCue) { cues.withLock { $0.append(cue) } }
}
