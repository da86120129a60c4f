@preconcurrency import Glibc

/// The lengths of a room's sixteen delay lines at a sample rate, as the audio thread takes them.
struct ReverbGeometry: BitwiseCopyable {
  static let lineCount = 16

  /// No delay is shorter: a block is read before it is written.
  static let shortest = 80

  /// How far a line's length swings to either side, in frames: 0.2 ms, which at the rates of `ReverbModulation` is at
  /// most two and a half cents.
  let swing: Float

  /// The lengths in frames: primes, so that no two lines ring together, in equal ratios from the shortest to the
  /// longest.
  let lengths: InlineArray<16, Int32>

  /// After how many frames the input first enters each line.
  let entries: InlineArray<16, Int32>

  /// The tangent of half the corner's angle per sample.
  let corner: Float
  let highShare: Float

  /// The gain of the output for which every room, at its own time, gives lows back as loud as they came.
  let gain: Float

  init(_ type: ReverbType, sampleRate: Double) {
    let room = type.room
    swing = Float(0.0002 * sampleRate)
    let ratio = room.paths.upperBound / room.paths.lowerBound
    var taken: Set<Int> = []
    lengths = InlineArray { line in
      // In an order that puts neighbours far apart: the transform mixes neighbours first.
      let step = Double(line * 7 % Self.lineCount) / Double(Self.lineCount - 1)
      var length = Self.prime(from: Int(room.paths.lowerBound * pow(ratio, step) * sampleRate / 1000))
      while !taken.insert(length).inserted { length = Self.prime(from: length + 1) }
      return Int32(length)
    }
    entries = InlineArray { line in
      // The square of an even spread: reflections get denser as they do in a room.
      let share = (Double(line * 11 % Self.lineCount) / Double(Self.lineCount - 1)).squareRoot()
      return Int32(room.spread * share * sampleRate / 1000)
    }
    corner = Float(tan(.pi * min(room.corner, 0.45 * sampleRate) / sampleRate))
    highShare = Float(room.highShare)
    let meanPath = (room.paths.upperBound - room.paths.lowerBound) / log(ratio) / 1000
    gain = Float((1 - pow(10, -6 * meanPath / Double(type.standardTime))).squareRoot())
  }

  /// How many frames of each line the largest room needs at a sample rate.
  static func capacity(sampleRate: Double) -> Int {
    let longest = ReverbType.allCases.map { max($0.room.paths.upperBound, $0.room.spread) }.max() ?? 0
    return Int(longest * sampleRate / 1000 * 1.02) + 2 * shortest
  }

  private static func prime(from start: Int) -> Int {
    var number = max(start, shortest)
    while (2...Int(Double(number).squareRoot())).contains(where: { number % $0 == 0 }) { number += 1 }
    return number
  }
}

/// Sixteen slow sines of different rates, between 0.5 and 1.1 Hz, and phases. They keep the lines of a reverb from
/// ringing at fixed frequencies. [audio thread]
struct ReverbModulation {
  private var cosine = SIMD16<Float>()
  private(set) var sine = SIMD16<Float>()
  private var turnCosine = SIMD16<Float>()
  private var turnSine = SIMD16<Float>()

  init(sampleRate: Double, blockSize: Int) {
    for line in 0..<16 {
      let phase = 2 * Double.pi * Double(line * 5 % 16) / 16
      let turn = 2 * Double.pi * (0.5 + 0.04 * Double(line)) * Double(blockSize) / sampleRate
      (cosine[line], sine[line]) = (Float(cos(phase)), Float(sin(phase)))
      (turnCosine[line], turnSine[line]) = (Float(cos(turn)), Float(sin(turn)))
    }
  }

  /// Goes on by a block.
  @_noLocks
  mutating func advance() {
    let turned = cosine * turnCosine - sine * turnSine
    sine = cosine * turnSine + sine * turnCosine
    cosine = turned
    // Rounding would let the circle grow or shrink; this pulls it back (a Newton step for one over the square root).
    let correction = 1.5 - 0.5 * (cosine * cosine + sine * sine)
    cosine *= correction
    sine *= correction
  }
}
