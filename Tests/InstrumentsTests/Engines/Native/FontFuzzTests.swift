import Foundation
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

/// Rounds go on for `SYNTH_FUZZ_SECONDS` where that is set, with other seeds than the few that are tested always.
@Suite("Fonts of random generators, some of them damaged, that songs of random messages are played with")
struct FontFuzzTests {
  @Test("render numbers or are refused by a typed error", .timeLimit(.minutes(15)))
  func rounds() throws {
    let seconds = ProcessInfo.processInfo.environment["SYNTH_FUZZ_SECONDS"].flatMap(Double.init)
    let end = seconds.map { Date(timeIntervalSinceNow: $0) }
    var (seed, playedCount, peak) = (seconds == nil ? 0 : UInt64.random(in: 0 ... .max), 0, Float(0))
    var round = 0
    while end.map({ Date() < $0 }) ?? (round < 400) {
      round += 1
      seed &+= 1
      guard let played = try play(seed) else { continue }
      playedCount += 1
      peak = max(peak, played)
    }
    if seconds != nil { print("\(playedCount) fonts played, the last by the seed \(seed)") }
    #expect(playedCount > 20 && peak > 0.01)
  }

  /// The highest sample of a second of noise; nil where the font is refused.
  private func play(_ seed: UInt64) throws -> Float? {
    var random = SplitMix64(seed: seed)
    var bytes = RandomFont(&random).font.bytes
    if Bool.random(using: &random) { damage(&bytes, &random) }
    let path = "/tmp/font-\(seed)-\(getpid()).sf2"
    try Data(bytes).write(to: URL(filePath: path))
    defer { unlink(path) }
    let rack: PlayedRack
    do {
      rack = try PlayedRack([], soundFonts: [path], polyphony: 32, engine: .native)
    } catch let error as InstrumentError {
      #expect(error.description.contains(path))
      return nil
    }
    var peak: Float = 0
    for _ in 0..<24 {
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        rack.play(message(&random), after: Int64.random(in: 0..<200, using: &random))
      }
      let sound = rack.renderStereo(Int.random(in: 1...400, using: &random))
      let isFinite = (sound.left + sound.right).allSatisfy(\.isFinite)
      #expect(isFinite, "seed \(seed)")
      guard isFinite else { return nil }
      peak = max(peak, sound.left.map(abs).max() ?? 0)
    }
    return peak
  }

  private func message(_ random: inout SplitMix64) -> MIDIMessage {
    func seven() -> UInt8 { UInt8.random(in: 0...127, using: &random) }
    let channel = UInt8.random(in: 0...2, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return .controlChange(channel: channel, Controller(rawValue: seven()), value7: seven())
    case 1: return .pitchBend(channel: channel, bend14: UInt16.random(in: 0...16383, using: &random))
    case 2: return .programChange(channel: channel, program: UInt8.random(in: 0...3, using: &random))
    case 3: return .channelPressure(channel: channel, value7: seven())
    case 4: return .noteOff(channel: channel, note: seven(), velocity7: seven())
    default: return .noteOn(channel: channel, note: seven(), velocity7: seven())
    }
  }

  private func damage(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      // Mostly the tables, which lie at the end.
      let first = Int.random(in: 0..<4, using: &random) == 0 ? 0 : bytes.count * 3 / 4
      let index = Int.random(in: first..<bytes.count, using: &random)
      bytes[index] = Bool.random(using: &random) ? UInt8.random(in: 0...255, using: &random) : bytes[index] ^ 1
    }
  }
}

/// Zones with any generators at any amounts, and modulators from anything to anything.
private struct RandomFont {
  private(set) var font: SoundFontBytes

  init(_ random: inout SplitMix64) {
    font = SoundFontBytes(samples: [
      .sine(period: Double.random(in: 2...200, using: &random), count: Int.random(in: 4...2000, using: &random)),
      .noise(seed: random.next(), count: Int.random(in: 48...3000, using: &random)),
    ])
    font.instruments = (0..<2).map { _ in
      (0..<Int.random(in: 1...3, using: &random)).map { _ in
        Self.zone(playing: Int.random(in: 0..<2, using: &random), &random)
      }
    }
    font.presets = (0..<3).map { program in
      .init([.init(playing: program % 2), Self.zone(playing: (program + 1) % 2, &random)], program: program)
    }
  }

  private static func zone(playing target: Int, _ random: inout SplitMix64) -> SoundFontBytes.Zone {
    let numbers = SoundFontBytes.Generator.allCases.filter { $0 != .instrument && $0 != .sampleID }
    var zone = SoundFontBytes.Zone(playing: target)
    for _ in 0..<Int.random(in: 0...8, using: &random) {
      guard let number = numbers.randomElement(using: &random) else { continue }
      // As many near zero as anywhere.
      let range: ClosedRange<UInt16> = Bool.random(using: &random) ? 0...1200 : 0...65535
      zone.generators.append((number, UInt16.random(in: range, using: &random)))
    }
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      guard let destination = numbers.randomElement(using: &random) else { continue }
      func source() -> SoundFontBytes.Source { .init(rawValue: UInt16.random(in: 0...0xFFF, using: &random)) }
      zone.modulators.append(
        .init(
          source(), to: destination, amount: Int.random(in: -20000...20000, using: &random), by: source(),
          transform: Bool.random(using: &random) ? 0 : 2))
    }
    return zone
  }
}
