@preconcurrency import Glibc

/// Spoken words that come with alsa-utils: "Front Center", "Rear Left" … in mono at 48 kHz.
public enum Speech {
  /// The words one after the other, over and over, at a level in decibels (RMS) of full scale.
  public static func words(_ names: [String], frameCount: Int, level: Double) throws -> [Float] {
    let words = try names.flatMap { samples(try TestFiles.word($0)) }
    let gain = Float(pow(10, level / 20) / rms(words[...]))
    return (0..<frameCount).map { words[$0 % words.count] * gain }
  }

  /// Of 16-bit WAV with the plain header of 44 bytes.
  private static func samples(_ path: String) -> [Float] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    fseek(file, 44, SEEK_SET)
    var words = [Int16](repeating: 0, count: 1 << 18)
    let count = fread(&words, 2, words.count, file)
    return words.prefix(count).map { Float($0) / 32768 }
  }

  public static func rms(_ samples: ArraySlice<Float>) -> Double {
    (samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))).squareRoot()
  }
}
