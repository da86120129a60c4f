import AudioGraph
import SynthInstruments
import SynthMIDI
import SynthRealtime

/// An exchange of instruments while they play: how long loading holds the calling thread, and what the quantum costs in
/// which the new ones take over what channels were told.
enum ExchangeTable {
  private static let rounds = 101
  private static let widths = [38, 13, 13, 13]

  static func measure() throws {
    print(row(["an exchange, 16 channels told", "load, ms", "quantum, µs", "longest, µs"], widths: widths))
    print(try line("nothing", []))
    print(try line("a program and ten controllers each", (0..<16).flatMap(few)))
    print(try line("all there is", (0..<16).flatMap(everything)))
  }

  private static func line(_ name: String, _ messages: [MIDIMessage]) throws -> String {
    var configuration = SamplerConfiguration(soundFonts: [try SoundFont.small()])
    configuration.engine = .fluidSynth
    let rack = try RackNode(configuration, sampleRate: Work.sampleRate)
    let engine = AudioEngine(sampleRate: Work.sampleRate)
    let output = try OutputNode(channelCount: 2)
    try engine.edit { graph in
      try graph.attach(rack)
      try graph.attach(output)
      try graph.connect(rack, to: output)
    }
    var buffer = AudioBuffer(format: .stereo(Work.sampleRate), frameCount: renderQuantum)
    for (index, message) in messages.enumerated() {
      _ = rack.events.send(MIDIEvent(time: 0, message: message))
      if index % 1000 == 999 { try engine.render(into: &buffer) }
    }
    var (loads, quanta) = ([Double](), [Double]())
    for _ in 0..<rounds {
      try engine.render(into: &buffer)
      let start = ThreadClock.now
      try rack.exchange(rack.configuration)
      let loaded = ThreadClock.now
      try engine.render(into: &buffer)
      quanta.append((ThreadClock.now - loaded) / 1000)
      loads.append((loaded - start) / 1e6)
    }
    let cells = [Distribution(loads).median, Distribution(quanta).median, quanta.max() ?? 0].map { fixed($0, 1) }
    return row([name] + cells, widths: widths)
  }

  private static func few(_ channel: UInt8) -> [MIDIMessage] {
    let numbers: [UInt8] = [1, 7, 10, 11, 64, 71, 72, 74, 91, 93]
    return numbers.map { .controlChange(channel: channel, Controller(rawValue: $0), value7: 33) }
      + [.programChange(channel: channel, program: channel * 7)]
  }

  /// Every controller, the pressure of every key, every generator of the SoundFont model.
  private static func everything(_ channel: UInt8) -> [MIDIMessage] {
    var messages: [MIDIMessage] = []
    for number in UInt8(1)..<98 where ![6, 32, 38].contains(number) {
      messages.append(.controlChange(channel: channel, Controller(rawValue: number), value7: 33))
    }
    for note in UInt8(0)..<128 { messages.append(.polyPressure(channel: channel, note: note, value7: 5)) }
    for generator in UInt16(0)..<60 {
      messages.append(.assignableController(channel: channel, parameter: 120 << 7 | generator, value32: 0x9000_0000))
    }
    return messages
  }
}
