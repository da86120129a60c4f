import AudioGraph
import Synchronization

/// The file of a recorder, and how much of what comes goes into it.
final class Recording: Sendable {
  private let path: String
  private let format: AudioFormat
  private let whenFailed: (@Sendable (AudioFileError) -> Void)?
  private let state: Mutex<State>

  private struct State: @unchecked Sendable {
    let writer: AudioFileWriter
    /// What is recorded; nothing until there is a start.
    var start: Int64?
    var end = Int64.max
    /// The first frame that has not come yet, whether it is recorded or not.
    var next: Int64?
    var missing = 0
    var failure: AudioFileError?
  }

  init(
    _ writer: sending AudioFileWriter, path: String, format: AudioFormat,
    whenFailed: (@Sendable (AudioFileError) -> Void)?
  ) {
    self.path = path
    self.format = format
    self.whenFailed = whenFailed
    state = Mutex(State(writer: writer))
  }

  func start(at time: Int64) { state.withLock { $0.start = time } }

  func stop(at time: Int64) { state.withLock { $0.end = time } }

  var counts: (frames: Int, missing: Int) { state.withLock { ($0.writer.frameCount, $0.missing) } }

  var failure: AudioFileError? { state.withLock { $0.failure } }

  /// Writes what of a block is to be recorded. [the tap's thread]
  func take(_ block: TapBlock) {
    let failure = state.withLock { state -> AudioFileError? in
      guard state.failure == nil else { return nil }
      do throws(AudioFileError) {
        try record(block, &state)
      } catch {
        state.failure = error
      }
      return state.failure
    }
    if let failure { whenFailed?(failure) }
  }

  func finish() throws(AudioFileError) {
    try state.withLock { state throws(AudioFileError) in
      if let failure = state.failure { throw failure }
      try state.writer.finish()
    }
  }

  private func record(_ block: TapBlock, _ state: inout State) throws(AudioFileError) {
    let blockEnd = block.sampleTime + Int64(block.frameCount)
    // Frames that were dropped are recorded as silence, as far as they were to be recorded.
    let gapStart = min(state.next ?? block.sampleTime, block.sampleTime)
    state.next = blockEnd
    guard let start = state.start else { return }
    let gap = clamped(gapStart, block.sampleTime, start, state.end)
    let wanted = clamped(block.sampleTime, blockEnd, start, state.end)
    if gap.count > 0 {
      try writeSilence(gap.count, state.writer)
      state.missing += gap.count
    }
    guard wanted.count > 0 else { return }
    guard block.format == format else {
      throw .unsupported(path: path, reason: "the bus carries \(block.format), not \(format) — record that")
    }
    let channels = (0..<format.channelCount).map { block.channels[$0] + Int(wanted.lowerBound - block.sampleTime) }
    try write(channels, frameCount: wanted.count, state.writer)
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
  }

  private func write(
    _ channels: [UnsafeMutablePointer<Float>], frameCount: Int, _ writer: AudioFileWriter
  ) throws(AudioFileError) {
    try channels.withUnsafeBufferPointer { channels throws(AudioFileError) in
      if let first = channels.baseAddress { try writer.write(first, frameCount: frameCount) }
    }
  }
}
