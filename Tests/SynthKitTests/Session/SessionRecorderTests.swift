import Foundation
import SynthAudioFiles
import SynthKit
import SynthMIDI
import TestSupport
import Testing

@Suite("A recorder of a session", .timeLimit(.minutes(5)))
struct SessionRecorderTests {
  private let keyboard = VirtualSource("Keyboard")
  private let heard = Recording()
  private let take = MIDITake()
  private let session: Session
  private let recorder: SessionRecorder
  private let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let configuration = SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont], reverb: nil, chorus: nil)
    session = Session(
      try Synthesizer(configuration), output: heard.paced(), sources: [keyboard], copies: [take])
    recorder = SessionRecorder(session, take: take)
  }

  private func path(_ name: String) -> String { directory.appending(path: name).path }

  private func strike(_ note: UInt8) throws {
    keyboard.send(.noteOn(channel: 0, note: note, velocity7: 100))
    try #require(heard.sounds())
    keyboard.send(.noteOff(channel: 0, note: note))
  }

  @Test("writes the sound that is played")
  func sound() throws {
    try session.start()
    try recorder.start(path("a.wav"))
    try strike(60)
    #expect(recorder.recordings.map(\.path) == [path("a.wav")])
    try #require(eventually { recorder.recordings[0].duration > 0.5 })
    let recorded = try #require(try recorder.stop().first)
    try session.stop()
    let samples = Array(try AudioFileReader(path: recorded.path).readAll()[0])
    #expect(recorded.duration == Double(samples.count) / 48000 && recorded.missing == 0)
    let first = try #require(samples.firstIndex { abs($0) > 0.001 })
    let firstHeard = try #require(heard.left.firstIndex { abs($0) > 0.001 })
    let count = min(samples.count - first, heard.left.count - firstHeard)
    #expect(count > 256)
    #expect((0..<count).allSatisfy { abs(samples[first + $0] - heard.left[firstHeard + $0]) < 1e-6 })
    #expect(recorder.recordings.isEmpty)
    #expect(try recorder.stop().isEmpty && recorder.stop(recorded.path) == nil)
  }

  @Test("writes parts of the mix, each alone, and follows a channel whose inserts change")
  func parts() throws {
    let synthesizer = session.synthesizer
    try synthesizer.makeBus("drums")
    try synthesizer.route(.channel(9), to: .bus("drums"))
    try session.start()
    let parts: [(name: String, strip: Strip)] = [
      ("main.wav", .main), ("one.wav", .channel(0)), ("two.wav", .channel(1)), ("drums.wav", .bus("drums")),
    ]
    for part in parts { try recorder.start(path(part.name), from: part.strip) }
    #expect(recorder.recordings.map(\.strip) == parts.map(\.strip))
    try strike(60)
    try synthesizer.insert("compressor", into: .channel(0))
    try #require(eventually { recorder.recordings.allSatisfy { $0.duration > 0.3 } })
    keyboard.send(.noteOn(channel: 9, note: 38, velocity7: 100))
    try synthesizer.removeInsert(nil, from: .channel(0))
    let duration = recorder.recordings[1].duration
    try #require(eventually { recorder.recordings[1].duration > duration + 0.3 })
    try recorder.stop()
    try session.stop()
    func peak(_ name: String) throws -> Float {
      try AudioFileReader(path: path(name)).readAll()[0].map(abs).max() ?? 0
    }
    #expect(try peak("main.wav") > 0.01 && peak("one.wav") > 0.01 && peak("drums.wav") > 0.01)
    #expect(try peak("two.wav") == 0)
  }

  @Test("refuses parts that are not there, and notes of a part, and leaves no file")
  func noParts() throws {
    for (name, strip) in [
      ("a.wav", .bus("drums")), ("a.wav", .microphone), ("a.wav", .channel(40)), ("a.wav", .click),
      ("a.mid", .channel(0)),
    ] as [(String, Strip)] {
      #expect(throws: RecordingError.self) { try recorder.start(path(name), from: strip) }
    }
    #expect(recorder.recordings.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
  }

  @Test("writes what a keyboard plays, with its name and what its channel was told before")
  func notes() throws {
    try session.start()
    keyboard.send(.programChange(channel: 0, program: 19))
    try strike(40)
    try recorder.start(path("a.mid"))
    try strike(60)
    keyboard.send(.noteOn(channel: 0, note: 64, velocity7: 90))
    let recorded = try #require(try recorder.stop().first)
    let song = Song(try MIDIFile(path: recorded.path))
    #expect(song.title == "Keyboard")
    #expect(song.events.map(\.message.kind) == [.programChange, .noteOn, .noteOff, .noteOn, .noteOff])
    #expect(song.events.map(\.message.note).suffix(4) == [60, 60, 64, 64])
    #expect(song.events[1].seconds >= 0 && song.duration <= recorded.duration + 0.01)

    let saved = try #require(try recorder.save(path("b.mid")))
    let all = Song(try MIDIFile(path: saved.path))
    #expect(all.events.filter { $0.message.kind == .noteOn }.map(\.message.note) == [40, 60, 64])
  }

  @Test("writes several files at once, each from its own start to its own end")
  func several() throws {
    try session.start()
    try recorder.start(path("a.mid"))
    try recorder.start(path("a.wav"))
    try strike(60)
    try recorder.start(path("b.mid"))
    try recorder.start(path("b.flac"))
    #expect(recorder.recordings.map(\.path) == ["a.mid", "a.wav", "b.mid", "b.flac"].map(path))
    try strike(64)
    #expect(try recorder.stop(path("a.mid"))?.path == path("a.mid"))
    try strike(67)
    try #require(eventually { recorder.recordings.allSatisfy { $0.duration > 0.1 } })
    let recorded = try recorder.stop()
    try session.stop()
    #expect(recorded.map(\.path) == ["a.wav", "b.mid", "b.flac"].map(path))
    for (name, keys) in [("a.mid", [60, 64]), ("b.mid", [64, 67])] as [(String, [UInt8])] {
      let song = Song(try MIDIFile(path: path(name)))
      #expect(song.events.filter { $0.message.kind == .noteOn }.map(\.message.note) == keys)
    }
    let (long, short) = (
      Array(try AudioFileReader(path: path("a.wav")).readAll()[0]),
      Array(try AudioFileReader(path: path("b.flac")).readAll()[0])
    )
    // Both end with the last frame that was played, but for what the session played between two ends.
    let shift = try #require((0...(long.count - 4800)).first { long[$0...].starts(with: short.prefix(4800)) })
    #expect(shift > 0 && long[shift...].starts(with: short.prefix(long.count - shift)))
  }

  @Test("MIDI files have the tempo of the metronome, or of the song that is played along, as fast as it is")
  func tempo() throws {
    try session.start()
    session.metronome.tempo.value = 96
    try strike(60)
    _ = try recorder.save(path("metronome.mid"))
    var song = MusicSequence(ticksPerQuarter: 480)
    try song.setTempo(100)
    try song.addNote(60, at: 0, for: 8)
    session.tempo = 0.5
    try session.play(try Song(song), then: .playOn)
    _ = try recorder.save(path("song.mid"))
    try session.stop()
    let files = try ["metronome.mid", "song.mid"].map { Song(try MIDIFile(path: path($0))) }
    #expect(files.map { $0.tempoMap.tempo(at: 0) } == [96, 50])
    // The tempo says where beats are, the notes come when they were played.
    #expect(zip(files[0].events, files[1].events).allSatisfy { abs($0.seconds - $1.seconds) < 0.001 })
  }

  @Test("refuses what cannot be, in one line")
  func refusals() throws {
    #expect(throws: RecordingError.nothingPlayed) { _ = try recorder.save(path("a.mid")) }
    #expect(throws: RecordingError.noFile("a.txt")) { _ = try recorder.save("a.txt") }
    #expect(throws: RecordingError.nothingPlayed) { _ = try recorder.save(path("a.wav")) }
    for name in ["a.mid", "a.wav"] {
      try Data().write(to: URL(filePath: path(name)))
      let error = #expect(throws: RecordingError.self) { try recorder.start(path(name)) }
      #expect(error?.description == "creating \(path(name)): file exists — choose another name")
    }
    let alone = SessionRecorder(session)
    #expect(throws: RecordingError.noKeyboards("x.mid")) { try alone.start("x.mid") }
  }
}
