@preconcurrency import Glibc
import TestSupport
import Testing

@testable import SynthDSP

@Suite struct EqualizerDesignTests {
  static let rates: [Double] = [44100, 48000, 88200, 96000, 192_000]

  @Test("every classic curve is met within 0.01 dB at every centre", arguments: rates)
  func classicCurves(sampleRate: Double) throws {
    for (name, gains) in DSPTests.classicCurves {
      let design = try EqualizerDesign(curve: curve(gains), sampleRate: sampleRate)
      #expect(design.droppedBands.isEmpty)
      for (frequency, gain) in zip(EqualizerCurve.frequencies, gains) {
        let achieved = design.response(atHertz: frequency).value
        #expect(abs(achieved - gain) < 0.01, "\(name) at \(frequency) Hz")
      }
    }
  }

  @Test("random curves within ±12 dB are met within 0.01 dB, with stable filters", arguments: [8000] + rates)
  func randomCurves(sampleRate: Double) throws {
    var random = SplitMix64(seed: 12)
    for _ in 0..<20 {
      let design = try EqualizerDesign(curve: randomCurve(within: 12, &random), sampleRate: sampleRate)
      #expect(design.worstError < 0.01)
      #expect(design.sections.allSatisfy { $0.a2 < 1 && abs($0.a1) < 1 + $0.a2 })
      #expect(design.sections.allSatisfy { $0.b2 < 1 && abs($0.b1) < 1 + $0.b2 })
    }
  }

  @Test("between two centres a classic curve stays within a quarter decibel of the range of the two")
  func overshoot() throws {
    for (name, gains) in DSPTests.classicCurves {
      let design = try EqualizerDesign(curve: curve(gains), sampleRate: 48000)
      let centres = Array(zip(EqualizerCurve.frequencies, gains))
      for (low, high) in zip(centres, centres.dropFirst()) {
        for share in stride(from: 0.0, to: 1, by: 0.0625) {
          let frequency = low.0 + share * (high.0 - low.0)
          let achieved = design.response(atHertz: frequency).value
          #expect(achieved < max(low.1, high.1) + 0.25 && achieved > min(low.1, high.1) - 0.25, "\(name) \(frequency)")
        }
      }
    }
  }

  @Test("a low sample rate drops the bands it cannot carry and meets the others")
  func droppedBands() throws {
    let gains = [3.0, -3, 3, -3, 3, -3, 3, -3, 3, -3]
    for (rate, dropped) in [(8000.0, 7..<10), (16000, 8..<10), (22050, 9..<10), (32000, 9..<10), (44100, 10..<10)] {
      let design = try EqualizerDesign(curve: curve(gains), sampleRate: rate)
      #expect(design.droppedBands == dropped)
      #expect(design.worstError < 0.01)
      #expect(design.sections[dropped].allSatisfy { $0.isIdentity })
    }
  }

  @Test("a flat curve gives identity sections and no pre-cut")
  func flat() throws {
    let design = try EqualizerDesign(curve: .flat, sampleRate: 48000)
    #expect(design.sections.allSatisfy { $0 == .identity })
    #expect(design.preCut == 0)
    #expect(design.peakBound == 0)
    #expect(design.coefficients.isIdentity)
  }

  @Test("a curve and its mirror undo each other")
  func mirror() throws {
    let gains = DSPTests.classicCurves[0].gains
    let design = try EqualizerDesign(curve: curve(gains), sampleRate: 48000)
    let mirror = try EqualizerDesign(curve: curve(gains.map { -$0 }), sampleRate: 48000)
    for frequency in [20.0, 45, 300, 3000, 11000, 20000] {
      let sum = design.response(atHertz: frequency) + mirror.response(atHertz: frequency)
      #expect(abs(sum.value) < 1e-5)
    }
  }

  @Test("the matched peak near Nyquist keeps the width of the analogue one")
  func noCramping() throws {
    // At 44.1 kHz and at 768 kHz, where 16 kHz is far from Nyquist: the same band, an octave below and above.
    let near = PeakingFilter.section(gain: 12, omega: 2 * .pi * 16000 / 44100)
    let far = PeakingFilter.section(gain: 12, omega: 2 * .pi * 16000 / 768_000)
    for frequency in [8000.0, 12000, 14000, 19000] {
      let nearGain = near.response(t: halfSineSquared(frequency, 44100)).value
      let farGain = far.response(t: halfSineSquared(frequency, 768_000)).value
      #expect(abs(nearGain - farGain) < 0.5, "\(frequency) Hz: \(nearGain) against \(farGain)")
    }
  }

  @Test(
    "up to 18 kHz every classic curve is within 0.15 dB of the analogue one, also at 44.1 kHz",
    arguments: [44100.0, 48000])
  func analogue(sampleRate: Double) throws {
    for (name, gains) in DSPTests.classicCurves {
      let near = try EqualizerDesign(curve: curve(gains), sampleRate: sampleRate)
      // Where 18 kHz is a twentieth of Nyquist, a digital filter is the analogue one.
      let far = try EqualizerDesign(curve: curve(gains), sampleRate: 768_000)
      var frequency = 20.0
      while frequency <= 18000 {
        let error = near.response(atHertz: frequency) - far.response(atHertz: frequency)
        #expect(abs(error.value) < 0.15, "\(name) at \(frequency) Hz: \(error)")
        frequency *= 1.05
      }
    }
  }

  @Test("with a limiter behind it the pre-cut is the peak of the response: no sine grows, and a cut costs nothing")
  func headroomForSines() throws {
    for (name, gains) in DSPTests.classicCurves {
      let design = try EqualizerDesign(curve: curve(gains), sampleRate: 48000, headroom: .everySine)
      #expect(design.preCut == min(.unity, -design.peakResponse), "\(name)")
      let strict = try EqualizerDesign(curve: curve(gains), sampleRate: 48000)
      #expect(design.preCut >= strict.preCut)
    }
    let cut = try EqualizerDesign(
      curve: curve([0, 0, 0, 0, 0, -6, 0, 0, 0, 0]), sampleRate: 48000, headroom: .everySine)
    #expect(cut.preCut > -0.5)
  }

  @Test("the worst input a curve can get leaves it at the stated bound, and with the pre-cut at 1")
  func worstInput() throws {
    let design = try EqualizerDesign(curve: curve([6, 4, 0, 0, -2, 0, -1, -5, 5, 1]), sampleRate: 48000)
    var impulse = [Float](repeating: 0, count: 48000)
    impulse[0] = 1
    let response = Equalizer(design.coefficients, sampleRate: 48000).filter(impulse)
    // The sign of the response, backwards: every term of the convolution then adds up at the last frame.
    let worst = response.reversed().map { Float($0 < 0 ? -1 : 1) }
    let peak = Equalizer(design.coefficients, sampleRate: 48000).filter(worst).map(abs).max() ?? 0
    #expect(peak <= 1)
    #expect(peak > 0.9999)
    #expect(design.peakBound > design.peakResponse)
    #expect(abs((design.peakBound + design.preCut).value) < 0.0001)
  }

  @Test("what cannot be designed is refused with one line")
  func refusals() throws {
    #expect(throws: EqualizerError.bandCount(3)) { try EqualizerCurve(gains: [1, 2, 3]) }
    #expect(throws: EqualizerError.gain(band: 2, 24.5)) { try curve([0, 0, 24.5, 0, 0, 0, 0, 0, 0, 0]) }
    #expect(throws: (any Error).self) { try curve([.nan, 0, 0, 0, 0, 0, 0, 0, 0, 0]) }
    for rate in [0, -1, 7999, 1e9, .infinity, .nan] as [Double] {
      #expect(throws: EqualizerError.self) { try EqualizerDesign(curve: .flat, sampleRate: rate) }
    }
    #expect(
      "\(EqualizerError.bandCount(3))" == "setting the equalizer: 3 gains given; give 10, one for each band")
    #expect(
      "\(EqualizerError.gain(band: 2, 24.5))"
        == "setting the equalizer: band 125 Hz: 24.5 dB is outside −24…24 dB; choose a gain within it")
    #expect(
      "\(EqualizerError.sampleRate(1))"
        == "designing the equalizer: a sample rate of 1.0 Hz is outside 8000…768000 Hz; choose one within it")
  }
}

private func halfSineSquared(_ frequency: Double, _ sampleRate: Double) -> Double {
  let half = sin(.pi * frequency / sampleRate)
  return half * half
}
