// Waves of one sound at several keys, brought to one loudness.

/// A sample of the font: 16-bit frames and how to play them.
struct Sample: Sendable {
  /// At most 20 ASCII characters, unique in the font.
  let name: String
  let frames: [Int16]
  let rate: Int
  let key: Int
  let loop: Range<Int>?
}

/// A sound sampled at several keys, lowest first.
struct SampleSet: Sendable {
  let samples: [Sample]

  /// - Parameters:
  ///   - name: names the samples, followed by their key.
  ///   - waves: in ascending order of key.
  init(_ name: String, _ waves: [Wave]) {
    let gains = waves.map { amplitude($0.tilt) / max($0.loudness, 1e-9) }
    let peak = zip(waves, gains).map { $0.frames.peakLevel * $1 }.max() ?? 1
    samples = zip(waves, gains).map { wave, gain in
      let scale = 30_000 / peak * gain
      return Sample(
        name: waves.count == 1 ? name : "\(name) \(wave.key)",
        frames: wave.frames.map { Int16(clamping: Int(($0 * scale).rounded())) },
        rate: wave.rate, key: wave.key, loop: wave.loop)
    }
  }

  /// Each sample with the keys it serves: borders lie half-way between neighbours.
  func splits(over keys: ClosedRange<Int>) -> [(sample: Sample, keys: ClosedRange<Int>)] {
    var first = keys.lowerBound
    return samples.indices.compactMap { i in
      let last =
        i + 1 < samples.count ? min(keys.upperBound, (samples[i].key + samples[i + 1].key) / 2) : keys.upperBound
      guard first <= last else { return nil }
      defer { first = last + 1 }
      return (samples[i], first...last)
    }
  }
}

extension Wave {
  /// RMS of the first 0.4 s, the loop unrolled.
  fileprivate var loudness: Double {
    let count = rate * 2 / 5
    var heard: [Double] = []
    heard.reserveCapacity(count)
    for i in 0..<count {
      if let loop, i >= loop.upperBound {
        heard.append(frames[loop.lowerBound + (i - loop.lowerBound) % loop.count])
      } else if i < frames.count {
        heard.append(frames[i])
      } else {
        break
      }
    }
    return heard.rms
  }
}
