import Glibc

@testable import SoundFontSynthesis

/// A soundfont whose program 0 is a sine that ends as soon as it is let go; in program 1 two keys are a semitone.
enum SineFont {
  /// The file is gone when `body` returns.
  static func withFile<Result>(_ body: (String) throws -> Result) throws -> Result {
    // A hundred frames a period of key 69.
    let frames = (0..<4400).map { sin(2 * .pi * Double($0) / 100) }
    let sample = SampleSet("sine", [Wave(frames: frames, rate: 44000, key: 69, loop: 400..<4000)])
    var articulation = Articulation()
    articulation.release = 0.002
    var stretched = articulation
    stretched.scaleTuning = 50
    let presets = [Preset(0, "Sine", [Layer(sample, articulation)]), Preset(1, "Half", [Layer(sample, stretched)])]
    let path = "/tmp/sine-\(UInt64.random(in: 0 ... .max)).sf2"
    let file = fopen(path, "wb")
    defer { unlink(path) }
    let bytes = SoundFontWriter.file(presets, name: "Sine")
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    return try body(path)
  }
}
