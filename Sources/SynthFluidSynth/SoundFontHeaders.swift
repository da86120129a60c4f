import CSynthFluidSynth
import Glibc
import SynthFiles

/// All that a soundfont says of its presets (the list "pdta" of the *SoundFont Technical Specification 2.04*, section
/// 7), from which excerpts are made that have the zones of some presets only.
///
/// FluidSynth takes 2 KB for each zone, 10 MB for those of FluidR3, and reads them for 16 ms.
struct SoundFontHeaders: Sendable {
  /// A preset, or an instrument, which the presets refer to: a record, and those of its zones in three further chunks.
  private struct Level {
    /// The chunk of its records; those of zones, modulators and generators follow.
    let chunk: Int
    let length: Int
    /// Of the number of its first zone, in its record.
    let zoneOffset: Int
    /// The generator that refers to an instrument, or to a sample.
    let reference: Int

    static let presets = Level(chunk: 0, length: 38, zoneOffset: 24, reference: 41)
    static let instruments = Level(chunk: 4, length: 22, zoneOffset: 20, reference: 53)
  }

  private static let names = ["phdr", "pbag", "pmod", "pgen", "inst", "ibag", "imod", "igen", "shdr"]
  private static let (samples, sampleLength) = (8, 46)
  private static let (zoneLength, modulatorLength, generatorLength) = (4, 10, 4)

  /// Where the list lies in the file.
  private let start: Int
  private var chunks: [[UInt8]] = []

  /// Nil for what is no soundfont, or one that FluidSynth may refuse: it says why.
  init?(path: String) {
    guard let file = try? OutsideFile(path: path) else { return nil }
    let (descriptor, size) = (file.descriptor, file.byteCount)
    func bytes(_ count: Int, at offset: Int) -> [UInt8]? {
      var bytes = [UInt8](repeating: 0, count: count)
      return pread(descriptor, &bytes, count, offset) == count ? bytes : nil
    }
    guard let riff = bytes(12, at: 0),
      riff.hasText("RIFF", at: 0), riff.hasText("sfbk", at: 8), riff.length(at: 4) == size - 8
    else { return nil }
    // The lists "INFO" and "sdta" come first.
    var offset = 12
    for name in ["INFO", "sdta", "pdta"] {
      guard let list = bytes(12, at: offset), list.hasText("LIST", at: 0), list.hasText(name, at: 8) else { return nil }
      guard case let end = offset + 8 + list.length(at: 4), end <= size else { return nil }
      if name == "pdta" {
        guard let list = bytes(end - offset, at: offset) else { return nil }
        chunks = Self.chunks(list)
      } else {
        offset = end
      }
    }
    start = offset
    guard chunks.count == Self.names.count, isConsistent else { return nil }
    let count = Int64(chunks[Self.samples].count)
    chunks[Self.samples].withUnsafeMutableBufferPointer { fluidsynth_shorten_samples($0.baseAddress, count) }
  }

  private static func chunks(_ list: [UInt8]) -> [[UInt8]] {
    var (chunks, offset): ([[UInt8]], Int) = ([], 12)
    for name in names {
      guard offset + 8 <= list.count, list.hasText(name, at: offset) else { return [] }
      guard case let end = offset + 8 + list.length(at: offset + 4), end <= list.count else { return [] }
      chunks.append(Array(list[offset + 8..<end]))
      offset = end
    }
    return chunks
  }

  /// Whether all records are there, and what they refer to is.
  private var isConsistent: Bool {
    let sampleCount = chunks[Self.samples].count / Self.sampleLength - 1
    return sampleCount >= 0 && chunks[Self.samples].count % Self.sampleLength == 0
      && isConsistent(.instruments, targetCount: sampleCount)
      && isConsistent(.presets, targetCount: count(.instruments))
  }

  private func isConsistent(_ level: Level, targetCount: Int) -> Bool {
    /// Whether numbers begin with 0, do not fall, and the last is that of the closing record of another chunk.
    func ascend(_ numbers: [Int], to chunk: Int, _ length: Int, canLackLast: Bool = true) -> Bool {
      guard chunks[chunk].count % length == 0, numbers.first == 0, let last = numbers.last else { return false }
      let count = chunks[chunk].count / length
      return zip(numbers, numbers.dropFirst()).allSatisfy(<=) && (count == last + 1 || canLackLast && count == last)
    }
    let (records, zones) = (chunks[level.chunk], chunks[level.chunk + 1])
    guard records.count % level.length == 0, records.count > 0, zones.count % Self.zoneLength == 0 else { return false }
    let places = stride(from: 0, to: zones.count, by: Self.zoneLength)
    return ascend(
      (0...count(level)).map { records.word(at: $0 * level.length + level.zoneOffset) },
      to: level.chunk + 1, Self.zoneLength, canLackLast: false)
      && ascend(places.map { zones.word(at: $0 + 2) }, to: level.chunk + 2, Self.modulatorLength)
      && ascend(places.map { zones.word(at: $0) }, to: level.chunk + 3, Self.generatorLength)
      && stride(from: 0, to: chunks[level.chunk + 3].count, by: Self.generatorLength).allSatisfy { place in
        reference(level, at: place).map { $0 < targetCount } ?? true
      }
  }

  private func count(_ level: Level) -> Int { chunks[level.chunk].count / level.length - 1 }

  private func zones(_ level: Level, of item: Int) -> Range<Int> {
    let place = item * level.length + level.zoneOffset
    return chunks[level.chunk].word(at: place)..<chunks[level.chunk].word(at: place + level.length)
  }

  /// - Parameter field: where in the record of a zone its first one is told.
  private func range(_ level: Level, ofZone zone: Int, field: Int) -> Range<Int> {
    let (zones, place) = (chunks[level.chunk + 1], zone * Self.zoneLength + field)
    return zones.word(at: place)..<zones.word(at: place + Self.zoneLength)
  }

  /// The instruments of a preset, or the samples of an instrument.
  private func references(_ level: Level, of item: Int) -> [Int] {
    zones(level, of: item).flatMap { zone in
      range(level, ofZone: zone, field: 0).compactMap { reference(level, at: $0 * Self.generatorLength) }
    }
  }

  /// What the generator at a place refers to, if it does.
  private func reference(_ level: Level, at place: Int) -> Int? {
    let generators = chunks[level.chunk + 3]
    return generators.word(at: place) == level.reference ? generators.word(at: place + 2) : nil
  }

  /// Runs what loads the soundfont of these headers into a synth whose samples are loaded singly; it gets all presets,
  /// but zones in some alone.
  func withExcerpt<Result, Failure>(
    of presets: Set<SoundFontPreset>, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = excerpt(of: presets)
    return try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
      var excerpt = fluidsynth_excerpt(bytes: bytes.baseAddress, start: Int64(start), size: Int64(bytes.count))
      return try withUnsafePointer(to: &excerpt) { excerpt throws(Failure) in
        fluidsynth_read_excerpt(excerpt)
        defer { fluidsynth_read_excerpt(nil) }
        return try body()
      }
    }
  }

  private func excerpt(of presets: Set<SoundFontPreset>) -> [UInt8] {
    let records = chunks[Level.presets.chunk]
    let chosen = (0..<count(.presets)).filter { item in
      let place = item * Level.presets.length + 20
      return presets.contains(SoundFontPreset(bank: records.word(at: place + 2), program: records.word(at: place)))
    }
    let instruments = Set(chosen.flatMap { references(.presets, of: $0) }).sorted()
    let samples = Set(instruments.flatMap { references(.instruments, of: $0) }).sorted()
    let all = Array(0..<count(.presets))
    var copies = copy(.presets, all, zonesOf: Set(chosen), referringTo: instruments)
    copies += copy(.instruments, instruments, zonesOf: Set(instruments), referringTo: samples)
    let end = chunks[Self.samples].count / Self.sampleLength - 1
    copies.append(
      (samples + [end]).flatMap { chunks[Self.samples][$0 * Self.sampleLength..<($0 + 1) * Self.sampleLength] })
    var list: [UInt8] = Array("pdta".utf8)
    for (name, chunk) in zip(Self.names, copies) { list.append(name, chunk) }
    var bytes: [UInt8] = []
    bytes.append("LIST", list)
    return bytes
  }

  /// The four chunks with some items and the zones of some of these.
  ///
  /// - Parameter targets: what is kept of what the zones refer to, ascending.
  private func copy(
    _ level: Level, _ items: [Int], zonesOf chosen: Set<Int>, referringTo targets: [Int]
  ) -> [[UInt8]] {
    let numbers = Dictionary(uniqueKeysWithValues: targets.enumerated().map { ($1, $0) })
    var (records, zones, modulators, generators): ([UInt8], [UInt8], [UInt8], [UInt8]) = ([], [], [], [])
    func endZone() {
      zones.append(word: generators.count / Self.generatorLength)
      zones.append(word: modulators.count / Self.modulatorLength)
    }
    func copyZone(_ zone: Int) {
      endZone()
      for number in range(level, ofZone: zone, field: 2) {
        modulators += chunks[level.chunk + 2][number * Self.modulatorLength..<(number + 1) * Self.modulatorLength]
      }
      for place in range(level, ofZone: zone, field: 0).map({ $0 * Self.generatorLength }) {
        let target = reference(level, at: place).flatMap { numbers[$0] }
        generators.append(word: chunks[level.chunk + 3].word(at: place))
        generators.append(word: target ?? chunks[level.chunk + 3].word(at: place + 2))
      }
    }
    func copyRecord(_ item: Int) {
      let place = item * level.length
      var record = Array(chunks[level.chunk][place..<place + level.length])
      let first = zones.count / Self.zoneLength
      record.replaceSubrange(level.zoneOffset..<level.zoneOffset + 2, with: [UInt8(first & 0xFF), UInt8(first >> 8)])
      records += record
    }
    for item in items {
      copyRecord(item)
      if chosen.contains(item) { self.zones(level, of: item).forEach(copyZone) }
    }
    copyRecord(count(level))
    endZone()
    modulators += [UInt8](repeating: 0, count: Self.modulatorLength)
    generators += [UInt8](repeating: 0, count: Self.generatorLength)
    return [records, zones, modulators, generators]
  }
}

/// A preset's place in its soundfont; drums are in bank 128.
struct SoundFontPreset: Hashable, Sendable {
  let bank: Int
  let program: Int
}

extension [UInt8] {
  fileprivate func hasText(_ text: String, at offset: Int) -> Bool { self[offset...].starts(with: Array(text.utf8)) }

  fileprivate func word(at offset: Int) -> Int { Int(self[offset]) | Int(self[offset + 1]) << 8 }

  fileprivate func length(at offset: Int) -> Int { word(at: offset) | word(at: offset + 2) << 16 }

  fileprivate mutating func append(word: Int) {
    append(UInt8(truncatingIfNeeded: word))
    append(UInt8(truncatingIfNeeded: word >> 8))
  }

  fileprivate mutating func append(_ name: String, _ chunk: [UInt8]) {
    self += name.utf8
    append(word: chunk.count)
    append(word: chunk.count >> 16)
    self += chunk
  }
}
