import SynthDSP
import SynthRealtime

/// Audio that was tapped in a client's format, without a gap in it. It can be read only while it is handed over.
public struct ClientBlock {
  /// When the bus carried the first frame, in frames of `format`, counted from the start of rendering; below 0 at first
  /// where a converter made the rate, as its filter begins before the sound.
  public let sampleTime: Int64
  /// When the first frame was asked for, in nanoseconds of the monotonic clock; 0 offline.
  public let hostTime: UInt64
  /// Rate and number of channels.
  public let format: AudioFormat
  /// The type of each sample.
  public let samples: SampleFormat
  /// Frames in `bytes`.
  public let frameCount: Int
  /// Interleaved, `frameCount * format.channelCount` samples.
  public let bytes: UnsafeRawBufferPointer
}

/// Makes blocks of one size, in a client's format, of what a tap has caught.
final class ClientBlockMaker: @unchecked Sendable {
  // Unchecked: the thread that delivers is its only user.
  private let samples: SampleFormat
  private let blockSize: Int
  private let deliver: @Sendable (ClientBlock) -> Void
  private var format = AudioFormat(sampleRate: 0, channelCount: 0)
  private var buffer = SampleBuffer(channelCount: 0, frameCapacity: 0)
  private var packer: ClientPacker
  private var bytes: [UInt8] = []
  /// Of the block that grows.
  private var frameCount = 0
  private var sampleTime: Int64 = 0
  private var hostTime: UInt64 = 0

  init(_ samples: SampleFormat, blockSize: Int, _ deliver: @escaping @Sendable (ClientBlock) -> Void) {
    self.samples = samples
    self.blockSize = min(max(1, blockSize), TapNode.longestClientBlock)
    self.deliver = deliver
    packer = ClientPacker(samples, channelCount: 0)
  }

  /// Delivers the blocks that have become whole, and a shorter one before a gap or another format.
  func take(_ tapped: TapBlock) {
    if tapped.format != format || tapped.sampleTime != sampleTime + Int64(frameCount) { flush() }
    if tapped.format != format { begin(tapped.format) }
    var taken = 0
    while taken < tapped.frameCount {
      if frameCount == 0 { setTime(tapped, taken) }
      let count = min(tapped.frameCount - taken, blockSize - frameCount)
      for channel in 0..<format.channelCount {
        copySamples(
          from: tapped.channels[channel] + taken, to: buffer.channels[channel] + frameCount, count: count)
      }
      taken += count
      frameCount += count
      if frameCount == blockSize { flush() }
    }
  }

  /// Delivers what has not become a whole block.
  func flush() {
    guard frameCount > 0 else { return }
    bytes.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      packer.pack(buffer.channels, frameCount: frameCount, into: start)
      deliver(
        ClientBlock(
          sampleTime: sampleTime, hostTime: hostTime, format: format, samples: samples, frameCount: frameCount,
          bytes: UnsafeRawBufferPointer(rebasing: bytes[..<(frameCount * packer.bytesPerFrame)])))
    }
    sampleTime += Int64(frameCount)
    frameCount = 0
  }

  private func begin(_ format: AudioFormat) {
    self.format = format
    buffer = SampleBuffer(channelCount: format.channelCount, frameCapacity: blockSize)
    packer = ClientPacker(samples, channelCount: format.channelCount)
    bytes = [UInt8](repeating: 0, count: blockSize * packer.bytesPerFrame)
  }

  private func setTime(_ tapped: TapBlock, _ frame: Int) {
    sampleTime = tapped.sampleTime + Int64(frame)
    let nanoseconds = UInt64(Double(frame) / format.sampleRate * 1e9)
    hostTime = tapped.hostTime == 0 ? 0 : tapped.hostTime + nanoseconds
  }
}
