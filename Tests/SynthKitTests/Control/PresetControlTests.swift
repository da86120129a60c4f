import AudioGraph
import Foundation
import SynthALSA
import SynthDSP
import SynthInstruments
import SynthKit
import SynthMIDI
import TestSupport
import Testing

@Suite("Presets chosen by MIDI", .timeLimit(.minutes(2)))
struct PresetControlTests {
  private static let presets = EqualizerPresetLibrary.standard().presets().presets

  /// Chooses by the programs of channel 16, and by controller 20 of any channel.
  private func configuration(preset: String = "flat") throws -> SynthesizerConfiguration {
    SynthesizerConfiguration(
      soundFonts: [try TestFiles.soundFont], curve: try EqualizerPresetLibrary.standard().preset(preset).curve,
      presetControl: EqualizerPresetControl(Self.presets, by: PresetMessages(programChannel: 15, controller: 20)))
  }

  private func program(of name: String) throws -> UInt8 {
    UInt8(try #require(Self.presets.firstIndex { $0.name == name }))
  }

  /// A note of two seconds; `rock` by program after half a second, and a quick sweep of the controller after one.
  private func scenes() throws -> Song {
    let rock = vlq(480) + [0xCF, try program(of: "rock")]
    let sweep: [UInt8] = (0..<128).flatMap { value -> [UInt8] in
      vlq(value == 0 ? 480 : 1) + [0xB3, 20, UInt8(value)]
    }
    return try song([0, 0x90, 48, 100], rock, sweep, vlq(832), [0x80, 48, 64])
  }

  @Test("changes sound the same, bit for bit, in slices of any size")
  func sliceSizes() throws {
    let song = try scenes()
    let renderings = try [1, 7, 64, 100, 512, 4096].map { sliceSize in
      let synthesizer = try Synthesizer(try configuration())
      synthesizer.play(song)
      return synthesizer.samples(110_000, sliceSize: sliceSize)
    }
    let areSame = renderings.allSatisfy { $0 == renderings[0] }
    #expect(areSame)
  }

  @Test("a device gets what offline rendering gives", arguments: [64, 100])
  func liveEqualsOffline(period: Int) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "scenes-\(UUID()).raw")
    defer { try? FileManager.default.removeItem(at: file) }
    let request = PCMRequest(device: "file:'\(file.path)',raw", channelCount: 2, sampleRate: 48000, period: period)
    let output = try DeviceOutput([request])
    let session = Session(try Synthesizer(try configuration().adapted(to: output)), output: output)
    let song = try scenes()
    try session.play(song)
    session.wait()
    let live = try Data(contentsOf: file).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let synthesizer = try Synthesizer(try configuration())
    synthesizer.play(song)
    let offline = synthesizer.samples(live.count / 2)
    let isSame = (0..<2).allSatisfy { side in
      stride(from: side, to: live.count, by: 2).map { live[$0] } == offline[side]
    }
    #expect(isSame && live.count > 2 * 96000)
  }

  @Test("a program sounds as the same preset set by hand between the same two quanta")
  func likeByHand() throws {
    // Half a second is 24000 frames, a multiple of 64.
    let song = try song([0, 0x90, 48, 100], vlq(480) + [0xCF, try program(of: "rock")], vlq(960), [0x80, 48, 64])
    var uncontrolled = try configuration()
    uncontrolled.presetControl = nil
    let (byProgram, byHand) = (try Synthesizer(try configuration()), try Synthesizer(uncontrolled))
    for synthesizer in [byProgram, byHand] { synthesizer.play(song) }
    let isSameBefore = byProgram.samples(24000) == byHand.samples(24000)
    #expect(isSameBefore)
    byHand.equalizer.curve = try EqualizerPresetLibrary.standard().preset("rock").curve
    let after = byHand.samples(24000)
    let isSameAfter = byProgram.samples(24000) == after
    #expect(isSameAfter)
    uncontrolled.curve = .flat
    let plain = try Synthesizer(uncontrolled)
    plain.play(song)
    #expect(plain.samples(48000)[0].suffix(24000) != after[0][...])
  }

  @Test("a new song begins with what was asked for, and a curve that is set holds until the next event")
  func precedence() throws {
    let synthesizer = try Synthesizer(try configuration(preset: "jazz"))
    let jazz = try EqualizerPresetLibrary.standard().preset("jazz").curve
    func play(_ message: MIDIMessage) {
      _ = synthesizer.instruments.events.send(MIDIEvent(time: 0, message: message))
      _ = synthesizer.samples(64)
    }
    #expect(synthesizer.equalizer.curve == jazz)
    let rock = MIDIMessage.programChange(channel: 15, program: try program(of: "rock"))
    play(rock)
    #expect(synthesizer.equalizer.curve == (try EqualizerPresetLibrary.standard().preset("rock").curve))
    synthesizer.equalizer.curve = .flat
    #expect(synthesizer.equalizer.curve == .flat)
    play(rock)
    #expect(synthesizer.equalizer.curve != .flat)
    synthesizer.play(try song(strike(60, ticks: 96)))
    _ = synthesizer.samples(64)
    #expect(synthesizer.equalizer.curve == .flat)
  }
}
