import Testing

@testable import SynthDSP

@Suite struct EqualizerFadeTests {
  static let rate = 48000.0
  static let settled = 960
  static let settings = classicCurves.compactMap { try? coefficients($0.name) }
  private static let bassNote = Case(sine(100, sampleRate: rate, count: settled + 4800), fadeDuration: 0.1, margin: 1.1)
  private static let noise = Case(pinkNoise(seed: 11, count: settled + 960), fadeDuration: 0.02, margin: 1.02)

  @Test("no change between two presets bends a bass note more than either preset does", arguments: 0..<22)
  func bassNote(from: Int) {
    checkFades(from: from, Self.bassNote)
  }

  @Test("no change between two presets adds an edge to pink noise that neither preset has", arguments: 0..<22)
  func noise(from: Int) {
    checkFades(from: from, Self.noise)
  }

  /// Compares the sharpest bend (second difference) while fading to every other preset with the sharpest of the two.
  private func checkFades(from: Int, _ test: Case) {
    #expect(Self.settings.count == 22)
    for to in Self.settings.indices where to != from {
      let equalizer = Equalizer(Self.settings[from], sampleRate: Self.rate, fadeDuration: test.fadeDuration)
      let before = equalizer.filter(Array(test.signal[..<Self.settled]))
      equalizer.post(Self.settings[to])
      let bend = sharpestBend(before + equalizer.filter(Array(test.signal[Self.settled...])))
      let steady = max(test.steadyBends[from], test.steadyBends[to])
      #expect(bend <= steady * test.margin, "\(classicCurves[from].name) to \(classicCurves[to].name)")
    }
  }

  @Test("a change at once, without a fade, would fail that comparison")
  func hardSwitch() throws {
    let signal = sine(100, sampleRate: Self.rate, count: 1440)
    let (from, to) = (try coefficients("flat"), try coefficients("rnb"))
    let equalizer = Equalizer(from, sampleRate: Self.rate, fadeDuration: 0)
    let before = equalizer.filter(Array(signal[..<1000]))
    equalizer.post(to)
    let bend = sharpestBend(before + equalizer.filter(Array(signal[1000...])))
    #expect(bend > 10 * sharpestBend(signal))
  }

  @Test("after the fade the output is that of the new setting alone")
  func arrival() throws {
    let signal = sine(1000, sampleRate: Self.rate, count: 9600)
    let equalizer = Equalizer(try coefficients("pop"), sampleRate: Self.rate)
    _ = equalizer.filter([Float](repeating: 0.1, count: 64))
    equalizer.post(try coefficients("rock"))
    let changed = equalizer.filter(signal)
    let rock = Equalizer(try coefficients("rock"), sampleRate: Self.rate).filter(signal)
    #expect(changed[4800...] == rock[4800...])
    #expect(changed[..<4800] != rock[..<4800])
  }

  @Test("a fade to flat ends in bit-identical audio")
  func fadeToFlat() throws {
    let noise = pinkNoise(seed: 13, count: 6400)
    let equalizer = Equalizer(try coefficients("loudness"), sampleRate: Self.rate)
    equalizer.post(.flat)
    #expect(equalizer.filter(noise)[4864...] == noise[4864...])
  }

  @Test("what has been silent so far begins with the new setting, without a fade")
  func fromSilence() throws {
    let noise = pinkNoise(seed: 17, count: 640)
    let equalizer = Equalizer(try coefficients("pop"), sampleRate: Self.rate)
    _ = equalizer.pullSilence()
    equalizer.post(try coefficients("rock"))
    #expect(equalizer.filter(noise) == Equalizer(try coefficients("rock"), sampleRate: Self.rate).filter(noise))
  }

  @Test("of several settings posted during a fade only the latest follows")
  func latestWins() throws {
    let signal = sine(1000, sampleRate: Self.rate, count: 9600)
    let equalizer = Equalizer(try coefficients("pop"), sampleRate: Self.rate, fadeDuration: 0.05)
    _ = equalizer.filter(Array(signal[..<64]))
    equalizer.post(try coefficients("rock"))
    _ = equalizer.filter(Array(signal[..<64]))
    for name in ["jazz", "deep", "flat"] { equalizer.post(try coefficients(name)) }
    let output = equalizer.filter(signal)
    #expect(output[5000...] == signal[5000...])
  }
}

/// A signal, how fast to fade in it, and how sharply each preset bends it when nothing changes.
private struct Case {
  var signal: [Float]
  var fadeDuration: Double
  var margin: Float
  var steadyBends: [Float]

  init(_ signal: [Float], fadeDuration: Double, margin: Float) {
    self.signal = signal
    self.fadeDuration = fadeDuration
    self.margin = margin
    steadyBends = EqualizerFadeTests.settings.map {
      sharpestBend(Equalizer($0, sampleRate: EqualizerFadeTests.rate).filter(signal))
    }
  }
}

/// The largest second difference of a signal.
func sharpestBend(_ signal: [Float]) -> Float {
  // The first 10 ms are the filters waking up, which is the same with and without a change.
  signal.indices.dropFirst(480).dropLast().reduce(0) { sharpest, n in
    max(sharpest, abs(signal[n - 1] - 2 * signal[n] + signal[n + 1]))
  }
}
