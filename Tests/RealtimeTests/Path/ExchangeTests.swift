import AudioGraph
import Instruments
import MIDI
import Realtime
import RealtimeProbes
import TestSupport
import Testing

@Suite("An exchange of instruments while they play neither allocates nor locks on the audio thread")
struct ExchangeTests {
  /// Whatever a channel can be told; each differs from what it is at first.
  private static let told: [MIDIMessage] = (0..<16).flatMap { channel in
    let plain = (1..<98).filter { ![6, 32, 38].contains($0) }.map {
      MIDIMessage.controlChange(channel: channel, Controller(rawValue: $0), value7: 33)
    }
    let keys = (0..<128).map { MIDIMessage.polyPressure(channel: channel, note: $0, value7: 5) }
    let generators = (0..<UInt16(60)).map {
      MIDIMessage.assignableController(channel: channel, parameter: 120 << 7 | $0, value32: 0x9000_0000)
    }
    return plain + keys + generators + [
      .pitchBend(channel: channel, bend14: 9000), .channelPressure(channel: channel, value7: 20),
      .registeredController(channel: channel, parameter: 0, value32: 100 << 25),
      .registeredController(channel: channel, parameter: 2, value32: 70 << 25),
      .programChange(channel: channel, program: channel * 7),
    ]
  }

  @Test("with every controller, key pressure and generator to be taken over, under notes that ring")
  func takeOver() throws {
    let path = try WholePath()
    let configuration = path.sampler.configuration
    path.play(systemExclusive: [0x43, 0x10, 0x4C, 0, 0, 0x7E, 0])
    for start in stride(from: 0, to: Self.told.count, by: 1000) {
      for message in Self.told[start..<min(start + 1000, Self.told.count)] {
        _ = path.sampler.events.send(MIDIEvent(time: 0, message: message))
      }
      path.watched.render(64)
    }
    path.play(.noteOn(channel: 1, note: 60, velocity7: 100), .controlChange(channel: 2, .monoOn, value7: 1))
    for _ in 1...3 {
      try path.sampler.exchange(configuration)
      path.watched.render(64)
      path.play(.noteOn(channel: 1, note: 62, velocity7: 100), .noteOff(channel: 1, note: 60, velocity7: 0))
      path.watched.render(1024)
    }
    path.play(.controlChange(channel: 1, .allSoundOff, value7: 0))
    path.watched.render(4096)
    #expect(path.watched.violations.isEmpty, "\(path.watched.violations)")
    #expect(path.sampler.collect())
  }
}
