import SynthRealtime

/// Where a rendering first differs from another, bit for bit: what a failed comparison tells in place of all samples.
struct FirstDifference: Equatable, CustomStringConvertible {
  let channel: Int
  let frame: Int
  /// Nil beyond the end.
  let sample: Float?
  let expected: Float?

  /// Nil where there is none.
  init?(of samples: [[Float]], from expected: [[Float]]) {
    let frameCount = (samples + expected).map(\.count).max() ?? 0
    for frame in 0..<frameCount {
      for channel in 0..<max(samples.count, expected.count) {
        let pair = [samples, expected].map { Self.sample($0, channel, frame) }
        guard pair[0]?.bitPattern != pair[1]?.bitPattern else { continue }
        (self.channel, self.frame, self.sample, self.expected) = (channel, frame, pair[0], pair[1])
        return
      }
    }
    return nil
  }

  private static func sample(_ samples: [[Float]], _ channel: Int, _ frame: Int) -> Float? {
    guard samples.indices.contains(channel), samples[channel].indices.contains(frame) else { return nil }
    return samples[channel][frame]
  }

  var description: String {
    let values = [sample, expected].map { $0.map { "\($0)" } ?? "nothing" }
    return
      "channel \(channel) at frame \(frame) (quantum \(frame / renderQuantum)): \(values[0]) in place of \(values[1])"
  }
}
