import AudioGraph
import Glibc
import Synchronization
import SynthALSA
import SynthMIDI
import SynthRealtime
import TestSupport
import Testing

@testable import SynthKit

/// The devices' own threads beside those that ask and play. The devices are alsa-lib's own, which take frames as fast
/// as they come; the checks of the other crossings apply.
@Suite("What crosses to and from a device's thread", .timeLimit(.minutes(5)))
struct DeviceCrossingTests {
  private let song: Song
  private let configuration: SynthesizerConfiguration

  init() throws {
    let keys: [UInt8] = (0..<200).map { 40 + $0 % 40 }
    let notes: [UInt8] = keys.flatMap { [0, 0x90, $0, 100, 24, 0x80, $0, 0] }
    song = Song(try MIDIFile(bytes: smf(format: 0, tracks: [notes + end()])))
    configuration = SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont])
  }

  @Test("several devices play songs while somebody looks at them and turns knobs, are stopped, and play again")
  func aggregate() throws {
    let requests = [2, 3, 1].map { PCMRequest(device: "null", channelCount: $0, sampleRate: 48000, period: 64 * $0) }
    let output = try DeviceOutput(requests)
    let session = Session(try Synthesizer(configuration.adapted(to: output)), output: output)
    for round in 0..<6 {
      try session.play(song)
      var looks = 0
      while session.isPlaying, looks < 50 {
        looks += 1
        session.synthesizer.mixer.inputs[0].gain.value = round.isMultiple(of: 2) ? -6 : 0
        // The limiter's ceiling, and a song of five seconds with its tail.
        #expect((0...1).contains(session.takePeak()) && (0...20).contains(session.position))
        for device in output.device.outputs { #expect(device.statistics.xruns == 0 && device.present != nil) }
        #expect(output.device.drifts.count == 2)
        usleep(200)
      }
      if round.isMultiple(of: 2) { try session.stop() }
      session.wait()
      #expect(!session.isPlaying)
      // The frames that were under way are counted by now.
      #expect(output.device.outputs.allSatisfy { $0.statistics.framesWritten > 0 })
    }
  }

  @Test("a song goes to and fro between two devices")
  func moves() throws {
    let output = try DeviceOutput([PCMRequest(device: "null", channelCount: 2, sampleRate: 48000, period: 64)])
    let session = Session(try Synthesizer(configuration.adapted(to: output)), output: output)
    try session.play(song, loop: SongLoop(0, 2), then: .playOn)
    for move in 1...8 {
      try output.move(to: move.isMultiple(of: 2) ? "null" : "file:'/dev/null',raw")
      #expect(eventually { output.device.outputs[0].statistics.moves == move })
      #expect((0...1).contains(session.takePeak()))
    }
    try session.stop()
    #expect(output.device.outputs[0].statistics.departures == 0)
  }

  @Test("keyboards play, leave and lose events while a device asks for audio and a song plays")
  func live() throws {
    let output = try DeviceOutput([PCMRequest(device: "null", sampleRate: 48000, period: 64)])
    let keyboards = (0..<2).map { VirtualSource("keyboard \($0)") }
    let session = Session(
      try Synthesizer(configuration.adapted(to: output)), output: output, sources: keyboards)
    try session.start()
    let threads = keyboards.map { keyboard in
      RunningThread {
        for round in 0..<300 {
          let key = 40 + UInt8(round % 40)
          for message in [MIDIMessage.noteOn(channel: 0, note: key, velocity7: 100), .noteOff(channel: 0, note: key)] {
            keyboard.send(message, at: HostClock.now)
            keyboard.send(.controlChange(channel: 0, .sustain, value7: 127))
            usleep(50)
          }
          keyboard.deliver(round.isMultiple(of: 10) ? .departed(keyboard.port) : .fellSilent(keyboard.port))
        }
        keyboard.deliver(.eventsLost)
      }
    }
    try session.play(song, then: .playOn)
    #expect(eventually { session.takePeak() > 0 })
    for thread in threads { thread.join() }
    try session.fadeOut()
  }
}
