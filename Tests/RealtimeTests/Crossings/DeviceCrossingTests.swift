import ALSA
import Glibc
import MIDI
import Synchronization
import TestSupport
import Testing

@testable import SynthKit

/// The devices' own threads beside those that ask and play. The devices are alsa-lib's own, which take frames as fast as
/// they come; the checks of the other crossings apply.
@Suite("What crosses to and from a device's thread")
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
    let requests = [2, 3, 1].map { PCMRequest(device: "null", channels: $0, rate: 48000, period: 64 * $0) }
    let player = try SongPlayer(requests, configuration)
    for round in 0..<6 {
      try player.start(song)
      var looks = 0
      while player.isPlaying, looks < 50 {
        looks += 1
        player.synthesizer.mixer.inputs[0].gain.value = round.isMultiple(of: 2) ? -6 : 0
        #expect(player.takePeak() >= 0 && player.position >= 0)
        for output in player.device.outputs { #expect(output.statistics.xruns == 0 && output.present != nil) }
        #expect(player.device.drifts.count == 2)
        usleep(200)
      }
      if round.isMultiple(of: 2) { player.stop() }
      player.wait()
      #expect(!player.isPlaying)
      // The frames that were under way are counted by now.
      #expect(player.device.outputs.allSatisfy { $0.statistics.framesWritten > 0 })
    }
  }

  @Test("a keyboard plays, leaves and loses events while a device asks for audio")
  func live() throws {
    let device = try PCMAggregate([PCMRequest(device: "null", rate: 48000, period: 64)])
    let synthesizer = try Synthesizer(configuration)
    let source = PlayerSource(synthesizer.engine)
    let keyboard = SequencerPort(
      address: SequencerAddress(client: 24, port: 0), clientName: "Keys", portName: "Keys", capabilities: 0)
    try device.start(PlayerSource.callback, context: source.context)
    let thread = RunningThread {
      var input = LiveInput(synthesizer.instruments.events) { source.sampleTime(at: $0) ?? 0 }
      for round in 0..<300 {
        for byte in [UInt8(0x90), 0x80] {
          let bytes = [byte, 40 + UInt8(round % 40), 100, 0xB0, 64, 127]
          bytes.withUnsafeBufferPointer {
            input.receive(.bytes($0, from: keyboard.address, hostTime: HostClock.now))
          }
          usleep(50)
        }
        input.receive(round.isMultiple(of: 10) ? .departed(keyboard) : .fellSilent(keyboard.address))
      }
      input.receive(.eventsLost)
    }
    var peak: Float = 0
    while peak == 0 {
      peak = source.takePeak()
      usleep(1000)
    }
    thread.join()
    device.stop(.drop)
    device.wait()
  }
}
