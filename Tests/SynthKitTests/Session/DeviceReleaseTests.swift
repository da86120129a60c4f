import Glibc
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@testable import SynthKit

@Suite("A device that is given back while nothing is played", .timeLimit(.minutes(2)))
struct DeviceReleaseTests {
  private let source = VirtualSource("piano")
  private let output = try! DeviceOutput("null")
  private let release = DeviceRelease(after: 0.1)

  private func session() throws -> Session {
    let configuration = SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont]).adapted(to: output)
    return Session(try Synthesizer(configuration), output: output, sources: [source], copies: [release])
  }

  private var isOpen: Bool { output.device.outputs[0].present != nil }

  @Test("is opened again for the next note, which is heard")
  func wakes() throws {
    let session = try session()
    try session.start()
    #expect(isOpen && !release.isReleased)
    #expect(
      try eventually {
        try release.turn(session, output); return release.isReleased
      })
    #expect(!isOpen && !session.isPlaying)
    try release.turn(session, output)
    #expect(release.isReleased)

    _ = session.takePeak()
    source.send(.noteOn(channel: 0, note: 60, velocity7: 100))
    try release.turn(session, output)
    #expect(!release.isReleased && session.isPlaying)
    #expect(eventually { isOpen && session.takePeak() > 0.01 })
    // A device that takes frames at any speed is no loss: what was away on purpose has not moved.
    #expect(output.device.outputs[0].statistics.departures == 0 && output.device.outputs[0].statistics.moves == 0)
    try session.stop()
  }

  @Test("is kept while a key is held, the metronome clicks or something is recorded")
  func kept() throws {
    let session = try session()
    try session.start()
    let keeps = { (isNeeded: Bool) in
      for _ in 0..<40 {
        try release.turn(session, output, isNeeded: isNeeded)
        usleep(10_000)
      }
      return !release.isReleased
    }
    #expect(try keeps(true))
    session.metronome.set(.on)
    #expect(try keeps(false))
    session.metronome.set(.off)
    #expect(try !keeps(false))
    try release.turn(session, output, isNeeded: true)
    #expect(!release.isReleased && session.isPlaying)
    try session.stop()
  }
}
