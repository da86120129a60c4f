/// Plays a waveform, or noise, block by block, at whatever pitch: it changes its table as the pitch changes, in a fade.
public struct Oscillator: BitwiseCopyable, @unchecked Sendable {
  /// nil for noise.
  private let levels: UnsafeMutablePointer<WaveTable>?
  private var level = -1
  private var noise = WhiteNoise()

  /// - Parameter tables: nil for noise.
  @_noLocks
  public init(_ tables: WaveTables?) { levels = tables?.levels }

  /// Fills a block; the phase of its first sample is the ramp's. [audio thread]
  @_noLocks
  public mutating func render(into samples: UnsafeMutablePointer<Float>, along ramp: PhaseRamp, count: Int) {
    guard let levels else { return noise.render(into: samples, count: count) }
    let next = WaveTables(levels: levels).level(forIncrement: ramp.highestIncrement(frameCount: count))
    if level < 0 || levels[level] == levels[next] {
      levels[next].render(into: samples, along: ramp, count: count)
    } else {
      levels[level].render(into: samples, along: ramp, count: count, fadingTo: levels[next])
    }
    level = next
  }
}
