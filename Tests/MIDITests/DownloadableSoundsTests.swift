import TestSupport
import Testing

@testable import SynthMIDI

@Suite("Downloadable Sounds")
struct DownloadableSoundsTests {
  /// The generators of the only zone, and where its wave is looped.
  private func zone(_ bytes: [UInt8]) throws -> (generators: [UInt16: Int], loop: Range<UInt32>, rate: UInt32) {
    let font = RIFFReader(try #require(DownloadableSounds(bytes).soundFont(bankOffset: 0)))
    let tables = try #require(font.lists("pdta", among: font.all).first)
    let list = try #require(tables.first { font.hasTag("igen", $0) }).data
    let header = try #require(tables.first { font.hasTag("shdr", $0) }).data.lowerBound
    var generators: [UInt16: Int] = [:]
    for place in stride(from: list.lowerBound, to: list.upperBound - 4, by: 4) {
      generators[font.word(place) ?? 0] = Int(Int16(bitPattern: font.word(place + 2) ?? 0))
    }
    let (start, end) = (font.long(header + 28) ?? 0, font.long(header + 32) ?? 0)
    #expect(font.bytes[header + 40] == 69)
    return (generators, start..<end, font.long(header + 36) ?? 0)
  }

  @Test("keep ranges, groups, tuning and loops of a region, or of its wave")
  func regions() throws {
    let plain = try zone(downloadableSounds())
    #expect(plain.generators[43] == 90 << 8 | 10 && plain.generators[44] == 127 << 8 | 1)
    #expect(plain.generators[57] == 3 && plain.generators[54] == 1 && plain.generators[53] == 0)
    #expect(plain.generators[51] == 0 && plain.generators[52] == -7 && plain.generators[48] == 0)
    #expect(plain.loop == 20..<120 && plain.rate == 8000)
    // 6 dB less are 60 units, which libfluidsynth takes for 24.
    let own = riff("wsmp", dlsWaveSample(key: 69, tuning: 250, gain: -60 * 65536, loop: nil))
    let region = try zone(downloadableSounds(region: dlsRegion(own: own)))
    #expect(region.generators[48] == 150 && region.generators[51] == 2 && region.generators[52] == 50)
    #expect(region.generators[54] == nil && region.loop.isEmpty)
  }

  @Test("become generators and modulators, in their units")
  func articulation() throws {
    func connection(_ source: UInt16, _ control: UInt16, _ destination: UInt16, _ scale: Int32) -> [UInt16] {
      let bits = UInt32(bitPattern: scale)
      return [source, control, destination, 0, UInt16(truncatingIfNeeded: bits), UInt16(bits >> 16)]
    }
    let zone = try zone(
      downloadableSounds(connections: [
        connection(0, 0, 0x0206, -3986 * 65536), connection(0, 0, 0x0209, .min), connection(0, 0, 0x020A, 500 * 65536),
        connection(0, 0, 0x0004, -300 * 65536), connection(1, 0, 0x0003, 25 * 65536), connection(3, 0, 0x0003, 0),
        connection(0, 0, 0x0207, 1200 * 65536), connection(3, 0, 0x0207, -1280 * 65536),
        connection(9, 0x81, 0x0003, 40 * 65536),
      ]))
    #expect(zone.generators[34] == -3986 && zone.generators[38] == -12000 && zone.generators[37] == 480)
    #expect(zone.generators[17] == -300 && zone.generators[5] == 25 && zone.generators[56] == 0)
    #expect(zone.generators[36] == 600 && zone.generators[40] == 10)
    #expect(zone.generators[22] == -851 && zone.generators[21] == -7973)
  }

  @Test("have presets in the banks of their instruments, one higher where the song's file says nothing")
  func banks() throws {
    func presets(_ banks: [UInt32], offset: Int) throws -> [[UInt16]] {
      let font = RIFFReader(try #require(DownloadableSounds(downloadableSounds(banks)).soundFont(bankOffset: offset)))
      let tables = try #require(font.lists("pdta", among: font.all).first)
      let list = try #require(tables.first { font.hasTag("phdr", $0) }).data
      return stride(from: list.lowerBound, to: list.upperBound - 38, by: 38).map {
        [font.word($0 + 22) ?? 0, font.word($0 + 20) ?? 0]
      }
    }
    #expect(try presets([0, 2 << 8, 3, 1 << 31], offset: 1) == [[1, 0], [3, 1], [4, 2], [128, 3]])
    // No instrument is in bank 0: they are where they say.
    #expect(try presets([1 << 8, 1 << 31], offset: 1) == [[1, 0], [128, 1]])
  }

  @Test("of 8 bits are widened, and what is damaged is left out")
  func damage() throws {
    let narrow = DownloadableSounds(downloadableSounds(bits: 8, samples: [128, 255, 0, 129]))
    #expect(narrow.waves.map(\.samples) == [[0, 127 << 8, -128 << 8, 1 << 8]])
    #expect(DownloadableSounds(downloadableSounds(region: dlsRegion(cue: 1))).soundFont(bankOffset: 0) == nil)
    #expect(DownloadableSounds(downloadableSounds(bits: 24)).soundFont(bankOffset: 0) == nil)
    let whole = downloadableSounds([0, 1], connections: [[0, 0, 4, 0, 0, 100]])
    for count in whole.indices { _ = DownloadableSounds(Array(whole.prefix(count))).soundFont(bankOffset: 1) }
    for place in 12..<whole.count {
      for value in [0, 127, 255] as [UInt8] {
        var damaged = whole
        damaged[place] = value
        _ = DownloadableSounds(damaged).soundFont(bankOffset: 1)
      }
    }
  }
}
