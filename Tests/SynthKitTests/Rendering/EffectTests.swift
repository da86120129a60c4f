import AudioGraph
import SynthDSP
import SynthInstruments
import SynthKit
import SynthMIDI
import TestSupport
import Testing

@Suite("Reverb, chorus and delay under MIDI")
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

  @Test("GS and XG set what comes before effects, and where they return")
  func onsets() throws {
    let (reverb, chorus, delay) = (synthesizer.effects.reverb, synthesizer.effects.chorus, synthesizer.effects.delay)
    let pans = synthesizer.effects.returnPans
    play(gs(0x40, 0x01, 0x37, 50))
    for (address, highCut) in zip([0x32, 0x39, 0x51] as [UInt8], [reverb.highCut, chorus.highCut, delay.highCut]) {
      play(gs(0x40, 0x01, address, 7))
      #expect(highCut.value == 200)
      play(gs(0x40, 0x01, address, 0))
      #expect(highCut.value == 20_000)
    }
    #expect(reverb.preDelay.value == 0.05)
    // A macro begins with neither.
    play(gs(0x40, 0x01, 0x30, 4))
    #expect(reverb.preDelay.value == 0)

    play(xg(2, 1, 0x06, 0, 63))
    play(xg(2, 1, 0x0A, 0, 40))
    #expect(abs(reverb.preDelay.value - 0.0993) < 1e-5 && abs(reverb.highCut.value - 2000) < 1)
    for (address, pan) in zip([0x0D, 0x2D, 0x57] as [UInt8], pans) {
      play(xg(2, 1, address, 127))
      #expect(pan.value == 1)
      play(xg(2, 1, address, 1))
      #expect(pan.value == -1)
    }
    play(xg(2, 1, 0x20, 0x41, 0))
    play(xg(2, 1, 0x22, 0, 64))
    play(xg(2, 1, 0x26, 0, 64))
    #expect(abs(chorus.rate.value - 2.69) < 0.01 && chorus.feedback.value == 0)
    play(xg(2, 1, 0x22, 0, 101))
    #expect(abs(chorus.rate.value - 10.1) < 0.01)
    play(xg(0, 0, 0x7E, 0))
    #expect(pans.allSatisfy { $0.value == 0 } && reverb.highCut.value == 20_000 && reverb.preDelay.value == 0)
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

  private func gs(_ addressAndData: UInt8...) -> [UInt8] {
    let sum = addressAndData.reduce(0) { $0 + Int($1) }
    return [0x41, 0x10, 0x42, 0x12] + addressAndData + [UInt8((128 - sum % 128) % 128)]
  }

  private func xg(_ addressAndData: UInt8...) -> [UInt8] { [0x43, 0x10, 0x4C] + addressAndData }

  @Test("returns of GS and XG: 64 is all, 0 nothing, 127 twice as much; a reset returns all")
  func returns() {
    let (reverb, chorus) = (synthesizer.effects.reverb.returnLevel, synthesizer.effects.chorus.returnLevel)
    for (message, parameter) in [
      (gs(0x40, 0x01, 0x33, 0), reverb), (gs(0x40, 0x01, 0x3A, 0), chorus), (xg(2, 1, 0x0C, 0), reverb),
      (xg(2, 1, 0x2C, 0), chorus),
    ] {
      #expect(parameter.value == 1)
      play(message)
      #expect(parameter.value == 0)
      play([0x7E, 0x7F, 0x09, 0x01])
    }
    play(gs(0x40, 0x01, 0x33, 127))
    #expect(reverb.value == 127.0 / 64 && chorus.value == 1)
  }

  @Test("XG's no effect returns nothing, until another type is chosen")
  func noEffect() {
    let effects = synthesizer.effects
    play(xg(2, 1, 0x00, 0, 0))
    play(xg(2, 1, 0x0C, 64))
    #expect(effects.reverb.returnLevel.value == 0)
    play(xg(2, 1, 0x00, 4, 0))
    #expect(effects.reverb.returnLevel.value == 1 && type == .plate)
    play(xg(2, 1, 0x20, 0, 0))
    #expect(effects.chorus.returnLevel.value == 0)
    play(xg(2, 1, 0x20, 0x41, 0))
    #expect(effects.chorus.returnLevel.value == 1)
    // 10 s.
    play(xg(2, 1, 0x02, 57))
    #expect(effects.reverb.time.value == 10)
  }

  @Test("a reverb that returns nothing is silent at once")
  func silentReturn() throws {
    let wet = try song([0, 0xB0, 91, 127], strike(76, ticks: 96))
    synthesizer.play(wet)
    _ = synthesizer.samples(48000)
    #expect(synthesizer.samples(4800)[0].contains { $0 != 0 })
    play(gs(0x40, 0x01, 0x33, 0))
    _ = synthesizer.samples(4800)
    #expect(synthesizer.samples(4800)[0].allSatisfy { $0 == 0 })
  }

  @Test("a wrong checksum sets nothing, and a block of GS sets all that it has")
  func blocks() {
    let effects = synthesizer.effects
    play([0x41, 0x10, 0x42, 0x12, 0x40, 0x01, 0x33, 0x00, 0x0D])
    #expect(effects.reverb.returnLevel.value == 1)
    play(gs(0x40, 0x01, 0x30, 5, 5, 0, 32, 40))
    #expect(type == .plate && effects.reverb.returnLevel.value == 0.5 && abs(effects.reverb.time.value - 1) < 1e-5)
  }

  @Test("controller 94 sends to the delay in GS, in XG once the variation is a system effect, and never in GM")
  func delaySends() {
    let sends = synthesizer.effects.delaySends
    func isSent(after reset: [UInt8], _ messages: [UInt8]...) -> Bool {
      for message in [reset] + messages { play(message) }
      #expect(sends.allSatisfy { $0.value == 0 })
      play(.controlChange(channel: 2, .delaySend, value7: 127))
      return sends[2].value == 1
    }
    #expect(isSent(after: gs(0x40, 0x00, 0x7F, 0)))
    #expect(!isSent(after: [0x7E, 0x7F, 0x09, 0x01]))
    #expect(!isSent(after: xg(0, 0, 0x7E, 0)))
    #expect(isSent(after: xg(0, 0, 0x7E, 0), xg(2, 1, 0x5A, 1)))
  }

  @Test("GS sets the delay's time, feedback and level, and XG those of a variation that is a delay")
  func delays() {
    let delay = synthesizer.effects.delay
    #expect(abs(delay.time.value - 0.34) < 1e-6 && abs(delay.feedback.value - 100 * 15 / 64) < 1e-4)
    play(gs(0x40, 0x01, 0x50, 2))
    #expect(delay.time.value == 1 && abs(delay.feedback.value + 100 / 64) < 1e-4)
    play(gs(0x40, 0x01, 0x52, 80))
    play(gs(0x40, 0x01, 0x58, 32))
    #expect(abs(delay.time.value - 0.1) < 1e-6 && delay.returnLevel.value == 0.5)
    play(xg(2, 1, 0x40, 7, 0))
    play(xg(2, 1, 0x42, 0x13, 0x44))
    #expect(abs(delay.time.value - 0.25) < 1e-6 && delay.returnLevel.value == 0.5)
    play(xg(2, 1, 0x40, 0x41, 0))
    #expect(delay.returnLevel.value == 0)
  }

  @Test("a note that is sent to the delay comes again 340 ms later, and without one the chain is as it was")
  func echo() throws {
    let sent = try song([0, 0xB0, 94, 127, 0, 0xB0, 91, 0], strike(76, ticks: 48))
    func samples(_ delay: DelayType?) throws -> [Float] {
      var configuration = SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont], reverb: nil, chorus: nil)
      configuration.delay = delay
      let synthesizer = try Synthesizer(configuration)
      synthesizer.play(sent)
      return synthesizer.samples(19_200)[0]
    }
    let (with, without) = (try samples(.delay1), try samples(nil))
    // 340 ms are 16,320 frames.
    #expect(with.prefix(16_300) == without.prefix(16_300))
    #expect(with.suffix(2880) != without.suffix(2880))
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
