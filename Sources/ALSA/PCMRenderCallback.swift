/// Fills `frameCount` frames of each of `channelCount` channels with float32 samples, and returns how many it had: fewer
/// than asked for end the stream, which is then drained.
///
/// Called on the output's thread for one period at a time; must neither allocate, lock nor wait. The buffers hold the
/// device's channels in its order, and something undefined until they are filled. `context` is what was given to
/// `PCMOutput.start`.
public typealias PCMRenderCallback =
  @convention(c) (
    _ context: UnsafeMutableRawPointer, _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
    _ channelCount: Int32, _ frameCount: Int32
  ) -> Int32
