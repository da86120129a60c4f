import SynthSoundFonts

/// What reading SoundFonts costs, in wall time: the directory, the preset of program 0, all presets. The files are in
/// the page cache.
enum FontTable {
  private static let widths = [22, 11, 14, 13, 14, 13]

  static func measure(_ paths: [String]) throws {
    print(row(["font", "open, ms", "a piano, ms", "MB touched", "all, ms", "MB touched"], widths: widths))
    for path in paths {
      let opened = try milliseconds(51) { _ = try SynthSoundFonts.SoundFont(path: path) }
      let piano = try SynthSoundFonts.SoundFont(path: path).presets.firstIndex { $0.bank == 0 && $0.program == 0 }
      let first = try font(path, presets: Set([piano].compactMap(\.self)), rounds: 11)
      let all = try font(path, presets: nil, rounds: 5)
      let name = String(path.split(separator: "/").last ?? "")
      print(row([name, fixed(opened, 2)] + first + all, widths: widths))
    }
  }

  /// Each time of a font that is opened anew, because it keeps Vorbis samples that were decoded.
  private static func font(_ path: String, presets: Set<Int>?, rounds: Int) throws -> [String] {
    var (times, byteCount) = ([Double](), 0)
    for _ in 0..<rounds {
      let font = try SynthSoundFonts.SoundFont(path: path)
      times.append(milliseconds(1) { byteCount = PlayablePresets(font, presets: presets).preloadedByteCount })
    }
    return [fixed(Distribution(times).median, 2), fixed(Double(byteCount) / 1e6, 1)]
  }

  /// The median of so many rounds.
  private static func milliseconds(_ rounds: Int, _ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    return Distribution(try (0..<rounds).map { _ in try clock.measure(body) / .milliseconds(1) }).median
  }
}
