import ALSA
import AudioGraph
import Glibc
import Realtime

extension Synthesizer {
  /// Fades all that sounds, stops the device once that has been heard, and forgets what sounded. [control thread]
  ///
  /// - Parameter rendered: how many frames the device has asked for.
  func fadeOut(of device: PCMAggregate, rendered: () -> Int) {
    let level = returns.outputGain.value
    returns.outputGain.value = returns.outputGain.range.lowerBound
    let parameters = device.present
    // The fade of 20 ms, the quantum it begins after, and as much silence as the device may not have played yet.
    let end = rendered() + Int(0.02 * engine.sampleRate) + 2 * renderQuantum + parameters.buffer + parameters.period
    // A device that is away does not play to the end.
    for _ in 0..<500 where device.isRunning && rendered() < end { usleep(1000) }
    device.stop(.drop)
    device.wait()
    returns.outputGain.value = level
    // Nobody renders now, so there is nothing it could refuse.
    try? engine.reset()
  }
}
