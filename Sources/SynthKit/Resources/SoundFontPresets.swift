@preconcurrency import Glibc
import Instruments

/// The presets that a SoundFont lists, read without its samples: a big font takes under a millisecond.
///
/// Source: SoundFont Technical Specification 2.04, "The PHDR Sub-chunk".
public struct SoundFontPresets: Sendable {
  private struct Place: Hashable {
    let bank: Int
    let program: Int
  }

  private let names: [Place: String]

  /// Reads the list of a font, .sf2 or .sf3. [control thread]
  ///
  /// - Throws: `InstrumentError` for a file that cannot be read or is no SoundFont.
  public init(path: String) throws(InstrumentError) {
    guard let file = fopen(path, "rb") else {
      throw .soundFontUnreadable(path: path, reason: String(cString: strerror(errno)).lowercased())
    }
    defer { fclose(file) }
    guard let header = Self.read(12, from: file), header.starts(with: "RIFF".utf8),
      header[8...].elementsEqual("sfbk".utf8), let records = Self.presetHeaders(in: file)
    else { throw .notASoundFont(path: path, reason: "it has no list of presets") }
    var names: [Place: String] = [:]
    // Of 38 bytes each; the last one ends the list.
    for start in stride(from: 0, to: records.count - 2 * 38 + 1, by: 38) {
      let record = records[start..<start + 38]
      func number(at offset: Int) -> Int { Int(record[start + offset]) | Int(record[start + offset + 1]) << 8 }
      let place = Place(bank: number(at: 22), program: number(at: 20))
      names[place] = names[place] ?? String(decoding: record.prefix(20).prefix { $0 != 0 }, as: UTF8.self)
    }
    self.names = names
  }

  /// Bank, program and name of each preset, in this order.
  public var all: [(bank: Int, program: Int, name: String)] {
    names.map { ($0.key.bank, $0.key.program, $0.value) }.sorted { ($0.bank, $0.program) < ($1.bank, $1.program) }
  }

  /// The name of a preset; nil where the font does not have it. Drums are in bank 128.
  public func name(bank: Int, program: Int) -> String? { names[Place(bank: bank, program: program)] }

  /// The data of the chunk `phdr` in the list `pdta`.
  private static func presetHeaders(in file: UnsafeMutablePointer<FILE>) -> [UInt8]? {
    while let chunk = read(8, from: file) {
      let length = chunk[4...].reversed().reduce(0) { $0 << 8 | Int($1) }
      if chunk.starts(with: "LIST".utf8) {
        guard let kind = read(4, from: file) else { return nil }
        // The list's chunks are the next ones.
        if kind.elementsEqual("pdta".utf8) { continue }
        guard fseek(file, max(length - 4, 0) + length % 2, SEEK_CUR) == 0 else { return nil }
      } else if chunk.starts(with: "phdr".utf8) {
        // 65536 presets are more than MIDI can name.
        return length <= 65536 * 38 ? read(length, from: file) : nil
      } else {
        guard fseek(file, length + length % 2, SEEK_CUR) == 0 else { return nil }
      }
    }
    return nil
  }

  private static func read(_ count: Int, from file: UnsafeMutablePointer<FILE>) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return fread(&bytes, 1, count, file) == count ? bytes : nil
  }
}
