import AudioGraph
import SynthInstruments
import SynthMIDI
import SynthRealtime
import TestSupport
import Testing

@Suite("Instruments exchanged or loaded in part while they play neither allocate, lock nor read on the audio thread")
struct ExchangeTests {
  /// Whatever a channel can be told; each differs from what it is at first.
  private static func everything(_ channel: UInt8) -> [MIDIMessage] {
    var messages: [MIDIMessage] = []
    for number in UInt8(1)..<98 where ![6, 32, 38].contains(number) {
      messages.append(.controlChange(channel: channel, Controller(rawValue: number), value7: 33))
    }
    for note in UInt8(0)..<128 { messages.append(.polyPressure(channel: channel, note: note, value7: 5)) }
    for generator in UInt16(0)..<60 {
      messages.append(.assignableController(channel: channel, parameter: 120 << 7 | generator, value32: 0x9000_0000))
    }
    messages.append(.pitchBend(channel: channel, bend14: 9000))
    messages.append(.channelPressure(channel: channel, value7: 20))
    messages.append(.registeredController(channel: channel, parameter: 0, value32: 100 << 25))
    messages.append(.programChange(channel: channel, program: channel * 7))
    return messages
  }

  private static let xg: [UInt8] = [0x43, 0x10, 0x4C, 0, 0, 0x7E, 0]

  @Test(
    "with every controller, key pressure and generator to be taken over, under notes that ring",
    arguments: SamplerEngine.allCases)
  func takeOver(_ engine: SamplerEngine) throws {
    let path = try WholePath(engine)
    path.play(systemExclusive: Self.xg)
    for channel in UInt8(0)..<16 {
      for message in Self.everything(channel) { _ = path.sampler.events.send(MIDIEvent(time: 0, message: message)) }
      path.watched.render(64)
    }
    path.play(.noteOn(channel: 1, note: 60, velocity7: 100), .controlChange(channel: 0, .monoOn, value7: 1))
    for _ in 1...3 {
      try path.sampler.exchange(path.sampler.configuration)
      path.watched.render(64)
      path.play(.noteOn(channel: 1, note: 62, velocity7: 100), .noteOff(channel: 1, note: 60, velocity7: 0))
      path.watched.render(1024)
    }
    path.play(.controlChange(channel: 1, .allSoundOff, value7: 0))
    path.watched.render(4096)
    #expect(path.watched.violations.isEmpty, "\(path.watched.violations)")
    #expect(path.sampler.collect())
  }

  @Test(
    "with programs that are there and programs that are not, on notes and behind resets",
    arguments: SamplerEngine.allCases)
  func programs(_ engine: SamplerEngine) throws {
    let song = Song(try MIDIFile(path: TestFiles.song))
    let path = try WholePath(engine, preload: .used([song]))
    path.sampler.events.play(Timeline(song, sampleRate: 48000))
    path.watched.render(96000)
    #expect(path.watched.peak() > 0)
    for message in [Self.xg, [0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41], [0x7E, 0x7F, 9, 1]] as [[UInt8]] {
      path.play(systemExclusive: message)
      for program in UInt8(0)..<128 {
        path.play(
          .programChange(channel: program % 16, program: program, bank: UInt16(program % 3) << 7),
          .noteOn(channel: program % 16, note: 60, velocity7: 80))
      }
      path.play(systemExclusive: [0x41, 0x10, 0x42, 0x12, 0x40, 0x13, 0x15, 2, 0x16])
    }
    try path.sampler.loadAskedPresets()
    path.watched.render(1024)
    #expect(path.watched.violations.isEmpty, "\(path.watched.violations)")
  }
}
