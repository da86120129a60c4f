import AudioGraph
import SynthRealtime

/// What System Exclusive messages do to the buses of a port: dry levels, equalizers, the level of all. [audio thread]
struct BusShaping: ~Copyable {
  private var dry: DryLevels
  private var equalizer: PartEqualizer
  private var master: MasterLevel

  init(sampleRate: Double) {
    dry = DryLevels(sampleRate: sampleRate)
    equalizer = PartEqualizer(sampleRate: sampleRate)
    master = MasterLevel(sampleRate: sampleRate)
  }

  /// Follows a message; others are ignored.
  @_noLocks
  mutating func follow(_ systemExclusive: SystemExclusive) {
    dry.follow(systemExclusive)
    equalizer.follow(systemExclusive)
    master.follow(systemExclusive)
  }

  /// Follows an assignable parameter of a part; others are ignored.
  @_noLocks
  mutating func follow(assignable parameter: UInt16, _ value: UInt8, on channel: UInt8) {
    equalizer.follow(assignable: parameter, value, on: channel)
  }

  /// Takes everything to its initial state at once: nothing sounds.
  @_noLocks
  mutating func reset() {
    dry.reset()
    equalizer.reset()
    master.reset()
  }

  /// Shapes the buses of a quantum.
  @_noLocks
  mutating func apply(to buses: RenderContext, _ corrections: UnsafeMutablePointer<SendCorrections>) {
    dry.apply(to: buses, corrections)
    equalizer.apply(to: buses)
    master.apply(to: buses)
  }
}
