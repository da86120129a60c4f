import AudioGraph
import Synchronization
import SynthRealtime

/// The file of a recorder, and the extent that is recorded. Only the thread that writes waits for the disk.
final class Recording: Sendable {
  private let path: String
  private let format: AudioFormat
  private let whenFailed: (@Sendable (AudioFileError) -> Void)?
  private let file: CheckedMutex<File>
  private let extent = CheckedMutex(Extent())
  private let tap = CheckedMutex<ObjectIdentifier?>(nil)
  private let error = CheckedMutex<AudioFileError?>(nil)
  private let written = Atomic(0)
  private let missing = Atomic(0)

  private struct File: @unchecked Sendable {
    let writer: AudioFileWriter
    /// The next frame, recorded or not.
    var next: Int64?
    /// What was tapped, and may lie beyond a present that is still to be said.
    var held: [HeldBlock] = []
  }

  /// The extent that is recorded, in frames of the engine: nothing before `start`.
  private struct Extent {
    var start: Int64?
    var end = Int64.max
    /// Whether they were the present when they were set, which is past once the engine has started over.
    var isStartPresent = false
    var isEndPresent = false

    mutating func startOver() {
      if isStartPresent, start != nil { start = .min }
      if isEndPresent { end = .min }
    }
  }

  init(
    _ writer: sending AudioFileWriter, path: String, format: AudioFormat,
    whenFailed: (@Sendable (AudioFileError) -> Void)?
  ) {
    self.path = path
    self.format = format
    self.whenFailed = whenFailed
    file = CheckedMutex(File(writer: writer))
  }

  /// Goes by the clock of the engine that has the tap.
  func follow(_ node: TapNode) { tap.withLock { $0 = ObjectIdentifier(node) } }

  /// The first frame that the engine's output has not got; nil where no engine has the tap.
  private var present: Int64? { tap.withLock { $0 }.flatMap(TapNode.engineTime) }

  /// - Parameter time: nil for the present.
  func start(at time: Int64?) {
    let present = time ?? present ?? .min
    extent.withLock { ($0.start, $0.isStartPresent) = (present, time == nil) }
  }

  /// - Parameter time: nil for the present.
  func stop(at time: Int64?) {
    let present = time ?? present ?? .min
    extent.withLock { ($0.end, $0.isEndPresent) = (present, time == nil) }
  }

  var frameCount: Int { written.load(ordering: .relaxed) }

  var missingFrameCount: Int { missing.load(ordering: .relaxed) }

  var failure: AudioFileError? { error.withLock { $0 } }

  /// Writes the part of a block that is to be recorded. [control thread]
  ///
  /// A tap is ahead of the output, by the rest of a quantum or of a slice. What the output has not got waits here: a
  /// `stop` without a time would come before it.
  func take(_ block: TapBlock) {
    let present = present.map(block.time.busFrame)
    write { file throws(AudioFileError) in
      let hasStartedOver = file.held.contains { block.sampleTime < $0.end }
      if hasStartedOver { try record(before: .max, &file) }
      file.held.append(HeldBlock(block))
      try record(before: present ?? .max, &file)
    }
  }

  private func write(_ body: (inout File) throws(AudioFileError) -> Void) {
    guard failure == nil else { return }
    do throws(AudioFileError) {
      try file.withLock { file throws(AudioFileError) in try body(&file) }
    } catch {
      self.error.withLock { $0 = error }
      whenFailed?(error)
    }
  }

  /// Records up to the present, as `stop` does, where the engine still counts the frames of what is held.
  func finish() throws(AudioFileError) {
    let present = present
    write { file throws(AudioFileError) in
      let end = file.held.first.flatMap { block in present.map(block.time.busFrame).map { (block.sampleTime, $0) } }
      // A stopped engine is at 0 again.
      let isCounted = end.map { $1 > 0 && $0 <= $1 } ?? false
      try record(before: isCounted ? end?.1 ?? .max : .max, &file)
    }
    try file.withLock { file throws(AudioFileError) in try file.writer.finish() }
    // A bus of another format.
    if let failure { throw failure }
  }

  /// Records what comes before a frame of the bus.
  private func record(before limit: Int64, _ file: inout File) throws(AudioFileError) {
    while let block = file.held.first, block.sampleTime < limit {
      let end = min(block.end, limit)
      if end == block.end { file.held.removeFirst() }
      try record(block, to: end, &file)
      block.sampleTime = end
    }
  }

  private func record(_ block: HeldBlock, to blockEnd: Int64, _ file: inout File) throws(AudioFileError) {
    let gapStart = min(file.next ?? block.sampleTime, block.sampleTime)
    let hasStartedOver = block.sampleTime < file.next ?? .min
    file.next = blockEnd
    let extent = extent.withLock { extent in
      if hasStartedOver { extent.startOver() }
      return extent
    }
    guard let start = extent.start.map(block.time.busFrame) else { return }
    let end = block.time.busFrame(of: extent.end)
    // Dropped frames within the extent are recorded as silence.
    let gap = clamped(gapStart, block.sampleTime, start, end)
    let wanted = clamped(block.sampleTime, blockEnd, start, end)
    if gap.count > 0 { try writeSilence(gap.count, file.writer) }
    guard wanted.count > 0 else { return }
    guard block.format == format else {
      throw .unsupported(path: path, reason: "the bus carries \(block.format), not \(format) — record that")
    }
    let channels = (0..<format.channelCount).map { block.channel($0, from: wanted.lowerBound) }
    try write(channels, frameCount: wanted.count, file.writer)
  }

  private func clamped(_ first: Int64, _ last: Int64, _ start: Int64, _ end: Int64) -> Range<Int64> {
    let lower = max(first, start)
    return lower..<max(lower, min(last, end))
  }

  private func writeSilence(_ frameCount: Int, _ writer: AudioFileWriter) throws(AudioFileError) {
    let silence = SampleBuffer(channelCount: 1, frameCapacity: 4096)
    let channels = Array(repeating: silence.channels[0], count: format.channelCount)
    for start in stride(from: 0, to: frameCount, by: 4096) {
      try write(channels, frameCount: min(4096, frameCount - start), writer)
    }
    missing.add(frameCount, ordering: .relaxed)
  }

  private func write(
    _ channels: [UnsafeMutablePointer<Float>], frameCount: Int, _ writer: AudioFileWriter
  ) throws(AudioFileError) {
    try channels.withUnsafeBufferPointer { channels throws(AudioFileError) in
      if let first = channels.baseAddress { try writer.write(first, frameCount: frameCount) }
    }
    written.add(frameCount, ordering: .relaxed)
  }
}

/// A tapped block in its own memory, of which the beginning may have been recorded.
private final class HeldBlock {
  /// The first frame that has not been recorded.
  var sampleTime: Int64
  let end: Int64
  let format: AudioFormat
  let time: BusTime
  private let frameCount: Int
  private let samples: UnsafeMutablePointer<Float>

  init(_ block: TapBlock) {
    sampleTime = block.sampleTime
    frameCount = block.frameCount
    end = block.sampleTime + Int64(block.frameCount)
    format = block.format
    time = block.time
    samples = .allocate(capacity: block.frameCount * block.format.channelCount)
    for channel in 0..<block.format.channelCount {
      (samples + channel * frameCount).initialize(from: block.channels[channel], count: frameCount)
    }
  }

  deinit { samples.deallocate() }

  /// The samples of a channel from a frame on.
  func channel(_ channel: Int, from frame: Int64) -> UnsafeMutablePointer<Float> {
    samples + (channel + 1) * frameCount - Int(end - frame)
  }
}
