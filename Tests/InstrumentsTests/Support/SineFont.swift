import Glibc

/// A soundfont whose program 0 is a sine that ends as soon as it is let go; in program 1 two keys are a semitone.
enum SineFont {
  /// The file is gone when `body` returns.
  static func withFile<Result>(_ body: (String) throws -> Result) throws -> Result {
    let path = "/tmp/sine-\(UInt64.random(in: 0 ... .max)).sf2"
    let file = fopen(path, "wb")
    defer { unlink(path) }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    return try body(path)
  }

  /// A file of SoundFont 2.04. Every table ends with a record that only marks its end.
  private static let bytes: [UInt8] = {
    let information = chunk("ifil", words(2, 4)) + chunk("isng", name("EMU8000", 8)) + chunk("INAM", name("Sine", 6))
    let presets =
      chunk("phdr", preset("Sine", 0, bag: 0) + preset("Half", 1, bag: 1) + preset("EOP", 0, bag: 2))
      + chunk("pbag", words(0, 0, 1, 0, 2, 0))
      + chunk("pmod", words(0, 0, 0, 0, 0))
      + chunk("pgen", words(instrument, 0, instrument, 1, 0, 0))
    // Two zones each: what holds for the whole instrument, and the sample.
    let zones = [articulation(attenuation: 10), sample, articulation(attenuation: 13) + words(scaleTuning, 50), sample]
    let starts = (0...4).map { zones[..<$0].joined().count / 4 }
    let instruments =
      chunk("inst", name("Sine", 20) + words(0) + name("Half", 20) + words(2) + name("EOI", 20) + words(4))
      + chunk("ibag", starts.flatMap { words($0, 0) })
      + chunk("imod", words(0, 0, 0, 0, 0))
      + chunk("igen", zones.flatMap(\.self) + words(0, 0))
    let header = longs(0, period * 44, period * 4, period * 40, 440 * period) + [69, 0] + words(0, 1)
    let samples = chunk("shdr", name("sine", 20) + header + name("EOS", 20) + [UInt8](repeating: 0, count: 26))
    return chunk(
      "RIFF",
      name("sfbk") + list("INFO", information) + list("sdta", chunk("smpl", frames))
        + list("pdta", presets + instruments + samples))
  }()

  /// Frames of a period of key 69.
  private static let period = 100
  // Generators (SoundFont 2.04, 8.1.2).
  private static let vibratoDelay = 23, vibratoFrequency = 24, release = 38, instrument = 41, keyRange = 43
  private static let attenuation = 48, sampleID = 53, sampleModes = 54, scaleTuning = 56

  /// 44 periods, and the 46 zeros that the standard wants behind a sample (6.1).
  private static let frames: [UInt8] =
    (0..<44 * period).flatMap { words(Int((30_000 * sin(2 * .pi * Double($0) / Double(period))).rounded())) }
    + [UInt8](repeating: 0, count: 2 * 46)

  /// Released within 2 ms; a vibrato, once asked for, has 5.5 Hz and begins after 0.4 s.
  private static func articulation(attenuation centibels: Int) -> [UInt8] {
    words(release, -10_759, vibratoFrequency, -686, vibratoDelay, -1586, attenuation, centibels)
  }

  /// All keys, looped.
  private static let sample = words(keyRange, 127 << 8, sampleModes, 1, sampleID, 0)

  private static func preset(_ text: String, _ program: Int, bag: Int) -> [UInt8] {
    name(text, 20) + words(program, 0, bag) + longs(0, 0, 0)
  }

  private static func words(_ values: Int...) -> [UInt8] {
    values.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }

  private static func longs(_ values: Int...) -> [UInt8] { values.flatMap { words($0, $0 >> 16) } }

  /// Padded with zeros.
  private static func name(_ text: String, _ width: Int = 4) -> [UInt8] {
    text.utf8 + [UInt8](repeating: 0, count: width - text.utf8.count)
  }

  private static func chunk(_ code: String, _ content: [UInt8]) -> [UInt8] {
    name(code) + longs(content.count) + content
  }

  private static func list(_ code: String, _ content: [UInt8]) -> [UInt8] { chunk("LIST", name(code) + content) }
}
