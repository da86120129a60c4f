import SynthMIDI
import TestSupport
import Testing

@testable import SynthInstruments

@Suite("The native engine's fonts")
struct NativeFontTests {
  private static func font(_ presets: [(bank: Int, program: Int, name: String)]) -> SoundFontBytes {
    var font = SoundFontBytes(samples: [.sine(period: 100)])
    font.instruments = [[.init([.sampleModes: 1], playing: 0)]]
    font.presets = presets.map {
      .init([.init(playing: 0)], bank: $0.bank, program: $0.program, named: $0.name)
    }
    return font
  }

  private func name(_ rack: PlayedRack, _ messages: MIDIMessage...) -> String? {
    for message in messages { rack.play(message) }
    _ = rack.render(64)
    return rack.rack.preset(ofChannel: 0)?.name
  }

  @Test("are looked for presets from the last to the first, and others stand for what none has")
  func stack() throws {
    let lower = Self.font([(0, 0, "piano"), (0, 5, "lower"), (8, 5, "bank"), (128, 0, "drums")])
    let upper = Self.font([(0, 5, "upper"), (0, 7, "more")])
    try lower.withFile { first in
      try upper.withFile { second in
        let rack = try PlayedRack([], soundFonts: [first, second], engine: .native)
        #expect(rack.rack.preset(ofChannel: 9)?.name == "drums")
        #expect(name(rack) == "piano")
        #expect(name(rack, .programChange(channel: 0, program: 5)) == "upper")
        #expect(name(rack, .programChange(channel: 0, program: 7)) == "more")
        let bank = MIDIMessage.controlChange(channel: 0, .bankSelect, value7: 8)
        #expect(name(rack, bank, .programChange(channel: 0, program: 5)) == "bank")
        // Not in the bank: bank 0 has it; in neither: the first of bank 0.
        #expect(name(rack, .programChange(channel: 0, program: 7)) == "more")
        #expect(name(rack, .programChange(channel: 0, program: 90)) == "piano")
      }
    }
  }

  @Test("that cannot be read are refused with the path and what is wrong")
  func refusal() throws {
    let error = try #require(throws: InstrumentError.self) {
      try PlayedRack([], soundFonts: ["/nowhere.sf2"], engine: .native)
    }
    #expect(error == .soundFontUnreadable(path: "/nowhere.sf2", reason: "no such file or directory"))
    var broken = Self.font([(0, 0, "piano")])
    broken.alterations["phdr"] = { _ in [] }
    try broken.withFile { path in
      let error = try #require(throws: InstrumentError.self) {
        try PlayedRack([], soundFonts: [path], engine: .native)
      }
      guard case .notASoundFont(path, _) = error else { Issue.record("\(error)"); return }
    }
  }
}
