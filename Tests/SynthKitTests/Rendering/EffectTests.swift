import AudioGraph
import SynthDSP
import SynthInstruments
import SynthKit
import SynthMIDI
import TestSupport
import Testing

@Suite("Reverb and chorus under MIDI")
struct EffectTests {
  private let synthesizer: Synthesizer

  init() throws {
    synthesizer = try Synthesizer(
      SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont], reverb: .largeHall, chorus: .chorus3))
  }

  private func play(_ message: MIDIMessage) {
    _ = synthesizer.instruments.events.send(MIDIEvent(time: 0, message: message))
    _ = synthesizer.samples(64)
  }

  private func play(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBufferPointer { synthesizer.instruments.events.send(systemExclusive: $0, time: 0) }
    _ = synthesizer.samples(64)
  }

  private var type: ReverbType {
    ReverbType.allCases[Int(synthesizer.effects.reverb.type.value)]
  }

  @Test(
    "each channel sends 40 of 127 to the reverb and nothing to the chorus, until controllers 91 and 93 say otherwise")
  func sends() throws {
    let effects = synthesizer.effects
    #expect(effects.reverbSends.allSatisfy { $0.value == 40.0 / 127 })
    #expect(effects.chorusSends.allSatisfy { $0.value == 0 })
    play(.controlChange(channel: 3, .reverbSend, value7: 127))
    play(.controlChange(channel: 5, .chorusSend, value7: 127))
    #expect(effects.reverbSends[3].value == 1 && effects.reverbSends[4].value == 40.0 / 127)
    #expect(effects.chorusSends[5].value == 1 && effects.chorusSends[4].value == 0)
  }

  @Test(
    "every reset takes all back",
    arguments: [
      [0x7E, 0x7F, 0x09, 0x01], [0x7E, 0x7F, 0x09, 0x03], [0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41],
      [0x43, 0x10, 0x4C, 0x00, 0x00, 0x7E, 0x00],
    ] as [[UInt8]])
  func reset(_ bytes: [UInt8]) throws {
    let effects = synthesizer.effects
    play(.controlChange(channel: 3, .reverbSend, value7: 0))
    play([0x41, 0x10, 0x42, 0x12, 0x40, 0x01, 0x30, 0x00, 0x0F])
    #expect(type == .smallRoom && effects.reverbSends[3].value == 0)
    play(bytes)
    #expect(type == .largeHall && effects.reverbSends[3].value == 40.0 / 127)
    #expect(abs(effects.reverb.time.value - ReverbType.largeHall.standardTime) < 1e-6)
  }

  @Test("General MIDI 2, GS and XG choose rooms and their times")
  func rooms() throws {
    let effects = synthesizer.effects
    play([0x7F, 0x7F, 0x04, 0x05, 0x01, 0x01, 0x01, 0x01, 0x01, 0x00, 0x08])
    #expect(type == .plate && abs(effects.reverb.time.value - 1.284) < 1e-3)
    play([0x7F, 0x7F, 0x04, 0x05, 0x01, 0x01, 0x01, 0x01, 0x01, 0x00, 0x03, 0x01, 40])
    #expect(type == .mediumHall && abs(effects.reverb.time.value - 1) < 1e-5)
    play([0x41, 0x10, 0x42, 0x12, 0x40, 0x01, 0x30, 0x02, 0x0D])
    #expect(type == .largeRoom)
    play([0x41, 0x10, 0x42, 0x12, 0x40, 0x01, 0x34, 40, 0x63])
    #expect(type == .largeRoom && abs(effects.reverb.time.value - 1) < 1e-5)
    play([0x43, 0x10, 0x4C, 0x02, 0x01, 0x00, 0x01, 0x01])
    #expect(type == .largeHall)
  }

  @Test("General MIDI 2, GS and XG choose choruses")
  func choruses() throws {
    let chorus = synthesizer.effects.chorus
    func isSet(_ type: ChorusType) -> Bool {
      let setting = type.setting
      return chorus.rate.value == setting.rate && chorus.feedback.value == setting.feedback
        && abs(chorus.depth.value - setting.depth / 1000) < 1e-7
    }
    #expect(isSet(.chorus3))
    play([0x7F, 0x7F, 0x04, 0x05, 0x01, 0x01, 0x01, 0x01, 0x02, 0x00, 0x05])
    #expect(isSet(.flanger))
    play([0x41, 0x10, 0x42, 0x12, 0x40, 0x01, 0x38, 0x01, 0x06])
    #expect(isSet(.chorus2))
    play([0x43, 0x10, 0x4C, 0x02, 0x01, 0x20, 0x43, 0x00])
    #expect(isSet(.flanger))
    play([0x7F, 0x7F, 0x04, 0x05, 0x01, 0x01, 0x01, 0x01, 0x02, 0x01, 10, 0x02, 31])
    #expect(abs(chorus.rate.value - 1.22) < 1e-5 && abs(chorus.depth.value - 0.01) < 1e-7)
  }

  @Test("fragments and unknown settings change nothing and harm nothing")
  func fragments() throws {
    let whole: [[UInt8]] = [
      [0x7F, 0x7F, 0x04, 0x05, 0x01, 0x01, 0x01, 0x01, 0x01, 0x00, 0x08], [0x41, 0x10, 0x42, 0x12, 0x40, 0x01, 0x30],
      [0x43, 0x10, 0x4C, 0x02, 0x01, 0x00, 0x01],
    ]
    for message in whole { for count in 1..<message.count { play(Array(message[..<count])) } }
    play([0x41, 0x10, 0x42, 0x12, 0x40, 0x01, 0x30, 0x7F, 0x10])
    #expect(type == .largeHall)
  }

  @Test("a channel that sends to the reverb is heard after its note, and one that does not is as without reverb")
  func heard() throws {
    let wet = try song([0, 0xB0, 91, 127], strike(76, ticks: 96))
    let dry = try song([0, 0xB0, 91, 0], strike(76, ticks: 96))
    let plain = try Synthesizer(
      SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont], reverb: nil, chorus: nil))
    synthesizer.play(dry)
    plain.play(dry)
    let isSame = synthesizer.samples(9600) == plain.samples(9600)
    #expect(isSame)
    func energy(_ synthesizer: Synthesizer) -> Float {
      synthesizer.play(wet)
      _ = synthesizer.samples(48000)
      return synthesizer.samples(9600)[0].reduce(0) { $0 + $1 * $1 }
    }
    #expect(energy(synthesizer) > 2 * energy(plain))
  }

  @Test("a song that takes the place of another is heard with what rings of that one")
  func ringing() throws {
    let wet = try song([0, 0xB0, 91, 127], strike(76, ticks: 96), end(after: 4800))
    let empty = try song(end(after: 4800))
    synthesizer.play(empty)
    #expect(synthesizer.samples(4800)[0].allSatisfy { $0 == 0 })
    synthesizer.play(wet)
    _ = synthesizer.samples(4800)
    synthesizer.play(empty)
    let rest = synthesizer.samples(24_000)[0]
    func energy(_ samples: ArraySlice<Float>) -> Float { samples.reduce(0) { $0 + $1 * $1 } }
    #expect(energy(rest.suffix(4800)) > 0 && energy(rest.suffix(4800)) < energy(rest.prefix(4800)) / 4)
  }
}
