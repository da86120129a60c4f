// A small reader of SoundFont files, written apart from the writer, so that one checks the other.
@preconcurrency import Glibc

/// The tables of a SoundFont 2 file as they stand in it.
struct SoundFontFile {
  struct Broken: Error { let reason: String }

  struct Preset {
    let name: String
    let program, bank, firstBag: Int
  }

  struct Instrument {
    let name: String
    let firstBag: Int
  }

  struct Bag { let firstGenerator, firstModulator: Int }

  struct Generator {
    let kind: Int
    let amount: Int

    var low: Int { amount & 0xFF }
    var high: Int { amount >> 8 }
  }

  struct Sample {
    let name: String
    let start, end, loopStart, loopEnd, rate, key, correction, type: Int
  }

  let bytes: [UInt8]
  private(set) var chunks: [String: Range<Int>] = [:]

  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    guard text(0..<4) == "RIFF", text(8..<12) == "sfbk", word(4) + 8 == bytes.count else {
      throw Broken(reason: "not a RIFF file of type sfbk and of the size it says")
    }
    try collect(12..<bytes.count)
  }

  init(path: String) throws {
    guard let file = fopen(path, "rb") else { throw Broken(reason: "cannot open \(path)") }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 2_000_000)
    let count = fread(&bytes, 1, bytes.count, file)
    try self.init(Array(bytes.prefix(count)))
  }

  var frames: [Int16] {
    let data = chunks["smpl"] ?? 0..<0
    return stride(from: data.lowerBound, to: data.upperBound, by: 2).map { Int16(truncatingIfNeeded: half($0)) }
  }

  var presets: [Preset] {
    records("phdr", size: 38).map {
      Preset(name: name($0), program: half($0 + 20), bank: half($0 + 22), firstBag: half($0 + 24))
    }
  }

  var instruments: [Instrument] {
    records("inst", size: 22).map { Instrument(name: name($0), firstBag: half($0 + 20)) }
  }

  var samples: [Sample] {
    records("shdr", size: 46).map { at in
      Sample(
        name: name(at), start: word(at + 20), end: word(at + 24), loopStart: word(at + 28), loopEnd: word(at + 32),
        rate: word(at + 36), key: Int(bytes[at + 40]), correction: Int(Int8(bitPattern: bytes[at + 41])),
        type: half(at + 44))
    }
  }

  func bags(_ chunk: String) -> [Bag] {
    records(chunk, size: 4).map { Bag(firstGenerator: half($0), firstModulator: half($0 + 2)) }
  }

  func generators(_ chunk: String) -> [Generator] {
    records(chunk, size: 4).map { Generator(kind: half($0), amount: half($0 + 2)) }
  }

  /// Offsets of a chunk's records.
  func records(_ chunk: String, size: Int) -> [Int] {
    let range = chunks[chunk] ?? 0..<0
    return Array(stride(from: range.lowerBound, through: range.upperBound - size, by: size))
  }

  private mutating func collect(_ range: Range<Int>) throws {
    var at = range.lowerBound
    while at < range.upperBound {
      let size = word(at + 4)
      let content = at + 8..<at + 8 + size
      guard content.upperBound <= range.upperBound else { throw Broken(reason: "a chunk runs over at \(at)") }
      if text(at..<at + 4) == "LIST" {
        try collect(content.lowerBound + 4..<content.upperBound)
      } else {
        chunks[text(at..<at + 4)] = content
      }
      at = content.upperBound + size % 2
    }
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
  private func name(_ at: Int) -> String {
    String(decoding: bytes[at..<at + 20].prefix { $0 != 0 }, as: UTF8.self)
  }
  private func half(_ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }
  private func word(_ at: Int) -> Int { half(at) | half(at + 2) << 16 }
}

/// The committed font.
let fontPath = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 } + "/synth-gm.sf2"
