@preconcurrency import Glibc
import SynthDSP
import SynthRealtime
import TestSupport

// The helpers of the equalizer's tests: seeded noise, the classic curves, a processor that filters an array.

func sine(_ frequency: Double, sampleRate: Double, count: Int) -> [Float] {
  (0..<count).map { Float(sin(2 * .pi * frequency * Double($0) / sampleRate)) }
}

/// Noise falling by about 3 dB an octave: white noise through three leaky integrators an octave and more apart.
func pinkNoise(seed: UInt64, count: Int) -> [Float] {
  var random = SplitMix64(seed: seed)
  var (slow, middle, fast) = (0.0, 0.0, 0.0)
  return (0..<count).map { _ in
    let white = random.uniform()
    slow += (white * 8 - slow) * 0.002
    middle += (white * 2 - middle) * 0.02
    fast += (white - fast) * 0.2
    return Float((slow + middle + fast) / 6)
  }
}

func curve(_ gains: [Double]) throws -> EqualizerCurve {
  try EqualizerCurve(gains: gains.map { Decibels($0) })
}

func randomCurve(within limit: Double, _ random: inout SplitMix64) throws -> EqualizerCurve {
  try curve((0..<EqualizerCurve.bandCount).map { _ in random.uniform() * limit })
}

/// The 22 classic presets, lowest band first.
let classicCurves: [(name: String, gains: [Double])] = [
  ("acoustic", [5, 4.9, 3.95, 1.05, 2.15, 1.75, 3.5, 4.1, 3.55, 2.15]),
  ("bass-booster", [5.5, 4.25, 3.5, 2.5, 1.25, 0, 0, 0, 0, 0]),
  ("bass-reducer", [-5.5, -4.25, -3.5, -2.5, -1.25, 0, 0, 0, 0, 0]),
  ("classical", [4.75, 3.75, 3, 2.5, -1.5, -1.5, 0, 2.25, 3.25, 3.75]),
  ("dance", [3.57, 6.55, 4.99, 0, 1.92, 3.65, 5.15, 4.54, 3.59, 0]),
  ("deep", [4.95, 3.55, 1.75, 1, 2.85, 2.5, 1.45, -2.15, -3.55, -4.6]),
  ("electronic", [4.25, 3.8, 1.2, 0, -2.15, 2.25, 0.85, 1.25, 3.95, 4.8]),
  ("flat", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
  ("hip-hop", [5, 4.25, 1.5, 3, -1, -1, 1.5, -0.5, 2, 3]),
  ("jazz", [4, 3, 1.5, 2.25, -1.5, -1.5, 0, 1.5, 3, 3.75]),
  ("latin", [4.5, 3, 0, 0, -1.5, -1.5, -1.5, 0, 3, 4.5]),
  ("loudness", [6, 4, 0, 0, -2, 0, -1, -5, 5, 1]),
  ("lounge", [-3, -1.5, -0.5, 1.5, 4, 2.5, 0, -1.5, 2, 1]),
  ("piano", [3, 2, 0, 2.5, 3, 1.5, 3.5, 4.5, 3, 3.5]),
  ("pop", [-1.5, -1, 0, 2, 4, 4, 2, 0, -1, -1.5]),
  ("rnb", [2.62, 6.92, 5.65, 1.33, -2.19, -1.5, 2.32, 2.65, 3, 3.75]),
  ("rock", [5, 4, 3, 1.5, -0.5, -1, 0.5, 2.5, 3.5, 4.5]),
  ("small-speakers", [5.5, 4.25, 3.5, 2.5, 1.25, 0, -1.25, -2.5, -3.5, -4.25]),
  ("spoken-word", [-3.46, -0.47, 0, 0.69, 3.46, 4.61, 4.84, 4.28, 2.54, 0]),
  ("treble-booster", [0, 0, 0, 0, 0, 1.25, 2.5, 3.5, 4.25, 5.5]),
  ("treble-reducer", [0, 0, 0, 0, 0, -1.25, -2.5, -3.5, -4.25, -5.5]),
  ("vocal-booster", [-1.5, -3, -3, 1.5, 3.75, 3.75, 3, 1.5, 0, -1.5]),
]

/// An equalizer on the heap, as a node would hold it.
final class Equalizer {
  private let latest: TripleBuffer<EqualizerCoefficients>
  private var receiver: TripleBuffer<EqualizerCoefficients>.Receiver
  private let bank: EqualizerBank
  private let box: Box<EqualizerProcessor>

  init(
    _ coefficients: EqualizerCoefficients, sampleRate: Double,
    fadeDuration: Double = EqualizerProcessor.defaultFadeDuration, bank: [EqualizerCoefficients] = []
  ) {
    self.bank = EqualizerBank(bank)
    latest = TripleBuffer(coefficients)
    receiver = latest.receiver
    box = Box(
      EqualizerProcessor(
        setting: receiver.latest, bank: self.bank, sampleRate: sampleRate, fadeDuration: fadeDuration))
  }

  /// Sets the coefficients that the next call fetches.
  func post(_ coefficients: EqualizerCoefficients) { latest.send(coefficients) }

  private func fetch() {
    if let setting = receiver.take() { processor.pointee.set(setting) }
  }

  /// Which setting of the bank is wanted, from 1; 0 is what was posted.
  var choice: Int {
    get { processor.pointee.choice }
    set { processor.pointee.choice = newValue }
  }

  private var processor: UnsafeMutablePointer<EqualizerProcessor> { box.pointer }

  /// Filters one channel in blocks.
  func filter(_ input: [Float], block: Int = 64) -> [Float] {
    var output = input
    output.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for start in stride(from: 0, to: buffer.count, by: block) {
        let count = min(block, buffer.count - start)
        fetch()
        _ = processor.pointee.process(
          input: base + start, output: base + start, frameCount: count, inputIsSilent: false)
      }
    }
    return output
  }

  /// Filters two channels at once.
  func filter(left: [Float], right: [Float]) -> (left: [Float], right: [Float]) {
    var outputs = (left: left, right: right)
    let count = min(left.count, right.count)
    outputs.left.withUnsafeMutableBufferPointer { l in
      outputs.right.withUnsafeMutableBufferPointer { r in
        guard let l = l.baseAddress, let r = r.baseAddress else { return }
        fetch()
        _ = processor.pointee.process(
          left: l, right: r, leftOutput: l, rightOutput: r, frameCount: count, inputIsSilent: false)
      }
    }
    return outputs
  }

  /// Pulls one block of silence; the block that came out, and what was said of it.
  func pullSilence(_ count: Int = 64) -> (output: [Float], isSilent: Bool) {
    let input = [Float](repeating: 0, count: count)
    var output = [Float](repeating: 1, count: count)
    let isSilent = input.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        guard let i = input.baseAddress, let o = output.baseAddress else { return false }
        fetch()
        return processor.pointee.process(input: i, output: o, frameCount: count, inputIsSilent: true)
      }
    }
    return (output, isSilent)
  }
}
