import AudioGraph
import Synchronization

/// The file of a recorder, and the extent that is recorded. Only the thread that writes waits for the disk.
final class Recording: Sendable {
  private let path: String
  private let format: AudioFormat
  private let whenFailed: (@Sendable (AudioFileError) -> Void)?
  private let file: Mutex<File>
  private let extent = Mutex(Extent())
  private let error = Mutex<AudioFileError?>(nil)
  private let written = Atomic(0)
  private let missing = Atomic(0)

  private struct File: @unchecked Sendable {
    let writer: AudioFileWriter
    /// The next frame, recorded or not.
    var next: Int64?
  }

  /// The extent that is recorded: nothing before `start`.
  private struct Extent {
    var start: Int64?
    var end = Int64.max
  }

  init(
    _ writer: sending AudioFileWriter, path: String, format: AudioFormat,
    whenFailed: (@Sendable (AudioFileError) -> Void)?
  ) {
    self.path = path
    self.format = format
    self.whenFailed = whenFailed
    file = Mutex(File(writer: writer))
  }

  func start(at time: Int64) { extent.withLock { $0.start = time } }

  func stop(at time: Int64) { extent.withLock { $0.end = time } }

  var frameCount: Int { written.load(ordering: .relaxed) }

  var missingFrameCount: Int { missing.load(ordering: .relaxed) }

  var failure: AudioFileError? { error.withLock { $0 } }

  /// Writes the part of a block that is to be recorded. [control thread]
  func take(_ block: TapBlock) {
    guard failure == nil else { return }
    do throws(AudioFileError) {
      try file.withLock { file throws(AudioFileError) in try record(block, &file) }
    } catch {
      self.error.withLock { $0 = error }
      whenFailed?(error)
    }
  }

  func finish() throws(AudioFileError) {
    try file.withLock { file throws(AudioFileError) in try file.writer.finish() }
    // A bus of another format.
    if let failure { throw failure }
  }

  private func record(_ block: TapBlock, _ file: inout File) throws(AudioFileError) {
    let blockEnd = block.sampleTime + Int64(block.frameCount)
    let gapStart = min(file.next ?? block.sampleTime, block.sampleTime)
    file.next = blockEnd
    let extent = extent.withLock { $0 }
    guard let start = extent.start else { return }
    // Dropped frames within the extent are recorded as silence.
    let gap = clamped(gapStart, block.sampleTime, start, extent.end)
    let wanted = clamped(block.sampleTime, blockEnd, start, extent.end)
    if gap.count > 0 { try writeSilence(gap.count, file.writer) }
    guard wanted.count > 0 else { return }
    guard block.format == format else {
      throw .unsupported(path: path, reason: "the bus carries \(block.format), not \(format) — record that")
    }
    let channels = (0..<format.channelCount).map { block.channels[$0] + Int(wanted.lowerBound - block.sampleTime) }
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
