import SynthDSP
import SynthKit
import SynthText

/// Tells how rendering goes: one song by its bar, many by one line, and each that fails.
struct RenderReporter {
  private let renderings: [Rendering]
  private let isBatch: Bool
  private let start = ContinuousClock.now
  private var shown = ContinuousClock.now
  private var (renderedCount, failedCount, skippedCount) = (0, 0, 0)
  /// What could not even be named.
  private let problemCount: Int

  /// Beyond this many, a line for each song that went well is too much for a person.
  private static let listedCount = 100

  init(_ renderings: [Rendering], isBatch: Bool, problemCount: Int) {
    self.renderings = renderings
    self.isBatch = isBatch
    self.problemCount = problemCount
  }

  mutating func tell(_ outcome: BatchRenderer.Outcome, _ source: Manifest.Source) {
    let rendering = renderings[outcome.index]
    // Of a damaged song in a batch, the first warning says enough.
    for warning in source.notices + source.warnings.prefix(isBatch ? 1 : .max) { Terminal.warn(warning) }
    switch outcome.result {
    case .success(let song):
      renderedCount += 1
      if renderings.count <= Self.listedCount { Terminal.tell(summary(rendering, song, elapsed: outcome.elapsed)) }
      if song.refusedTuningCount > 0 {
        Terminal.tell(
          "\(rendering.name): \(song.refusedTuningCount) tuning messages passed over, damaged or for more than 128 "
            + "programs")
      }
      if let line = VoiceShortage(stolen: song.stolenVoiceCount, lost: song.lostVoiceCount)?.line {
        Terminal.warn("\(rendering.name): \(line)")
      }
    case .failure(is AlreadyRendered):
      skippedCount += 1
      if !isBatch { Terminal.note("\(rendering.target) was done before, and is right") }
    case .failure(let error):
      failedCount += 1
      if isBatch { Terminal.error(errorLine(error)) }
    }
  }

  mutating func show(_ progress: BatchProgress) {
    let now = ContinuousClock.now
    guard Terminal.isInteractive, now - shown > .milliseconds(100) else { return }
    shown = now
    let elapsed = (now - start) / .seconds(1)
    if isBatch {
      Terminal.progress(StatusLine(rest: line(progress, elapsed: elapsed)))
    } else if let song = progress.songs.first, let rendering = renderings.first {
      Terminal.progress(StatusLine(rest: line(rendering, song, elapsed: elapsed)))
    }
  }

  /// After the last song.
  func finish(isInterrupted: Bool) {
    Terminal.endProgress()
    guard isBatch else { return }
    if isInterrupted {
      Terminal.note("interrupted: \(counts)")
    } else if !hasFailures, Terminal.isInteractive || renderings.count > 1 {
      Terminal.note(counts)
    }
  }

  /// "3 rendered, 1 failed".
  var counts: String {
    let rest = renderings.count - doneCount
    return "\(renderedCount) rendered, \(problemCount + failedCount) failed"
      + (skippedCount > 0 ? ", \(skippedCount) done before" : "") + (rest > 0 ? ", \(rest) not tried" : "")
  }

  var hasFailures: Bool { problemCount + failedCount > 0 }

  private var doneCount: Int { renderedCount + failedCount + skippedCount }

  private func line(_ rendering: Rendering, _ progress: RenderProgress, elapsed: Double) -> String {
    let part = progress.songDuration > 0 ? progress.duration / progress.songDuration : 1
    return "\(bar(part, width: 24)) \(Int(min(part, 1) * 100)) %  "
      + "\(clock(progress.duration)) / \(clock(progress.songDuration))  "
      + "\(tenths(progress.duration / elapsed))× real time  \(rendering.name)"
  }

  private func line(_ progress: BatchProgress, elapsed: Double) -> String {
    let rate = Double(renderedCount + failedCount) / elapsed
    let left = rate > 0 ? "  \(clock(Double(renderings.count - doneCount) / rate)) left" : ""
    return "\(bar(Double(doneCount) / Double(max(1, renderings.count)), width: 16)) \(doneCount)/\(renderings.count)  "
      + "\(tenths(rate)) files/s  \(tenths(progress.duration / elapsed))× real time\(left)"
      + (failedCount > 0 ? "  \(failedCount) failed" : "")
  }

  private func summary(_ rendering: Rendering, _ song: RenderedSong, elapsed: Duration) -> String {
    let progress = song.progress
    let peak = Decibels(amplitude: Double(progress.peak))
    let clips = NumberFormatting.count(progress.clipCount, "sample", "samples")
    let clipping = progress.clipCount > 0 ? ", \(clips) clipped" : ""
    return "\(rendering.target == "-" ? "standard output" : rendering.target)  \(clock(progress.duration)), "
      + "peak \(tenths(peak.value)) dB\(clipping), "
      + (song.loudness.map { "\(tenths($0.integrated.value)) LUFS, " } ?? "")
      + "\(tenths(progress.duration / max(elapsed / .seconds(1), 1e-9)))× real time"
  }
}

extension Rendering {
  /// The song's name for people.
  fileprivate var name: String { FilePath.name(of: song) }
}

/// Some songs of a batch could not be rendered; each was told of.
struct BatchError: Error, CustomStringConvertible {
  let description: String
}
