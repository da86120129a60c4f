import SynthDSP
import SynthRealtime

/// The input whose level a compressor or a gate goes by: the second one, or the first where that is not connected.
enum SideChain {
  /// - Throws: where both inputs are connected and have other rates.
  static func format(
    of effect: String, _ inputs: [AudioFormat?], sampleRate: Double
  ) throws(FormatRefusal) -> AudioFormat {
    let format = inputs[0] ?? inputs[1].map { .stereo($0.sampleRate) } ?? .stereo(sampleRate)
    if let side = inputs[1], side.sampleRate != format.sampleRate {
      throw FormatRefusal(
        bus: 1,
        reason: "the \(effect) takes a side chain at its sound's \(hertz(format.sampleRate)), not "
          + hertz(side.sampleRate),
        remedy: "put a converter before it")
    }
    return format
  }

  @_noLocks
  static func heard(_ context: RenderContext) -> Bus {
    context.input(1).channelCount > 0 ? context.input(1) : context.input(0)
  }

  /// The highest magnitude of all channels, for each frame of a quantum.
  @_noLocks
  static func findPeaks(of bus: Bus, _ peaks: UnsafeMutablePointer<Float>) {
    peaks.update(repeating: 0, count: renderQuantum)
    for channel in 0..<bus.channelCount {
      let samples = bus[channel]
      for frame in 0..<renderQuantum {
        // In this order NaN is left out.
        let magnitude = abs(samples[frame])
        peaks[frame] = magnitude > peaks[frame] ? magnitude : peaks[frame]
      }
    }
  }
}
