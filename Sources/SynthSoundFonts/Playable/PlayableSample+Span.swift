/// What a voice plays of a wave, in words from `PlayableSample.words` on. [any thread]
public struct SampleSpan: BitwiseCopyable, Sendable, Equatable {
  /// The first word.
  public var start: Int
  /// Behind the last word.
  public var end: Int
  /// The loop's first word.
  public var loopStart: Int
  /// Behind the loop's last word.
  public var loopEnd: Int
  /// Whether the loop can be played: it is two words long.
  public var canLoop: Bool
}

extension PlayableSample {
  /// What is played once offsets have been added, as FluidSynth corrects them; nil where less than two words are left.
  ///
  /// - Parameters: in words, of the generators and what modulates them: 32,768 times the coarse one plus the fine one.
  @_noLocks
  public func span(start: Int = 0, end: Int = 0, loopStart: Int = 0, loopEnd: Int = 0) -> SampleSpan? {
    // FluidSynth counts the end as the last word.
    var first = bounded(self.start + start, self.start, self.end - 1)
    var last = bounded(self.end - 1 + end, self.start, self.end - 1)
    if first > last { (first, last) = (last, first) }
    guard first < last else { return nil }
    var span = SampleSpan(
      start: first, end: last + 1, loopStart: bounded(self.loopStart + loopStart, self.start, self.end),
      loopEnd: bounded(self.loopEnd + loopEnd, self.start, self.end), canLoop: false)
    if span.loopStart > span.loopEnd { (span.loopStart, span.loopEnd) = (span.loopEnd, span.loopStart) }
    span.canLoop = span.loopEnd >= span.loopStart + 2
    return span
  }

  @_noLocks
  private func bounded(_ value: Int, _ lowest: Int, _ highest: Int) -> Int {
    value < lowest ? lowest : value > highest ? highest : value
  }
}
