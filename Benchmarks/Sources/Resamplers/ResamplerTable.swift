import Glibc
import SynthDSP

/// What conversions of ten seconds of stereo cost, and how clean they are.
enum ResamplerTable {
  private static let seconds = 10
  private static let turns = 9
  private static let conversions: [(name: String, step: Double, deviation: Double, rate: Int)] = [
    (name: "44.1 to 48 kHz", step: 147.0 / 160, deviation: 0, rate: 44100),
    (name: "48 to 44.1 kHz", step: 160.0 / 147, deviation: 0, rate: 48000),
    (name: "96 to 44.1 kHz", step: 320.0 / 147, deviation: 0, rate: 96000),
    (name: "44.1 to 48 kHz, 200 ppm up and down", step: 147.0 / 160, deviation: 200e-6, rate: 44100),
    (name: "48 kHz, 200 ppm up and down", step: 1, deviation: 200e-6, rate: 48000),
  ]

  static func measure() throws {
    for conversion in conversions {
      let beginning = milliseconds()
      // Its table is shared by those that follow.
      let first = try StreamResampler(channelCount: 2, step: conversion.step)
      let making = milliseconds() - beginning
      print(column(conversion.name, 40) + ["CPU ms", "through", "0.31", "0.95"].map { cell($0) }.joined())
      let frames = conversion.rate * seconds
      var state: UInt32 = 1
      let noise = (0..<frames * 2).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return Float(Int32(bitPattern: state)) * 0x1p-32
      }
      var output = [Float](repeating: 0, count: Int(Double(frames) / conversion.step) * 2)
      var times = Contender.all.map { _ in [Double]() }
      for _ in 0..<turns {
        for (index, contender) in Contender.all.enumerated() {
          let start = milliseconds()
          _ = contender.convert(noise, &output, conversion.step, conversion.deviation)
          times[index].append(milliseconds() - start)
        }
      }
      let medians = times.map { $0.sorted()[turns / 2] }
      for (contender, median) in zip(Contender.all, medians) {
        var cells = [fixed(median, 1), fixed(median / medians[1], 3)]
        if conversion.deviation == 0 {
          cells += [0.31, 0.95].map { fixed(rest(contender, conversion.step, part: $0), 1) }
        }
        print(column(contender.name, 40) + cells.map { cell($0) }.joined())
      }
      print("our table is made in \(fixed(making, 1)) ms\n")
      withExtendedLifetime(first) {}
    }
  }

  /// All but the tone of a part of half the lower rate, in decibels below it.
  private static func rest(_ contender: Contender, _ step: Double, part: Double) -> Double {
    let frequency = part / max(1, step)
    let input = (0..<60_000).flatMap { frame -> [Float] in
      let sample = Float(sin(.pi * frequency * Double(frame) + 0.3))
      return [sample, sample]
    }
    var output = [Float](repeating: 0, count: Int(50_000 / step) * 2)
    let count = contender.convert(input, &output, step, 0)
    // Delays, where there are any, and the beginning are over by then.
    let left = (8192..<min(count, 24_576)).map { Double(output[$0 * 2]) }
    var (ss, sc, cc, ys, yc) = (0.0, 0.0, 0.0, 0.0, 0.0)
    let waves = left.indices.map {
      (sin(.pi * frequency * step * Double($0)), cos(.pi * frequency * step * Double($0)))
    }
    for (sample, (s, c)) in zip(left, waves) {
      ss += s * s
      sc += s * c
      cc += c * c
      ys += sample * s
      yc += sample * c
    }
    let determinant = ss * cc - sc * sc
    let (a, b) = ((ys * cc - yc * sc) / determinant, (yc * ss - ys * sc) / determinant)
    var (difference, power) = (0.0, 0.0)
    for (sample, (s, c)) in zip(left, waves) {
      let fitted = a * s + b * c
      difference += (sample - fitted) * (sample - fitted)
      power += fitted * fitted
    }
    return 10 * log10(difference / power)
  }

  /// Of this thread.
  private static func milliseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) * 1e-6
  }

  private static func column(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private static func cell(_ text: String) -> String { String(repeating: " ", count: max(1, 10 - text.count)) + text }

  private static func fixed(_ value: Double, _ decimals: Int) -> String {
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    let scaled = Int((abs(value) * scale).rounded())
    let fraction = "\(scaled % Int(scale))"
    return (value < 0 ? "-" : "") + "\(scaled / Int(scale))."
      + String(repeating: "0", count: decimals - fraction.count) + fraction
  }
}
