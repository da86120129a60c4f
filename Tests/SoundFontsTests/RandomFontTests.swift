import TestSupport
import Testing

@testable import SynthSoundFonts

@Suite("Random and mutated fonts never trap", .timeLimit(.minutes(2)))
struct RandomFontTests {
  /// Reads the bytes, makes all presets playable, and looks at what voices read; it must be in the memory of the font.
  private func exercise(_ bytes: [UInt8]) {
    guard let font = try? SoundFont(bytes: bytes, name: "random") else { return }
    let playable = PlayablePresets(font)
    var sum = font.information.count
    for header in font.presets {
      guard let preset = playable.preset(bank: header.bank, program: header.program)?.pointee else { continue }
      for zone in (0..<preset.zoneCount).map({ preset.zones[$0] }) {
        let sample = zone.sample
        #expect(0 <= sample.start && sample.start + 2 <= sample.end && sample.end <= sample.wordCount)
        #expect(sample.start <= sample.loopStart && sample.loopStart <= sample.loopEnd)
        #expect(sample.loopEnd <= sample.wordCount && sample.rootKey < 128)
        #expect(zone.lowestKey <= zone.highestKey && zone.highestKey < 128 && 11...64 ~= zone.modulatorCount)
        #expect((0..<zone.modulatorCount).allSatisfy { zone.modulators[$0].destination < Generator.count })
        sum += Int(sample.words[sample.wordCount - 1]) + Int(sample.words[sample.start])
      }
    }
    #expect((font.problems.first + playable.problems.first).allSatisfy { 0...bytes.count ~= $0.offset })
    withExtendedLifetime(playable) { #expect(sum != .min) }
  }

  /// A font in which everything occurs but Vorbis.
  private var valid: FontBuilder {
    var font = FontBuilder()
    font.version = (2, 4)
    font.lowBytes = [UInt8](0..<200)
    font.samples = [.init(), .init(start: 100, end: 200, loop: (110, 190), type: 4)]
    font.instruments = ["A", "B"].map { name in
      .init(
        name: name,
        zones: [
          .init(generators: [(17, 5)], modulators: [[0x81, 6, 50, 0, 0]]),
          .init(generators: [(43, 60 << 8), (44, 127 << 8), (54, 1), (0, 3), (53, 0)]),
          .init(generators: [(43, 127 << 8 | 60), (53, 1)], modulators: [[2, 8, 9, 0x502, 2], [127, 5, 9, 0, 0]]),
        ])
    }
    font.presets = (0..<3).map { number in
      .init(
        name: "P", bank: number / 2, program: number,
        zones: [.init(generators: [(51, 2)]), .init(generators: [(41, number % 2)])])
    }
    return font
  }

  @Test("the font the mutations start from is valid")
  func start() throws {
    let font = try SoundFont(bytes: valid.bytes, name: "valid")
    let playable = PlayablePresets(font)
    #expect(playable.count == 3 && playable.problems.count == 0 && font.is24Bit)
  }

  @Test("8000 mutations: bytes changed, cut out, repeated, and the end cut off")
  func mutations() {
    var random = SplitMix64(seed: 1)
    let valid = valid.bytes
    for _ in 0..<8000 {
      var bytes = valid
      for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        let part = index..<min(bytes.count, index + Int.random(in: 1...50, using: &random))
        switch Int.random(in: 0..<12, using: &random) {
        case 0: bytes.removeSubrange(part)
        case 1: bytes.insert(contentsOf: bytes[part], at: index)
        case 2: bytes.removeLast(bytes.count - index)
        case 3...7: bytes[index] = UInt8.random(in: 0...255, using: &random)
        default: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
      }
      exercise(bytes)
    }
  }

  @Test("4000 fonts with a list of random records")
  func randomRecords() {
    var random = SplitMix64(seed: 2)
    for _ in 0..<4000 {
      var font = valid
      let tables = FontChunks.Table.allCases
      let table = tables[Int.random(in: 0..<tables.count, using: &random)]
      // Low numbers refer to what is there.
      let highest = Bool.random(using: &random) ? UInt8(3) : 255
      let noise = (0..<Int.random(in: 0...400, using: &random)).map { _ in UInt8.random(in: 0...highest, using: &random)
      }
      font.damage[table.rawValue] = { _ in noise }
      exercise(font.bytes)
    }
  }
}
