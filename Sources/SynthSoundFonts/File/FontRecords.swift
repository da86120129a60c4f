/// The records of a font's tables, read where they lie. Source: "SoundFont Technical Specification 2.04", chapter 7.
struct FontRecords: Sendable {
  /// Presets, which refer to instruments, and instruments, which refer to samples, are built alike.
  struct Level: Sendable {
    let items: FontChunks.Table
    let zones: FontChunks.Table
    let modulators: FontChunks.Table
    let generators: FontChunks.Table
    /// Where an item's record has the number of its first zone.
    let zoneField: Int
    /// The generator that ends a zone.
    let reference: Generator

    static let presets = Level(
      items: .presets, zones: .presetZones, modulators: .presetModulators, generators: .presetGenerators,
      zoneField: 24, reference: .instrument)
    static let instruments = Level(
      items: .instruments, zones: .instrumentZones, modulators: .instrumentModulators,
      generators: .instrumentGenerators, zoneField: 20, reference: .sample)
  }

  let bytes: FontBytes
  private let tables: [FontChunks.Table: Range<Int>]

  /// - Throws: where numbers of zones, generators or modulators descend, so that nothing after that can be trusted.
  init(_ bytes: FontBytes, _ chunks: FontChunks, path: String) throws(SoundFontError) {
    self.bytes = bytes
    tables = chunks.tables
    for level in [Level.presets, .instruments] {
      try checkAscent(level.items, at: level.zoneField, path)
      try checkAscent(level.zones, at: 0, path)
      try checkAscent(level.zones, at: 2, path)
    }
  }

  private func checkAscent(_ table: FontChunks.Table, at field: Int, _ path: String) throws(SoundFontError) {
    var last: UInt16 = 0
    for index in 0..<count(table) {
      let place = place(table, index) + field
      let number = bytes.word(place)
      guard number >= last else {
        throw SoundFontError(.descendingIndex(record: index), path: path, chunk: table.rawValue, offset: place)
      }
      last = number
    }
  }

  /// Whole records, the closing one included.
  func count(_ table: FontChunks.Table) -> Int { (tables[table]?.count ?? 0) / table.stride }

  /// Where a record begins in the file.
  func place(_ table: FontChunks.Table, _ index: Int) -> Int {
    (tables[table]?.lowerBound ?? 0) + index * table.stride
  }

  /// The zones of a preset or an instrument; nil where they are not all there.
  func zones(_ level: Level, of item: Int) -> Range<Int>? {
    let place = place(level.items, item) + level.zoneField
    let range = Int(bytes.word(place))..<Int(bytes.word(place + level.items.stride))
    return range.upperBound < count(level.zones) ? range : nil
  }

  /// The generators of a zone; nil where they are not all there.
  func generators(_ level: Level, ofZone zone: Int) -> Range<Int>? {
    range(level, ofZone: zone, field: 0, in: level.generators)
  }

  /// The modulators of a zone; nil where they are not all there.
  func modulators(_ level: Level, ofZone zone: Int) -> Range<Int>? {
    range(level, ofZone: zone, field: 2, in: level.modulators)
  }

  private func range(_ level: Level, ofZone zone: Int, field: Int, in table: FontChunks.Table) -> Range<Int>? {
    let place = place(level.zones, zone) + field
    let range = Int(bytes.word(place))..<Int(bytes.word(place + level.zones.stride))
    return range.upperBound <= count(table) ? range : nil
  }
}
