import DSP
import Realtime

/// Makes one quantum of channels from another by a matrix of gains. [audio thread]
struct ChannelMatrix: ~Copyable {
  let inputCount: Int
  let outputCount: Int
  /// By output, then input channel.
  private let gains: UnsafeMutablePointer<Float>

  /// - Parameter rows: one per output channel, with `inputCount` gains each.
  init(_ rows: [[Float]], inputCount: Int) {
    self.inputCount = inputCount
    outputCount = rows.count
    gains = .allocate(capacity: max(1, inputCount * rows.count))
    for (output, row) in rows.enumerated() {
      for input in 0..<inputCount { (gains + output * inputCount + input).initialize(to: row[input]) }
    }
  }

  deinit { gains.deallocate() }

  /// Both ends 32-byte aligned, their channels `renderQuantum` samples apart.
  @_noLocks
  func apply(_ source: UnsafePointer<Float>, to destination: UnsafeMutablePointer<Float>) {
    for output in 0..<outputCount {
      let target = destination + output &* renderQuantum
      var isFirst = true
      for input in 0..<inputCount {
        let gain = gains[output &* inputCount &+ input]
        guard gain != 0 else { continue }
        let samples = source + input &* renderQuantum
        if isFirst && gain == 1 {
          copySamples(from: samples, to: target, count: renderQuantum)
        } else if isFirst {
          _ = scaleBlock(samples, into: target, gain: GainSegment(start: gain, step: 0), count: renderQuantum)
        } else {
          _ = mixBlock(samples, into: target, gain: GainSegment(start: gain, step: 0), count: renderQuantum)
        }
        isFirst = false
      }
      if isFirst { target.update(repeating: 0, count: renderQuantum) }
    }
  }
}
