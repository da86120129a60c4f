import Foundation
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

/// Rounds go on for `SYNTH_FUZZ_SECONDS` on each instrument where that is set, with other seeds than the one that is
/// tested always.
@Suite("Random messages of parts", .timeLimit(.minutes(30)))
struct PartFuzzTests {
  @Test("whatever parts are told, in 10,000 messages, what sounds is finite", arguments: PartInstrument.allCases)
  func randomMessages(_ instrument: PartInstrument) throws {
    let seconds = ProcessInfo.processInfo.environment["SYNTH_FUZZ_SECONDS"].flatMap(Double.init)
    let end = seconds.map { Date(timeIntervalSinceNow: $0) }
    let seed = seconds == nil ? 1 : UInt64.random(in: 0 ... .max)
    var generator = SplitMix64(seed: seed)
    let player = try instrument.player()
    var (count, peak) = (0, Float(0))
    while end.map({ Date() < $0 }) ?? (count < 10_000) {
      for _ in 0..<4 { player.play(systemExclusive: bytes(&generator)) }
      let messages = messages(&generator)
      for message in messages { player.play(message) }
      count += 4 + messages.count
      let sound = player.renderStereo(128)
      let isFinite = (sound.left + sound.right).allSatisfy { $0.isFinite }
      #expect(isFinite, "seed \(seed), message \(count)")
      guard isFinite else { return }
      peak = max(peak, sound.left.map(abs).max() ?? 0)
    }
    print("\(instrument): \(count) messages, seed \(seed), peak \(peak)")
    #expect(peak > 0.01)
    player.play(systemExclusive: PartMessages.gsReset)
    _ = player.render(48000)
    player.play(.noteOn(channel: 0, note: 69, velocity7: 100))
    _ = player.render(4800)
    let track = pitchTrack(player.render(4800)).map(\.pitch).sorted()
    #expect(abs((track.isEmpty ? 0 : track[track.count / 2]) - 69) < 0.01)
  }

  /// Parameters, notes and controllers of any channel.
  private func messages(_ generator: inout SplitMix64) -> [MIDIMessage] {
    func seven() -> UInt8 { UInt8.random(in: 0...127, using: &generator) }
    let channel = seven() & 15
    func control(_ controller: Controller, _ value: UInt8) -> MIDIMessage {
      .controlChange(channel: channel, controller, value7: value)
    }
    let isZone = seven() < 4
    return [
      control(.assignableParameter, [0, 1, 1, 0x18, 120][Int(seven()) % 5]), control(.assignableParameterLSB, seven()),
      control(.dataEntry, seven()), control(.dataEntryLSB, seven()), control(.registeredParameter, 0),
      control(.registeredParameterLSB, isZone ? 6 : seven() % 6), control(.dataEntry, seven()),
      control([.dataIncrement, .dataDecrement, .dataEntryLSB][Int(seven()) % 3], seven()),
      .noteOn(channel: channel, note: seven(), velocity7: seven()),
      .pitchBend(channel: channel, bend14: UInt16(seven()) << 7 | UInt16(seven())),
      .channelPressure(channel: channel, value7: seven()),
      .polyPressure(channel: channel, note: seven(), value7: seven()), control(Controller(rawValue: seven()), seven()),
      .programChange(channel: channel, program: seven()), .noteOff(channel: channel, note: seven()),
    ]
  }

  /// A message of one of the blocks, sometimes one that is cut off.
  private func bytes(_ generator: inout SplitMix64) -> [UInt8] {
    func seven() -> UInt8 { UInt8.random(in: 0...127, using: &generator) }
    var message: [UInt8]
    switch seven() % 7 {
    case 0: message = PartMessages.gs((0x40, 0x10 | seven() & 15, seven()), seven(), seven(), seven())
    case 1: message = PartMessages.gs((0x40, [0, 0x20 | seven() & 15][Int(seven()) % 2], seven()), seven())
    case 2: message = PartMessages.xg((8, seven() & 15, seven()), seven(), seven())
    case 3: message = PartMessages.xg((0, 0, seven() & 7), seven(), seven(), seven(), seven())
    case 4: message = PartMessages.gs((0x41, seven() & 0x1F, seven()), seven())
    case 5: message = PartMessages.xg((0x30 | seven() & 3, seven(), seven() & 15), seven())
    default: message = [0x7F, 0x7F, [4, 9, 10][Int(seven()) % 3], seven() % 5, seven(), seven(), seven(), seven()]
    }
    if seven() < 16 { message.removeLast(Int(seven()) % message.count) }
    return message.isEmpty ? [0x7E] : message
  }
}
