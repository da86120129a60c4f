import Glibc
import Synchronization
import SynthALSA
import SynthDSP
import TestSupport
import Testing

/// Renders 1, 2, 3… 32768ths on every channel, the channel's number added as a half; the same again after 16384 frames.
struct Counter: ~Copyable {
  let frames = Atomic(0)

  static let render: PCMRenderCallback = { context, channels, channelCount, frameCount in
    let counter = context.assumingMemoryBound(to: Counter.self)
    let start = counter.pointee.frames.load(ordering: .relaxed)
    for channel in 0..<Int(channelCount) {
      for frame in 0..<Int(frameCount) { channels[channel][frame] = sample(frame: start + frame, channel: channel) }
    }
    counter.pointee.frames.add(Int(frameCount), ordering: .releasing)
    return frameCount
  }

  static func sample(frame: Int, channel: Int) -> Float {
    Float(frame % 16384 + 1) / 32768 * (channel % 2 == 0 ? 1 : -1)
  }
}

/// Plays the counter on a device until it has rendered `frames` frames, and gives how many it has.
func playCounter(_ output: PCMOutput, frames: Int, stop: PCMStop = .drain) throws -> Int {
  let counter = UnsafeMutablePointer<Counter>.allocate(capacity: 1)
  counter.initialize(to: Counter())
  defer {
    counter.deinitialize(count: 1)
    counter.deallocate()
  }
  try output.start(Counter.render, context: counter)
  try #require(eventually { counter.pointee.frames.load(ordering: .acquiring) >= frames })
  output.stop(stop)
  output.wait()
  return counter.pointee.frames.load(ordering: .acquiring)
}

/// The whole file, which is then removed.
func takeContents(_ path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { return [] }
  defer {
    fclose(file)
    unlink(path)
  }
  var bytes: [UInt8] = []
  while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
  return bytes
}

@Test(
  "What the file plugin captured is what was rendered, sample for sample, in every format and for any channel count",
  .timeLimit(.minutes(1)),
  arguments: SampleFormat.allCases, [1, 2, 5])
func capturesWhatIsRendered(format: SampleFormat, channels: Int) throws {
  let path = "/tmp/pcmoutput-\(getpid())-\(format)-\(channels).raw"
  var request = PCMRequest(device: "file:'\(path)',raw", channelCount: channels, sampleRate: 48000, period: 64)
  request.formats = [format]
  let output = try PCMOutput(request)
  #expect(output.parameters.format == format)
  let rendered = try playCounter(output, frames: 1000)
  #expect(output.statistics.framesWritten == rendered)
  #expect(output.takeLoad() > 0 && output.takeLoad() == 0)
  let captured = takeContents(path)
  #expect(captured.count == rendered * channels * format.byteCount)
  let expected = (0..<1000 * channels).flatMap { index in
    bytes(of: Counter.sample(frame: index / channels, channel: index % channels), as: format)
  }
  let isEqual = captured.starts(with: expected)
  #expect(isEqual)
}

/// A sample that is a whole number of 32768ths, in little-endian bytes.
private func bytes(of sample: Float, as format: SampleFormat) -> [UInt8] {
  let bits: Int =
    switch format {
    case .float32: Int(sample.bitPattern)
    case .int32: Int(sample * 32768) << 16
    case .int24, .int24Packed: Int(sample * 32768) << 8
    case .int16: Int(sample * 32768)
    }
  return (0..<format.byteCount).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
}

@Test(
  "An output without a clock stops when told to, by draining and by dropping, and can be started again",
  .timeLimit(.minutes(1)))
func stopsAndStartsAgain() throws {
  let output = try PCMOutput(PCMRequest(device: "null"))
  for stop in [PCMStop.drain, .drop, .drain] {
    #expect(try playCounter(output, frames: 10_000, stop: stop) >= 10_000)
    #expect(!output.isRunning)
  }
  #expect(output.statistics.xruns == 0)
  #expect(output.statistics.scheduling == .unpaced)
}

@Test(
  "A stream that ends within a period plays its last frame and stops by itself", .timeLimit(.minutes(1)),
  arguments: [0, 1, 63, 64, 100])
func endsWithinAPeriod(length: Int) throws {
  let path = "/tmp/pcmoutput-\(getpid())-end-\(length).raw"
  var request = PCMRequest(device: "file:'\(path)',raw", channelCount: 1, sampleRate: 48000, period: 64)
  request.formats = [.float32]
  let left = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
  left.initialize(to: Int32(length))
  defer { left.deallocate() }
  let output = try PCMOutput(request)
  try output.start(
    { context, channels, _, frameCount in
      let left = context.assumingMemoryBound(to: Int32.self)
      let count = min(left.pointee, frameCount)
      channels[0].update(repeating: 0.5, count: Int(frameCount))
      left.pointee -= count
      return count
    }, context: left)
  output.wait()
  #expect(!output.isRunning)
  let bytes = takeContents(path)
  #expect(bytes.count == length * 4)
}
