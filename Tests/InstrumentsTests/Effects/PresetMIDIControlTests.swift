import AudioGraph
import SynthDSP
import SynthMIDI
import TestSupport
import Testing

@testable import SynthInstruments

@Suite("A choice made by MIDI")
struct PresetMIDIControlTests {
  private let choice = Parameter("choice", values: ["none", "one", "two", "three"])
  private let player: PlayedRack

  init() throws {
    let control = PresetMIDIControl(
      choice, by: PresetMessages(programChannel: 15, controller: 20, controllerChannel: nil))
    player = try PlayedRack([InstrumentAssignment(.patch(.bare()))], effects: Self.effects(control))
  }

  private static func effects(_ choice: PresetMIDIControl) -> EffectControls {
    let inputs = MixerNode(inputBusCount: 16, sends: ["reverb": 0, "chorus": 0, "delay": 0]).inputs
    return EffectControls(
      reverbSends: inputs.map { $0.sends[0] }, chorusSends: inputs.map { $0.sends[1] },
      delaySends: inputs.map { $0.sends[2] }, reverb: ReverbNode(), chorus: ChorusNode(), delay: TapDelayNode(),
      presetControl: choice)
  }

  private func choice(after message: MIDIMessage) -> Float {
    player.play(message)
    _ = player.render(64)
    return choice.value
  }

  @Test("program n of the channel given over chooses the n-th, others' programs nothing, nor one there is not")
  func programs() {
    #expect(choice(after: .programChange(channel: 15, program: 1)) == 2)
    #expect(choice(after: .programChange(channel: 0, program: 0)) == 2)
    #expect(choice(after: .programChange(channel: 15, program: 3)) == 2)
    #expect(choice(after: .programChange(channel: 15, program: 127)) == 2)
    #expect(choice(after: .programChange(channel: 15, program: 0)) == 1)
  }

  @Test("a controller's values are spread evenly over all choices, and reach both ends")
  func controller() {
    let values = (0...127).map { choice(after: .controlChange(channel: 4, Controller(rawValue: 20), value7: $0)) }
    #expect(values == values.sorted() && values.first == 1 && values.last == 3)
    for number in 1...3 { #expect((42...43).contains(values.count { $0 == Float(number) })) }
  }

  @Test("the channel given over does not sound, and its controllers are nobody's")
  func silence() {
    player.play(.noteOn(channel: 15, note: 60, velocity7: 100), .noteOn(channel: 15, note: 64, velocity7: 100))
    #expect(player.render(4800).allSatisfy { $0 == 0 })
    player.play(.noteOn(channel: 14, note: 60, velocity7: 100))
    #expect(player.render(4800).contains { $0 != 0 })
  }

  @Test("a controller given over on one channel plays on the others")
  func oneChannel() throws {
    let choice = Parameter("choice", values: ["none", "one"])
    let control = PresetMIDIControl(choice, by: PresetMessages(controller: 7, controllerChannel: 2))
    let player = try PlayedRack([InstrumentAssignment(.patch(.bare()))], effects: Self.effects(control))
    player.play(.controlChange(channel: 2, .volume, value7: 0), .noteOn(channel: 2, note: 60, velocity7: 100))
    #expect(player.render(4800).contains { $0 != 0 })
    #expect(choice.value == 1)
    player.play(.noteOff(channel: 2, note: 60), .controlChange(channel: 2, .allSoundOff, value7: 0))
    _ = player.render(48000)
    player.play(.controlChange(channel: 3, .volume, value7: 0), .noteOn(channel: 3, note: 60, velocity7: 100))
    #expect(player.render(4800).allSatisfy { $0 == 0 })
  }

  @Test("a reset by System Exclusive leaves it, a new song takes it back")
  func resets() throws {
    #expect(choice(after: .programChange(channel: 15, program: 1)) == 2)
    [0x7E, 0x7F, 0x09, 0x01].withUnsafeBufferPointer { _ = player.rack.events.send(systemExclusive: $0, time: 0) }
    _ = player.render(64)
    #expect(choice.value == 2)
    let song = Song(try MIDIFile(bytes: smf(format: 0, tracks: [end(after: 960)])))
    player.rack.events.play(Timeline(song, sampleRate: 48000))
    _ = player.render(64)
    #expect(choice.value == 0)
  }
}
