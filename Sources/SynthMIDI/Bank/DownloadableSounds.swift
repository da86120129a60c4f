/// A bank of Downloadable Sounds: instruments of regions, each a range of keys that plays a wave. What is damaged is
/// left out. Source: "Downloadable Sounds Level 1", version 1.1b, and "Level 2.2", MMA.
struct DownloadableSounds {
  struct Instrument {
    var name = ""
    var bank: UInt16 = 0
    var program: UInt16 = 0
    var regions: [Region] = []
  }

  struct Region {
    var keys: ClosedRange<UInt8> = 0...127
    var velocities: ClosedRange<UInt8> = 0...127
    /// Notes of one group end each other; 0 for none.
    var keyGroup: UInt16 = 0
    /// The place in `waves`.
    var wave = 0
    var playing = WavePlaying()
    var articulation = DLSArticulation()
  }

  struct Wave {
    var rate: UInt32
    var samples: [Int16]
  }

  /// The bank of SoundFont for drums.
  static let drumBank: UInt16 = 128

  private(set) var instruments: [Instrument] = []
  private(set) var waves: [Wave] = []
  private let file: RIFFReader

  init(_ bytes: [UInt8]) {
    file = RIFFReader(bytes)
    let top = file.all
    let places = readWaves(top)
    for list in file.lists("lins", among: top) {
      for instrument in file.lists("ins ", among: list) {
        if let read = self.instrument(instrument, places), !read.regions.isEmpty { instruments.append(read) }
      }
    }
  }

  /// Reads the waves.
  ///
  /// - Returns: for each cue of the pool table, the place of its wave and how that is played.
  private mutating func readWaves(_ top: [RIFFReader.Chunk]) -> [(wave: Int, playing: WavePlaying)?] {
    guard let pool = top.first(where: { file.isList("wvpl", $0) }) else { return [] }
    var found: [Int: (Int, WavePlaying)] = [:]
    for chunk in file.chunks(of: pool) where file.isList("wave", chunk) {
      let parts = file.chunks(of: chunk)
      guard let wave = wave(parts) else { continue }
      let playing = parts.first { file.hasTag("wsmp", $0) }.flatMap { WavePlaying(file, $0.data) }
      // Offsets count from behind the tag of the pool's list.
      found[chunk.offset - pool.data.lowerBound - 4] = (waves.count, playing ?? WavePlaying())
      waves.append(wave)
    }
    guard let table = top.first(where: { file.hasTag("ptbl", $0) })?.data else { return [] }
    let start = table.lowerBound + Int(file.long(table.lowerBound) ?? 8)
    let count = min(Int(file.long(table.lowerBound + 4) ?? 0), max(0, table.upperBound - start) / 4)
    return (0..<count).map { found[Int(file.long(start + 4 * $0) ?? .max)] }
  }

  /// Linear samples of 8 or 16 bits; of several channels the first.
  private func wave(_ parts: [RIFFReader.Chunk]) -> Wave? {
    guard let format = parts.first(where: { file.hasTag("fmt ", $0) })?.data.lowerBound,
      let data = parts.first(where: { file.hasTag("data", $0) })?.data,
      file.word(format) == 1, let channels = file.word(format + 2), (1...8).contains(channels),
      let rate = file.long(format + 4), (400...192_000).contains(rate), let bits = file.word(format + 14),
      bits == 8 || bits == 16
    else { return nil }
    let width = Int(bits) / 8
    let frame = width * Int(channels)
    let samples = (0..<data.count / frame).map { index in
      let place = data.lowerBound + index * frame
      return bits == 8
        ? (Int16(file.bytes[place]) - 128) << 8 : Int16(bitPattern: file.word(place) ?? 0)
    }
    return samples.count < 2 ? nil : Wave(rate: rate, samples: samples)
  }

  private func instrument(
    _ parts: [RIFFReader.Chunk], _ places: [(wave: Int, playing: WavePlaying)?]
  ) -> Instrument? {
    guard let header = parts.first(where: { file.hasTag("insh", $0) })?.data.lowerBound,
      let bank = file.long(header + 4), let program = file.long(header + 8)
    else { return nil }
    var instrument = Instrument()
    // Controller 0 in bits 8 to 14, 32 in bits 0 to 6; bit 31 is for drums.
    let banks = (UInt16(bank >> 8 & 0x7F), UInt16(bank & 0x7F))
    instrument.bank = bank >> 31 == 1 ? Self.drumBank : banks.0 == 0 ? banks.1 : banks.0
    instrument.program = UInt16(program & 0x7F)
    for information in file.lists("INFO", among: parts) {
      instrument.name = information.first { file.hasTag("INAM", $0) }.map(file.text) ?? ""
    }
    var articulation = DLSArticulation()
    articulation.read(parts, of: file)
    for list in file.lists("lrgn", among: parts) {
      for region in file.lists("rgn ", among: list) + file.lists("rgn2", among: list) {
        if let read = self.region(region, places, articulation) { instrument.regions.append(read) }
      }
    }
    return instrument
  }

  private func region(
    _ parts: [RIFFReader.Chunk], _ places: [(wave: Int, playing: WavePlaying)?], _ articulation: DLSArticulation
  ) -> Region? {
    guard let header = parts.first(where: { file.hasTag("rgnh", $0) })?.data.lowerBound,
      let link = parts.first(where: { file.hasTag("wlnk", $0) })?.data.lowerBound,
      let cue = file.long(link + 8), cue < places.count, let place = places[Int(cue)],
      let keys = file.range(header), let velocities = file.range(header + 4), let group = file.word(header + 10)
    else { return nil }
    let playing = parts.first { file.hasTag("wsmp", $0) }.flatMap { WavePlaying(file, $0.data) }
    var region = Region(
      keys: keys, velocities: velocities, keyGroup: group, wave: place.wave, playing: playing ?? place.playing,
      articulation: articulation)
    region.articulation.read(parts, of: file)
    return region
  }
}

/// How a wave is played: its key, tuning, level and loop; a region's own come before those of the wave.
struct WavePlaying {
  var key: UInt8 = 60
  /// In cents.
  var tuning = 0
  /// In units of 1/65536 of a tenth of a decibel.
  var gain = 0
  var loop: Range<Int>?
  /// Whether the loop ends when the key is released.
  var endsAtRelease = false

  init() {}

  /// The chunk `wsmp`.
  init?(_ file: RIFFReader, _ data: Range<Int>) {
    let start = data.lowerBound
    guard let size = file.long(start), let key = file.word(start + 4), let tuning = file.word(start + 6),
      let gain = file.long(start + 8), let loopCount = file.long(start + 16)
    else { return nil }
    self.key = UInt8(min(key, 127))
    self.tuning = Int(Int16(bitPattern: tuning))
    self.gain = Int(Int32(bitPattern: gain))
    let loop = start + Int(size)
    guard loopCount > 0, let type = file.long(loop + 4), let first = file.long(loop + 8),
      let count = file.long(loop + 12), count > 0
    else { return }
    self.loop = Int(first)..<Int(first) + Int(count)
    endsAtRelease = type == 1
  }
}
