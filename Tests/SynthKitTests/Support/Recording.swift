import AudioGraph
import Foundation
import Synchronization

/// What an output unit without a device plays: the left channel, and the host time of each slice.
final class Recording: Sendable {
  private let state = Mutex((left: [Float](), hostTimes: [UInt64]()))

  var left: [Float] { state.withLock { $0.left } }
  var hostTimes: [UInt64] { state.withLock { $0.hostTimes } }

  /// A unit that is recorded.
  func paced(sampleRate: Double = 48000, channelCount: Int = 2, period: Int = 256) -> PacedOutput {
    PacedOutput(sampleRate: sampleRate, channelCount: channelCount, period: period) { [self] in take($0) }
  }

  func take(_ slice: RenderSlice) {
    state.withLock { state in
      state.left += UnsafeBufferPointer(start: slice.channels[0], count: slice.frameCount)
      state.hostTimes.append(slice.hostTime)
    }
  }

  /// Waits until so many more frames have been played that one of them is as loud; false after ten seconds.
  func sounds(_ level: Float = 0.01) -> Bool {
    let start = left.count
    for _ in 0..<2000 {
      if left.dropFirst(start).contains(where: { abs($0) > level }) { return true }
      usleep(5000)
    }
    return false
  }

  /// The largest difference between neighbouring samples.
  static func steepest(_ samples: ArraySlice<Float>) -> Float {
    zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max() ?? 0
  }
}
