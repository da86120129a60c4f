import Foundation
import SynthAudioFiles
import SynthDSP
import SynthKit
import SynthMIDI
import TestSupport
import Testing

@Suite("What was played, saved and rendered again", .timeLimit(.minutes(5)))
struct TakeRenderingTests {
  private let keyboard = VirtualSource("Keyboard")
  private let output = HandOutput(sampleRate: 48000, period: 256)
  private let take = MIDITake()
  private let synthesizer: Synthesizer
  private let session: Session
  private let recorder: SessionRecorder
  private let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    synthesizer = try Self.synthesizer()
    session = Session(synthesizer, output: output, sources: [keyboard], copies: [take])
    recorder = SessionRecorder(session, take: take)
  }

  private static func synthesizer() throws -> Synthesizer {
    var configuration = SynthesizerConfiguration(
      soundFonts: [try TestFiles.soundFont], isLimited: false, reverb: nil, chorus: nil)
    // Its notes begin where a quantum does, however a time was rounded.
    configuration.instruments.sampler.engine = .fluidSynth
    return try Synthesizer(configuration)
  }

  private func path(_ name: String) -> String { directory.appending(path: name).path }

  /// The frame of the output at which the performance begins: in the middle of a quantum, so that a clock that rounds
  /// by one is none the worse.
  private let start = 48000 + 32

  /// Plays an organ, with notes a third of a second apart: at ticks of a file, which has 25 frames in each, and at the
  /// same place of their quantum.
  private func perform(for seconds: Int) throws {
    try session.start()
    for _ in 0..<188 { output.turn() }
    var events: [(tick: Int, message: MIDIMessage)] = [
      (0, .programChange(channel: 0, program: 19)), (0, .controlChange(channel: 0, .reverbSend, value7: 100)),
    ]
    for (index, note) in ([60, 64, 67, 72, 71, 67, 64, 60] as [UInt8]).enumerated() {
      let tick = 64 * (1 + 10 * index)
      events.append((tick, .noteOn(channel: UInt8(index % 2), note: note, velocity7: 100)))
      events.append((tick + 64 * 17, .noteOff(channel: UInt8(index % 2), note: note)))
    }
    events.sort { $0.tick < $1.tick }
    var rest = events[...]
    while output.left.count < seconds * 48000 {
      while let event = rest.first, start + 25 * event.tick < output.left.count {
        keyboard.send(event.message, at: output.hostTime(ofFrame: start + 25 * event.tick))
        rest.removeFirst()
      }
      output.turn()
    }
    try #require(rest.isEmpty)
  }

  private func saved(_ name: String) throws -> [[Float]] {
    #expect(try recorder.save(path(name)) == nil)
    #expect(recorder.saving?.path == path(name))
    #expect(throws: RecordingError.alreadySaving(path(name))) { _ = try recorder.save(path("other.wav")) }
    var recorded: SessionRecorder.Recorded?
    try #require(
      try eventually {
        recorded = try recorder.takeSaved()
        return recorded != nil
      })
    #expect(recorded?.path == path(name) && recorder.saving == nil)
    let samples = try AudioFileReader(path: path(name)).readAll().channels.map(Array.init)
    #expect(recorded?.duration == Double(samples[0].count) / 48000)
    return samples
  }

  /// How much later than another some samples have their first sound.
  private func shift(_ samples: [Float], against other: [Float]) throws -> Int {
    try #require(samples.firstIndex { abs($0) > 1e-4 }) - #require(other.firstIndex { abs($0) > 1e-4 })
  }

  @Test("a MIDI file sounds as the performance did, sample by sample where its times are ticks")
  func midi() throws {
    try perform(for: 4)
    _ = try #require(try recorder.save(path("a.mid")))
    let again = try Self.synthesizer()
    again.play(Song(try MIDIFile(path: path("a.mid"))))
    let samples = again.samples(96000)[0]
    let shift = try shift(output.left, against: samples)
    #expect(Array(output.left[shift..<(shift + 96000)]) == samples)
  }

  @Test("an audio file has what was heard, to the last of its 24 bits")
  func audio() throws {
    try perform(for: 4)
    let samples = try saved("a.wav")[0]
    let shift = try shift(output.left, against: samples)
    #expect(samples.count > 60_000)
    #expect(zip(samples, output.left[shift...]).allSatisfy { abs($0 - $1) <= 0x1p-24 })
  }

  @Test("an audio file has the sound as it is when it is saved: preset, faders, mutes, effects")
  func present() throws {
    try perform(for: 4)
    let plain = try saved("plain.wav")
    synthesizer.mainMixer.outputGain.value = -6
    let softer = try saved("softer.wav")
    let factor = Float(Decibels(-6).amplitude)
    #expect(zip(plain[0], softer[0]).allSatisfy { abs($0 * factor - $1) < 0x1p-22 })
    synthesizer.mixer.inputs[0].isMuted.value = 1
    synthesizer.mixer.inputs[1].isMuted.value = 1
    #expect(try saved("silent.wav").allSatisfy { $0.allSatisfy { $0 == 0 } })
    synthesizer.mixer.inputs[1].isMuted.value = 0
    var control = SynthesizerControl(synthesizer, session: session)
    _ = try control.perform(.set(path: "/reverb", to: "plate"))
    _ = try control.perform(.preset("pop"))
    let wet = try saved("wet.wav")
    #expect(wet[0].count > plain[0].count && wet[0].contains { $0 != 0 } && wet[0] != plain[0])
  }
}
