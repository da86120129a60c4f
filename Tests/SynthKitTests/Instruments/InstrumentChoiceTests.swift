import AudioGraph
import SynthInstruments
import TestSupport
import Testing

@testable import SynthKit

@Suite("Instruments are chosen by name")
struct InstrumentChoiceTests {
  @Test("for all channels, for one, for some keys, in layers")
  func forms() throws {
    let pad = try InstrumentChoice(parsing: "pad")
    #expect((pad.channel, pad.keys) == (nil, 0...127) && pad.names == ["pad"])
    let third = try InstrumentChoice(parsing: "3=pad")
    #expect(third.channel == 2 && third.keys == 0...127 && third.names == ["pad"])
    let split = try InstrumentChoice(parsing: "16:0-59=bass")
    #expect(split.channel == 15 && split.keys == 0...59)
    let key = try InstrumentChoice(parsing: ":60=bell")
    #expect(key.channel == nil && key.keys == 60...60)
    #expect(try InstrumentChoice(parsing: "1=pad+strings+./a.json").names == ["pad", "strings", "./a.json"])
  }

  @Test(
    "and what means nothing is refused for what is wrong with it",
    arguments: [
      ("", .noName("")), ("1=", .noName("1=")), ("1=pad+", .noName("1=pad+")), ("+pad", .noName("+pad")),
      ("=pad", .channel("=pad")), ("0=pad", .channel("0=pad")), ("65=pad", .channel("65=pad")),
      ("x=pad", .channel("x=pad")), ("999999999999=pad", .channel("999999999999=pad")), ("1:=pad", .keys("1:=pad")),
      ("1:60-59=pad", .keys("1:60-59=pad")), ("1:0-128=pad", .keys("1:0-128=pad")),
      ("1:0-1-2=pad", .keys("1:0-1-2=pad")), ("1:-5=pad", .keys("1:-5=pad")),
    ] as [(String, InstrumentChoiceError)])
  func refusals(text: String, error: InstrumentChoiceError) {
    #expect(throws: error) { try InstrumentChoice(parsing: text) }
  }

  @Test("from those that come with the program, each of which can be read")
  func library() throws {
    let library = InstrumentLibrary.standard()
    let (patches, faults) = library.patches()
    #expect(faults == [])
    #expect(patches.count >= 12)
    let assignments = try InstrumentChoice(parsing: "2=pad+sampler").assignments(from: library)
    #expect(
      assignments == [
        InstrumentAssignment(.patch(try library.patch("pad")), channel: 1), InstrumentAssignment(.sampler, channel: 1),
      ])
    let error = #expect(throws: ResourceError.self) { try library.patch("brasss") }
    #expect(
      error.map { "\($0)" }
        == "choosing instrument \"brasss\": unknown instrument; did you mean \"brass\"? "
        + "list the instruments")
  }

  @Test("a rack of the registry refuses what means nothing as that")
  func malformed() throws {
    let rack = try ComponentRegistry.standard().component(named: "instruments")
    #expect(throws: InstrumentChoiceError.channel("65=pad")) { try rack.make(["instruments": ["65=pad"]]) }
    #expect(throws: ResourceError.self) { try rack.make(["instruments": ["3=no-such-name"]]) }
  }

  @Test("a sampler of the registry is a rack that plays soundfonts on all channels")
  func sampler() throws {
    let component = try ComponentRegistry.standard().component(named: "sampler")
    let node = try component.make(["sound fonts": [.text(try TestFiles.soundFont)], "polyphony": 32, "gain": 0.5])
    let rack = try #require(node as? RackNode)
    #expect(rack.name == "sampler")
    #expect(rack.configuration.sampler.polyphony == 32 && rack.configuration.sampler.linearGain == 0.5)
    #expect((0..<16).allSatisfy { rack.preset(ofChannel: $0) != nil })
    #expect(throws: ComponentError.self) { try component.make() }
  }
}
