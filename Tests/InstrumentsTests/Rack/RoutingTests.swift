import SynthMIDI
import TestSupport
import Testing

@testable import SynthInstruments

@Suite("A rack plays each note on the instruments of its channel and key")
struct RoutingTests {
  private static let low = Patch.bare()
  private static let high = Patch.bare(.saw)

  @Test("a channel that is named plays what is named for it, the others what is for all")
  func channels() {
    let routing = RackRouting([
      InstrumentAssignment(.patch(Self.low)), InstrumentAssignment(.patch(Self.high), channel: 2),
      InstrumentAssignment(.sampler, channel: 9),
    ])
    #expect(routing.parts(of: Patch.self).map(\.channels) == [0b1111_1101_1111_1011, 0b100])
    #expect(routing.parts(of: SamplerInstrument.self).map(\.channels) == [1 << 9])
    #expect(routing.parts(of: SamplerInstrument.self).map(\.keys) == [0...127])
  }

  @Test("channels without an assignment have the sampler")
  func rest() {
    let assignments = [InstrumentAssignment(.patch(Self.low), channel: 2)]
    #expect(RackRouting(assignments).parts(of: SamplerInstrument.self).map(\.channels) == [0xFFFB])
    #expect(RackRouting(assignments).parts(of: SamplerInstrument.self).map(\.keys) == [0...127])
    #expect(InstrumentAssignment.needSampler(assignments))
    #expect(!InstrumentAssignment.needSampler([InstrumentAssignment(.patch(Self.low))]))
  }

  @Test("an engine plays the keys of its places, and no others")
  func places() {
    let places = InstrumentPlaces([
      InstrumentPlace(channels: 0b1, highKey: 59), InstrumentPlace(channels: 0b11, lowKey: 64, highKey: 65),
    ])
    #expect((0...127).filter { places.contain($0, 0) } == Array(0...59) + [64, 65])
    #expect((0...127).filter { places.contain($0, 1) } == [64, 65])
    #expect(places.channels == 0b11)
    places.free()
  }

  @Test("keys split a channel, and layers sound together")
  func keys() {
    let routing = RackRouting([
      InstrumentAssignment(.patch(Self.low), channel: 0, keys: 0...59),
      InstrumentAssignment(.patch(Self.high), channel: 0, keys: 60...127),
      InstrumentAssignment(.sampler, channel: 0, keys: 64...65),
    ])
    let allocator = Self.allocator(routing)
    for key in [UInt8(59), 60] { allocator.play(.noteOn(channel: 0, note: key, velocity7: 100)) }
    #expect((0..<allocator.slotCount).map { allocator.slots[$0] }.filter(\.isOn).map(\.part) == [0, 1])
    let samplerParts = routing.parts(of: SamplerInstrument.self)
    #expect(samplerParts.filter { $0.channels & 1 != 0 }.map(\.keys) == [64...65])
    let layered = Self.allocator(
      RackRouting([
        InstrumentAssignment(.patch(Self.low), channel: 0), InstrumentAssignment(.patch(Self.high), channel: 0),
      ]))
    layered.play(.noteOn(channel: 0, note: 60, velocity7: 100))
    #expect(layered.voiceCount == 2)
  }

  private static func allocator(_ routing: RackRouting) -> PlayedAllocator {
    let parts = routing.parts(of: Patch.self)
    return PlayedAllocator(
      polyphony: 8, parts: parts.enumerated().map { VoicePart($1.instrument, index: $0) }, places: parts.map(\.place))
  }

  @Test("the sampler sounds beside voices as it does alone, to the last bit")
  func sampler() throws {
    let rack = try PlayedRack(
      [InstrumentAssignment(.patch(Self.low), channel: 1)], soundFonts: [TestFiles.soundFont])
    let alone = try PlayedRack([], soundFonts: [TestFiles.soundFont])
    for player in [rack, alone] { player.play(.noteOn(channel: 0, note: 60, velocity7: 100)) }
    // To the voices' channel, whose volume then is 0.
    rack.play(.controlChange(channel: 1, .volume, value7: 0), .noteOn(channel: 1, note: 64, velocity7: 100))
    alone.play(.noteOff(channel: 1, note: 64, velocity7: 0))
    let samples = rack.render(9600)
    #expect(samples == alone.render(9600))
    #expect(samples.contains { $0 != 0 })
    #expect(rack.rack.activeVoiceCount == alone.rack.activeVoiceCount + 1)
  }

  @Test("a sound is the same for every slice size")
  func slices() throws {
    let (whole, sliced) = (try PlayedRack(Self.high), try PlayedRack(Self.high))
    for player in [whole, sliced] {
      player.play(.noteOn(channel: 0, note: 60, velocity7: 100), after: 100)
      player.play(.noteOff(channel: 0, note: 60, velocity7: 0), after: 1500)
    }
    let expected = whole.render(2600)
    #expect(expected == (0..<200).flatMap { _ in sliced.render(13) })
  }
}
