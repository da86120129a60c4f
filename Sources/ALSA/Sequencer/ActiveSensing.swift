/// Watches the sources that promised to be heard from every 300 ms, and finds those that fell silent.
/// Source: MIDI 1.0, "Active Sensing".
package struct ActiveSensing {
  /// The standard has the sender wait 300 ms at most; a tenth more covers its clock and the way here. In nanoseconds.
  package static let patience: UInt64 = 330_000_000

  private var lastHeard: [SequencerAddress: UInt64] = [:]

  package init() {}

  /// A source has sent something; the first Active Sensing message is its promise.
  package mutating func heard(_ source: SequencerAddress, isSensing: Bool, at time: UInt64) {
    if isSensing || lastHeard[source] != nil { lastHeard[source] = time }
  }

  /// A source has left by itself.
  package mutating func forget(_ source: SequencerAddress) { lastHeard[source] = nil }

  /// When the next source will have fallen silent, if it does not send before.
  package var deadline: UInt64? { lastHeard.values.min().map { $0 + Self.patience } }

  /// The sources that have fallen silent by now; they are not waited for again before they promise anew.
  package mutating func takeSilent(at time: UInt64) -> [SequencerAddress] {
    let silent = lastHeard.filter { $0.value + Self.patience <= time }.keys
    for source in silent { lastHeard[source] = nil }
    return Array(silent)
  }
}
