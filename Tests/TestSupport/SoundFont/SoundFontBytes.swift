import Glibc

/// A SoundFont written for a test: presets, instruments and samples as the standard has them, and ways to break them.
/// Source: "SoundFont Technical Specification 2.04", E-mu Systems, chapters 4 to 8.
///
///     var font = SoundFontBytes(samples: [.sine(period: 100)])
///     font.instruments = [[.global([.releaseVolEnv: 0]), Zone([.sampleModes: 1], playing: 0)]]
///     font.presets = [Preset([Zone(keys: 0...60, playing: 0)], program: 5)]
public struct SoundFontBytes: Sendable {
  public var name = "Test"
  public var version: (major: UInt16, minor: UInt16) = (2, 4)
  public var presets: [Preset] = []
  /// Zones of each instrument, which they play samples in.
  public var instruments: [[Zone]] = []
  public var samples: [Sample]
  /// Changes the content of chunks, by their tags ("pbag", "LIST" for all three lists), when all is written.
  public var alterations: [String: @Sendable ([UInt8]) -> [UInt8]] = [:]
  /// Lengths that chunks claim, by their tags.
  public var claimedLengths: [String: Int] = [:]

  public init(samples: [Sample] = []) { self.samples = samples }

  /// A font of one preset, bank 0 and program 0, that plays one instrument.
  public init(_ sample: Sample, _ zones: [Zone], preset presetZones: [Zone] = [Zone(playing: 0)]) {
    samples = [sample]
    instruments = [zones]
    presets = [Preset(presetZones)]
  }

  /// A preset and its zones, which play instruments.
  public struct Preset: Sendable {
    public var name: String
    public var bank: Int
    public var program: Int
    public var zones: [Zone]

    /// - Parameter bank: 128 for drums.
    public init(_ zones: [Zone], bank: Int = 0, program: Int = 0, named name: String = "Preset") {
      self.name = name
      self.bank = bank
      self.program = program
      self.zones = zones
    }
  }

  /// The file.
  public var bytes: [UInt8] {
    var information = chunk("ifil", bytes16(version.major, version.minor)) + chunk("isng", text("EMU8000"))
    information += chunk("INAM", text(name))
    return chunk(
      "RIFF",
      tag("sfbk") + chunk("LIST", tag("INFO") + information) + chunk("LIST", tag("sdta") + sampleData)
        + chunk("LIST", tag("pdta") + tables))
  }

  /// Writes the file, which is gone when `body` returns.
  public func withFile<Result>(_ body: (String) throws -> Result) rethrows -> Result {
    let path = "/tmp/font-\(UInt64.random(in: 0 ... .max)).sf2"
    guard let file = fopen(path, "wb") else { preconditionFailure("writing \(path): no such file can be made") }
    defer { unlink(path) }
    let bytes = bytes
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    return try body(path)
  }

  private var sampleData: [UInt8] {
    let low = samples.contains { $0.lowBytes != nil } ? chunk("sm24", samples.flatMap(\.lowData)) : []
    return chunk("smpl", samples.flatMap(\.data)) + low
  }

  private var tables: [UInt8] {
    let presetLevel = ZoneTables(presets.map(\.zones), target: .instrument)
    let instrumentLevel = ZoneTables(instruments, target: .sampleID)
    var headers: [UInt8] = []
    for (preset, firstBag) in zip(presets, presetLevel.firstBags) {
      headers += field(preset.name) + bytes16(UInt16(preset.program), UInt16(preset.bank), UInt16(firstBag))
      headers += [UInt8](repeating: 0, count: 12)
    }
    headers += field("EOP") + bytes16(0, 0, UInt16(presetLevel.bagCount)) + [UInt8](repeating: 0, count: 12)
    var names: [UInt8] = []
    for (index, firstBag) in instrumentLevel.firstBags.enumerated() {
      names += field("Instrument \(index)") + bytes16(UInt16(firstBag))
    }
    names += field("EOI") + bytes16(UInt16(instrumentLevel.bagCount))
    return chunk("phdr", headers) + chunk("pbag", presetLevel.bags) + chunk("pmod", presetLevel.modulators)
      + chunk("pgen", presetLevel.generators) + chunk("inst", names) + chunk("ibag", instrumentLevel.bags)
      + chunk("imod", instrumentLevel.modulators) + chunk("igen", instrumentLevel.generators)
      + chunk("shdr", sampleHeaders)
  }

  private var sampleHeaders: [UInt8] {
    var start = 0
    var headers: [UInt8] = []
    for sample in samples {
      headers += field(sample.name) + sample.header(at: start)
      start += sample.occupied
    }
    return headers + field("EOS") + [UInt8](repeating: 0, count: 26)
  }

  private func chunk(_ code: String, _ content: [UInt8]) -> [UInt8] {
    let content = alterations[code]?(content) ?? content
    let padding: [UInt8] = content.count % 2 == 1 ? [0] : []
    return tag(code) + bytes32(claimedLengths[code] ?? content.count) + content + padding
  }

  private func tag(_ code: String) -> [UInt8] { Array(code.utf8) }

  /// Ended by a zero, of an even length.
  private func text(_ text: String) -> [UInt8] { text.utf8 + (text.utf8.count % 2 == 0 ? [0, 0] : [0]) }

  /// A name of 20 bytes.
  private func field(_ name: String) -> [UInt8] {
    let letters = Array(name.utf8.prefix(20))
    return letters + [UInt8](repeating: 0, count: 20 - letters.count)
  }
}

func bytes16(_ values: UInt16...) -> [UInt8] {
  values.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
}

func bytes32(_ values: Int...) -> [UInt8] {
  values.flatMap { bytes16(UInt16(truncatingIfNeeded: $0), UInt16(truncatingIfNeeded: $0 >> 16)) }
}
