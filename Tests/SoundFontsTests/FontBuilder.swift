import Synchronization
import SynthSoundFonts

/// The bytes of a small SoundFont, damaged wherever a test wants it.
struct FontBuilder {
  struct Zone {
    /// Numbers of generators and their amounts, in this order.
    var generators: [(Int, Int)] = []
    /// Source, destination, amount, amount's source, transform.
    var modulators: [[Int]] = []
  }

  struct Item {
    var name: String
    var bank = 0
    var program = 0
    var zones: [Zone]
  }

  struct Sample {
    var name = "wave"
    var start = 0
    var end = 100
    var loop = (10, 90)
    var rate = 44100
    var rootKey = 60
    var correction = 0
    var type = 1
  }

  var version = (2, 1)
  var information: [(String, String)] = [("INAM", "Test")]
  var presets = [Item(name: "Preset", zones: [Zone(generators: [(41, 0)])])]
  var instruments = [Item(name: "Instrument", zones: [Zone(generators: [(53, 0)])])]
  var samples = [Sample()]
  var words = [Int16](0..<200)
  var lowBytes: [UInt8] = []
  /// Changes the data of a chunk of records before it is written.
  var damage: [String: ([UInt8]) -> [UInt8]] = [:]

  var bytes: [UInt8] {
    let information =
      chunk("ifil", word(version.0) + word(version.1)) + information.flatMap { chunk($0, Array($1.utf8) + [0]) }
    let data = words.flatMap { word(Int($0)) }
    let waves = chunk("smpl", data) + (lowBytes.isEmpty ? [] : chunk("sm24", lowBytes))
    let lists = list("INFO", information) + list("sdta", waves) + list("pdta", tables)
    return chunk("RIFF", Array("sfbk".utf8) + lists)
  }

  private var tables: [UInt8] {
    let (presetRecords, presetZones) = level(presets) { word($0.program) + word($0.bank) }
    let (instrumentRecords, instrumentZones) = level(instruments) { _ in [] }
    let headers = samples.flatMap(header) + name("EOS") + [UInt8](repeating: 0, count: 26)
    let presetHeaders = presetRecords.flatMap { $0 + [UInt8](repeating: 0, count: 12) }
    var tables = table("phdr", presetHeaders) + presetZones("p")
    tables += table("inst", instrumentRecords.flatMap(\.self)) + instrumentZones("i")
    return tables + table("shdr", headers)
  }

  private func header(_ sample: Sample) -> [UInt8] {
    let places = [sample.start, sample.end, sample.loop.0, sample.loop.1, sample.rate].flatMap(long)
    let pitch = [UInt8(sample.rootKey), UInt8(bitPattern: Int8(sample.correction))]
    return name(sample.name) + places + pitch + word(0) + word(sample.type)
  }

  /// The records of the items with their first zones, and the three chunks of their zones.
  private func level(
    _ items: [Item], _ numbers: (Item) -> [UInt8]
  ) -> (records: [[UInt8]], zones: (String) -> [UInt8]) {
    var (records, bags, modulators, generators): ([[UInt8]], [UInt8], [UInt8], [UInt8]) = ([], [], [], [])
    for item in items + [Item(name: "END", zones: [])] {
      records.append(name(item.name) + numbers(item) + word(bags.count / 4))
      for zone in item.zones {
        bags += word(generators.count / 4) + word(modulators.count / 10)
        modulators += zone.modulators.flatMap { $0.flatMap(word) }
        generators += zone.generators.flatMap { word($0) + word($1) }
      }
    }
    bags += word(generators.count / 4) + word(modulators.count / 10)
    modulators += [UInt8](repeating: 0, count: 10)
    generators += [UInt8](repeating: 0, count: 4)
    return (
      records,
      { self.table($0 + "bag", bags) + self.table($0 + "mod", modulators) + self.table($0 + "gen", generators) }
    )
  }

  private func table(_ tag: String, _ data: [UInt8]) -> [UInt8] { chunk(tag, damage[tag]?(data) ?? data) }

  private func list(_ kind: String, _ data: [UInt8]) -> [UInt8] { chunk("LIST", Array(kind.utf8) + data) }

  func chunk(_ tag: String, _ data: [UInt8]) -> [UInt8] {
    Array(tag.utf8) + long(data.count) + data + (data.count % 2 == 1 ? [0] : [])
  }

  private func name(_ text: String) -> [UInt8] {
    let letters = Array(text.utf8.prefix(20))
    return letters + [UInt8](repeating: 0, count: 20 - letters.count)
  }

  private func word(_ number: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
  }

  private func long(_ number: Int) -> [UInt8] { word(number) + word(number >> 16) }
}

extension FontBuilder {
  /// What pointers lead into stays until the tests end.
  private static let kept = Mutex<[PlayablePresets]>([])

  static func keep(_ presets: PlayablePresets) -> PlayablePresets {
    kept.withLock { $0.append(presets) }
    return presets
  }

  /// All presets, which are kept.
  func playable() throws -> PlayablePresets { Self.keep(PlayablePresets(try SoundFont(bytes: bytes, name: "test"))) }
}
