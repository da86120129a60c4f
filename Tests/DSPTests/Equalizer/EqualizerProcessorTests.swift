@preconcurrency import Glibc
import TestSupport
import Testing

@testable import SynthDSP

@Suite struct EqualizerProcessorTests {
  @Test("the response measured from an impulse is the response claimed", arguments: [44100.0, 48000, 96000])
  func claimedAgainstMeasured(sampleRate: Double) throws {
    for (name, gains) in classicCurves {
      let design = try EqualizerDesign(curve: curve(gains), sampleRate: sampleRate)
      var impulse = [Float](repeating: 0, count: Int(sampleRate / 4))
      impulse[0] = 1
      let response = Equalizer(design.coefficients, sampleRate: sampleRate).filter(impulse)
      for frequency in EqualizerCurve.frequencies + [45, 90, 2800, 11000, 19000] {
        let measured = magnitude(of: response, at: frequency / sampleRate) - design.preCut
        let claimed = design.response(atHertz: frequency)
        #expect(abs((measured - claimed).value) < 0.005, "\(name) at \(frequency) Hz")
      }
    }
  }

  @Test("the error against the same filters in 80 bits is below −120 dB")
  func precision() throws {
    let design = try EqualizerDesign(curve: curve([12, -12, 12, -12, 12, -12, 12, -12, 12, -12]), sampleRate: 192_000)
    let noise = pinkNoise(seed: 3, count: 20000)
    let output = Equalizer(design.coefficients, sampleRate: 192_000).filter(noise)
    let reference = extendedPrecision(design, noise)
    let error = zip(output, reference).map { Double($0) - $1 }
    #expect(level(error) - level(reference) < -120)
  }

  @Test("a flat setting passes every bit, not-a-numbers and negative zero included")
  func transparent() {
    let input: [Float] = [0, -0.0, 1, -1, .nan, .infinity, .leastNonzeroMagnitude, 0.1]
    let output = Equalizer(.flat, sampleRate: 48000).filter(input)
    #expect(output.map(\.bitPattern) == input.map(\.bitPattern))
  }

  @Test("block sizes do not change a bit, also across a change of setting", arguments: [1, 7, 32, 100, 640])
  func blockSizes(block: Int) throws {
    let noise = pinkNoise(seed: 5, count: 1600)
    let (from, to) = (try coefficients("pop"), try coefficients("rock"))
    func render(_ block: Int) -> [Float] {
      let equalizer = Equalizer(from, sampleRate: 48000, fadeDuration: 0.01)
      equalizer.post(to)
      return equalizer.filter(noise, block: block)
    }
    #expect(render(block) == render(64))
  }

  @Test("the channels of a pair are filtered alike and do not mix")
  func channels() throws {
    let noise = pinkNoise(seed: 7, count: 300)
    let setting = try coefficients("deep")
    let zero = [Float](repeating: 0, count: 300)
    let mono = Equalizer(setting, sampleRate: 48000).filter(noise)
    let leftOnly = Equalizer(setting, sampleRate: 48000).filter(left: noise, right: zero)
    let rightOnly = Equalizer(setting, sampleRate: 48000).filter(left: zero, right: noise)
    #expect(leftOnly.left == mono && leftOnly.right == zero)
    #expect(rightOnly.right == mono && rightOnly.left == zero)
  }

  @Test("when input ends the output decays below −180 dB, is then exactly silent and says so")
  func silence() throws {
    let equalizer = Equalizer(try coefficients("bass-booster"), sampleRate: 48000)
    _ = equalizer.filter(sine(40, sampleRate: 48000, count: 4800))
    #expect(!equalizer.pullSilence().isSilent)
    var last: Float = 1
    for _ in 0..<1500 {
      let (output, isSilent) = equalizer.pullSilence()
      if isSilent {
        #expect(output.allSatisfy { $0 == 0 })
        #expect(abs(last) < 1e-9)
        return
      }
      last = output[63]
    }
    Issue.record("two seconds later still not silent")
  }

  @Test("a flat setting is silent at once when its input is")
  func flatSilence() {
    let (output, isSilent) = Equalizer(.flat, sampleRate: 48000).pullSilence()
    #expect(isSilent && output.allSatisfy { $0 == 0 })
  }

  @Test("a pre-cut curve keeps noise and square waves at full scale within full scale, also while it changes")
  func neverClips() throws {
    var random = SplitMix64(seed: 9)
    let equalizer = Equalizer(.flat, sampleRate: 48000, fadeDuration: 0.02)
    for (name, gains) in classicCurves {
      equalizer.post(try EqualizerDesign(curve: curve(gains), sampleRate: 48000).coefficients)
      let input = (0..<2000).map { n in Float(n % 200 < 100 ? 1 : -1) * (n < 1000 || random.uniform() > 0 ? 1 : -1) }
      #expect(equalizer.filter(input).allSatisfy { abs($0) <= 1 }, "changing to \(name)")
    }
  }

  @Test("a not-a-number or infinity in the input spoils its own block only", arguments: [Float.nan, .infinity])
  func healing(bad: Float) throws {
    let equalizer = Equalizer(try coefficients("pop"), sampleRate: 48000)
    _ = equalizer.filter([0.5, bad, 0.5])
    let after = equalizer.filter([0.5, 0.25])
    #expect(after == Equalizer(try coefficients("pop"), sampleRate: 48000).filter([0.5, 0.25]))
  }
}

func coefficients(_ name: String, sampleRate: Double = 48000) throws -> EqualizerCoefficients {
  let gains = try #require(classicCurves.first { $0.name == name }).gains
  return try EqualizerDesign(curve: curve(gains), sampleRate: sampleRate).coefficients
}

/// The magnitude of a signal's Fourier transform at a frequency in cycles per sample.
private func magnitude(of signal: [Float], at frequency: Double) -> Decibels {
  var (re, im) = (0.0, 0.0)
  for (n, x) in signal.enumerated() {
    re += Double(x) * cos(2 * .pi * frequency * Double(n))
    im -= Double(x) * sin(2 * .pi * frequency * Double(n))
  }
  return Decibels(amplitude: (re * re + im * im).squareRoot())
}

private func level(_ signal: [Double]) -> Decibels {
  Decibels(amplitude: (signal.reduce(0) { $0 + $1 * $1 } / Double(signal.count)).squareRoot())
}
