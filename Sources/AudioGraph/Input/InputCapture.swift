import Glibc
import SynthDSP
import SynthRealtime

/// What is captured of one unit, with both ends: where the unit writes and where it is read.
final class InputCapture: Sendable {
  let queue: Box<InputQueue>
  let reader: Box<InputReader>
  private let quantum: SampleBuffer

  /// - Parameters:
  ///   - sampleRate: the unit's, in hertz.
  ///   - readRate: at which it is read; nil for the same.
  init(channelCount: Int, sampleRate: Double, readRate: Double? = nil) throws(ResamplerError) {
    queue = Box(InputQueue(channelCount: channelCount, sampleRate: sampleRate))
    quantum = SampleBuffer(channelCount: channelCount, frameCapacity: renderQuantum)
    reader = Box(try InputReader(queue.pointer, sampleRate: readRate ?? sampleRate, quantum: quantum))
  }

  /// Returns once so many frames wait, or no more come.
  func waitForFrames(_ count: Int, of unit: any InputUnit) {
    while unit.isRunning, queue.pointer.pointee.fill < count { usleep(1000) }
  }
}
