import AudioFiles
import Foundation
import MIDI
import SynthKit
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
    #expect(recorder.recording?.path == path("a.wav"))
    try #require(eventually { (recorder.recording?.duration ?? 0) > 0.5 })
    let recorded = try #require(try recorder.stop())
    try session.stop()
    let samples = try AudioFileReader(path: recorded.path).readAll()[0]
    #expect(recorded.duration == Double(samples.count) / 48000 && recorded.missing == 0)
    let first = try #require(samples.firstIndex { abs($0) > 0.001 })
    let firstHeard = try #require(heard.left.firstIndex { abs($0) > 0.001 })
    let count = min(samples.count - first, heard.left.count - firstHeard)
    #expect(count > 256)
    #expect((0..<count).allSatisfy { abs(samples[first + $0] - heard.left[firstHeard + $0]) < 1e-6 })
    #expect(recorder.recording == nil)
    #expect(try recorder.stop() == nil)
  }

  @Test("writes what a keyboard plays, with its name and what its channel was told before")
  func notes() throws {
    try session.start()
    keyboard.send(.programChange(channel: 0, program: 19))
    try strike(40)
    try recorder.start(path("a.mid"))
    try strike(60)
    keyboard.send(.noteOn(channel: 0, note: 64, velocity7: 90))
    let recorded = try #require(try recorder.stop())
    let song = Song(try MIDIFile(path: recorded.path))
    #expect(song.title == "Keyboard")
    #expect(song.events.map(\.message.kind) == [.programChange, .noteOn, .noteOff, .noteOn, .noteOff])
    #expect(song.events.map(\.message.note).suffix(4) == [60, 60, 64, 64])
    #expect(song.events[1].seconds >= 0 && song.duration <= recorded.duration + 0.01)

    let saved = try recorder.save(path("b.mid"))
    let all = Song(try MIDIFile(path: saved.path))
    #expect(all.events.filter { $0.message.kind == .noteOn }.map(\.message.note) == [40, 60, 64])
  }

  @Test("refuses what cannot be, in one line")
  func refusals() throws {
    #expect(throws: RecordingError.nothingPlayed) { _ = try recorder.save(path("a.mid")) }
    #expect(throws: RecordingError.noMIDIFile("a.wav")) { _ = try recorder.save("a.wav") }
    try recorder.start(path("a.mid"))
    #expect(throws: RecordingError.alreadyRecording(path("a.mid"))) { try recorder.start(path("b.mid")) }
    try recorder.stop()
    for name in ["a.mid", "a.wav"] {
      try Data().write(to: URL(filePath: path(name)))
      let error = #expect(throws: RecordingError.self) { try recorder.start(path(name)) }
      #expect(error?.description == "creating \(path(name)): file exists — choose another name")
    }
    let alone = SessionRecorder(session)
    #expect(throws: RecordingError.noKeyboards("x.mid")) { try alone.start("x.mid") }
  }
}
