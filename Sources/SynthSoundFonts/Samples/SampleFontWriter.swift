/// Writes a SoundFont 2.04 of one preset, bank 0 and program 0, whose zones have a sample each. Source: "SoundFont
/// Technical Specification 2.04", E-mu Systems, chapters 4 to 8.
struct SampleFontWriter {
  /// Zeros behind each wave.
  static let gap = 46

  private let name: String
  private var words: [UInt8] = []
  private var lowBytes: [UInt8] = []
  private var hasLowBytes = false
  private var zones = Records()
  private var generators = Records()
  private var headers = Records()

  init(name: String) { self.name = name }

  /// Adds a file as a zone, or as two for a stereo file, hard left and right.
  mutating func add(_ zone: SampleMap.Zone, _ file: SampleFile, named name: String) {
    let first = headers.count
    for (side, wave) in file.waves.enumerated() {
      let isStereo = file.waves.count == 2
      zones.add(generators.count, 0)
      generators.add(.keyRange, zone.keys)
      generators.add(.velocityRange, zone.velocities)
      if isStereo { generators.add(.pan, side == 0 ? -500 : 500) }
      // 100 ms, or for what plays to its end 100 s, in which it is hardly lowered.
      generators.add(.volumeRelease, zone.isOneShot ? 7973 : -3986)
      let loop = zone.isOneShot ? nil : file.markings.loop
      generators.add(.sampleModes, loop == nil ? 0 : 1)
      generators.add(.sample, headers.count)
      let start = append(wave)
      headers.add(name)
      for place in [
        start, start + wave.count, start + (loop?.lowerBound ?? 0), start + (loop?.upperBound ?? wave.count),
      ] {
        headers.extend(long: place)
      }
      headers.extend(long: file.rate)
      let isMarked = file.markings.key == nil || file.markings.key == zone.key
      let correction = isMarked ? Int8(clamping: file.markings.correction) : 0
      headers.extend(UInt16(zone.key) | UInt16(UInt8(bitPattern: correction)) << 8)
      headers.extend(isStereo ? UInt16(clamping: first + 1 - side) : 0)
      headers.extend(isStereo ? (side == 0 ? 4 : 2) : 1)
    }
  }

  /// - Returns: where it begins.
  private mutating func append(_ wave: [Int32]) -> Int {
    let start = lowBytes.count
    words.reserveCapacity(words.count + 2 * (wave.count + Self.gap))
    for word in wave {
      words.append(UInt8(truncatingIfNeeded: word >> 8))
      words.append(UInt8(truncatingIfNeeded: word >> 16))
      lowBytes.append(UInt8(truncatingIfNeeded: word))
      if word & 0xFF != 0 { hasLowBytes = true }
    }
    words += [UInt8](repeating: 0, count: 2 * Self.gap)
    lowBytes += [UInt8](repeating: 0, count: Self.gap)
    return start
  }

  /// The file, whose lists end with a record each.
  var bytes: [UInt8] {
    var (presets, presetZones, presetGenerators, instruments) = (Records(), Records(), Records(), Records())
    for (title, zone) in [(name, 0), ("EOP", 1)] {
      presets.add(title)
      for number in [0, 0, zone, 0, 0, 0, 0, 0, 0] { presets.extend(UInt16(number)) }
    }
    presetZones.add(0, 0)
    presetZones.add(1, 0)
    presetGenerators.add(.instrument, 0)
    presetGenerators.add(0, 0)
    for (title, zone) in [(name, 0), ("EOI", zones.count)] {
      instruments.add(title)
      instruments.extend(UInt16(clamping: zone))
    }
    var end = self
    end.zones.add(generators.count, 0)
    end.generators.add(0, 0)
    end.headers.add("EOS")
    for _ in 0..<13 { end.headers.extend(0) }
    let noModulators = [UInt8](repeating: 0, count: 10)
    // FluidSynth refuses texts of odd length.
    let title = Array(name.utf8.prefix(254)) + [UInt8](repeating: 0, count: 2 - min(name.utf8.count, 254) % 2)
    let information =
      chunk("ifil", [2, 0, 4, 0]) + chunk("isng", Array("EMU8000\0".utf8)) + chunk("INAM", title)
    let samples = chunk("smpl", words) + (hasLowBytes ? chunk("sm24", lowBytes) : [])
    let tables =
      chunk("phdr", presets.bytes) + chunk("pbag", presetZones.bytes) + chunk("pmod", noModulators)
      + chunk("pgen", presetGenerators.bytes) + chunk("inst", instruments.bytes) + chunk("ibag", end.zones.bytes)
      + chunk("imod", noModulators) + chunk("igen", end.generators.bytes) + chunk("shdr", end.headers.bytes)
    let lists = list("INFO", information) + list("sdta", samples) + list("pdta", tables)
    return chunk("RIFF", Array("sfbk".utf8) + lists)
  }

  private func list(_ tag: String, _ chunks: [UInt8]) -> [UInt8] { chunk("LIST", Array(tag.utf8) + chunks) }

  private func chunk(_ tag: String, _ data: [UInt8]) -> [UInt8] {
    let length = (0..<4).map { UInt8(truncatingIfNeeded: data.count >> (8 * $0)) }
    return Array(tag.utf8) + length + data + (data.count % 2 == 1 ? [0] : [])
  }

  /// Records of one kind.
  private struct Records {
    private(set) var bytes: [UInt8] = []
    private(set) var count = 0

    mutating func add(_ first: Int, _ second: Int) {
      extend(UInt16(clamping: first))
      extend(UInt16(truncatingIfNeeded: second))
      count += 1
    }

    mutating func add(_ generator: Generator, _ amount: Int) { add(Int(generator.rawValue), amount) }

    mutating func add(_ generator: Generator, _ range: ClosedRange<UInt8>) {
      add(generator, Int(range.lowerBound) | Int(range.upperBound) << 8)
    }

    /// Begins a record with a name of 20 bytes.
    mutating func add(_ name: String) {
      let letters = Array(name.utf8.prefix(19))
      bytes += letters + [UInt8](repeating: 0, count: 20 - letters.count)
      count += 1
    }

    mutating func extend(_ word: UInt16) {
      bytes += [UInt8(truncatingIfNeeded: word), UInt8(truncatingIfNeeded: word >> 8)]
    }

    mutating func extend(long: Int) {
      extend(UInt16(truncatingIfNeeded: long))
      extend(UInt16(truncatingIfNeeded: long >> 16))
    }
  }
}
