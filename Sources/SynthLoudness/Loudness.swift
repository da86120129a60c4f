import SynthDSP

/// How loud a programme is, by EBU R 128.
public struct Loudness: Sendable, Hashable {
  /// Of the whole, without what is far quieter than the rest; −∞ for silence and for less than 0.4 s.
  public var integrated: LUFS
  /// From the quiet passages to the loud ones (EBU Tech 3342); 0 for less than 3 s.
  public var range: LU
  /// The highest of all channels.
  public var truePeak: DBTP

  /// What was measured elsewhere.
  public init(integrated: LUFS, range: LU, truePeak: DBTP) {
    self.integrated = integrated
    self.range = range
    self.truePeak = truePeak
  }

  /// What it is after a gain.
  public func applying(_ gain: Decibels) -> Loudness {
    Loudness(
      integrated: LUFS(integrated.value + gain.value), range: range, truePeak: DBTP(truePeak.value + gain.value))
  }
}

/// A loudness that programmes are to have, as −23 LUFS for broadcasting (EBU R 128) or −14 LUFS for streaming.
public struct LoudnessTarget: Sendable, Hashable {
  /// What is aimed at.
  public var integrated: LUFS
  /// What is never exceeded: a programme whose peaks would be higher stays quieter than the target.
  public var highestTruePeak: DBTP

  /// A loudness, and a true peak of −1 dBTP if no other is given.
  public init(_ integrated: LUFS, highestTruePeak: DBTP = -1) {
    self.integrated = integrated
    self.highestTruePeak = highestTruePeak
  }

  /// The gain that brings a programme to the target, or as near to it as its true peak permits.
  ///
  /// What has no loudness, as silence, is only kept below the highest peak.
  public func gain(for loudness: Loudness) -> Decibels {
    let wanted = loudness.integrated.value.isFinite ? integrated.value - loudness.integrated.value : 0
    return min(Decibels(wanted), highestTruePeak - loudness.truePeak)
  }
}
