import CSynthRealtime

/// Makes channels from others by a matrix of gains. [audio thread]
public struct ChannelMatrix: ~Copyable {
  /// How many channels it reads.
  public let inputCount: Int
  /// How many channels it makes.
  public let outputCount: Int
  /// By output, then input channel.
  private let gains: UnsafeMutablePointer<Float>

  /// [control thread]
  ///
  /// - Parameter rows: one per output channel, with `inputCount` gains each.
  public init(_ rows: [[Float]], inputCount: Int) {
    self.inputCount = inputCount
    outputCount = rows.count
    gains = .allocate(capacity: max(1, inputCount * rows.count))
    for (output, row) in rows.enumerated() {
      for input in 0..<inputCount { (gains + output * inputCount + input).initialize(to: row[input]) }
    }
  }

  deinit { gains.deallocate() }

  /// Makes one channel; one that is an input channel unchanged keeps every bit. [audio thread]
  ///
  /// - Parameters:
  ///   - source: the first input channel; the others follow, `stride` samples apart.
  ///   - destination: like each channel of `source` 32-byte aligned.
  ///   - count: frames, a multiple of eight.
  @_noLocks
  public func mix(
    _ output: Int, from source: UnsafePointer<Float>, stride: Int, into destination: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    var isFirst = true
    for input in 0..<inputCount {
      let gain = gains[output &* inputCount &+ input]
      guard gain != 0 else { continue }
      let samples = source + input &* stride
      if isFirst && gain == 1 {
        realtime_copy(destination, samples, count)
      } else if isFirst {
        _ = scaleBlock(samples, into: destination, gain: GainSegment(start: gain, step: 0), count: count)
      } else {
        addBlock(samples, into: destination, gain: GainSegment(start: gain, step: 0), count: count)
      }
      isFirst = false
    }
    if isFirst { destination.update(repeating: 0, count: count) }
  }
}

extension ChannelMatrix {
  /// What a device or another stream gets of a mix where nothing else is asked for, by output and input channel.
  ///
  /// Mono goes to the first two channels. 4.0, 5.1 and 7.1, in the order of WAVE files, go into stereo with centre and
  /// surrounds at -3 dB and without the low-frequency channel (ITU-R BS.775), and into mono as the mean of that.
  /// Anything else goes into mono as the mean; and otherwise channel n goes to channel n.
  public static func standardRows(from inputCount: Int, to outputCount: Int) -> [[Float]] {
    if let stereo = stereoRows[inputCount] {
      if outputCount == 2 { return stereo }
      if outputCount == 1 { return [zip(stereo[0], stereo[1]).map { ($0 + $1) / 2 }] }
    }
    if inputCount > 1, outputCount == 1 { return [Array(repeating: 1 / Float(inputCount), count: inputCount)] }
    return (0..<outputCount).map { output in
      let source = inputCount == 1 && output == 1 ? 0 : output
      return (0..<inputCount).map { $0 == source ? 1 : 0 }
    }
  }

  /// Left and right of a layout, by its number of channels: front left and right, then centre and low frequencies
  /// where there are such, then surrounds in pairs.
  private static let stereoRows: [Int: [[Float]]] = {
    let part = Float(0.5).squareRoot()
    return [
      4: [[1, 0, part, 0], [0, 1, 0, part]],
      6: [[1, 0, part, 0, part, 0], [0, 1, part, 0, 0, part]],
      8: [[1, 0, part, 0, part, 0, part, 0], [0, 1, part, 0, 0, part, 0, part]],
    ]
  }()
}
