/// A node with a thread of its own that keeps pace with a device, but not with rendering by hand: that runs as fast as
/// the machine can, and so has to wait for it.
public protocol StreamingNode: AudioNode {
  /// Returns once so many frames can be rendered without a loss, or never can. [the thread that renders by hand]
  ///
  /// - Parameter frameCount: in frames of the engine's rate; a few quanta at most.
  func prepareToRender(frameCount: Int)
}
