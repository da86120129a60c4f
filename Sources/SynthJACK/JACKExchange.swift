import Synchronization
import SynthRealtime

/// What JACK's threads and control threads tell each other. [any thread]
struct JACKExchange: ~Copyable {
  /// Whether audio is asked for, one of the four below.
  let gate = Atomic(0)
  /// Frames of silence given since the stream has ended by itself.
  let drained = Atomic(0)
  /// Frames per cycle.
  let period = Atomic(0)
  /// Frames from the start of a cycle until its first frame is heard.
  let playbackLatency = Atomic(0)
  /// Frames from an event of the MIDI port to its sound, without the graph's own.
  let ownLatency = Atomic(0)
  /// Whether the graph has not been told of it.
  let isLatencyNew = Atomic(false)
  let xruns = Atomic(0)
  /// Times the server has ended.
  let departures = Atomic(0)
  let framesGiven = Atomic(0)
  /// The longest rendering of a cycle since it was asked for, in parts of that cycle, as a bit pattern.
  let load = Atomic<UInt64>(0)
  let isFreewheeling = Atomic(false)
  /// Whether the transport waits for this client to be ready before it rolls.
  let isFollowing = Atomic(false)
  let isReady = Atomic(false)
  /// Whether nothing is asked for until the transport rolls: what follows then begins with its first cycle.
  let waitsForRoll = Atomic(false)
  let isServerGone = Atomic(false)
  let isEnding = Atomic(false)
  /// Pieces of MIDI messages that found no room.
  let midiLosses = Atomic(0)

  /// Nothing is asked for.
  static var closed: Int { @_noLocks get { 0 } }
  static var open: Int { @_noLocks get { 1 } }
  static var rendering: Int { @_noLocks get { 2 } }
  /// The stream has ended by itself, and what it has given is not played yet.
  static var draining: Int { @_noLocks get { 3 } }

  /// Waits for a call that is under way, and lets no other begin. [control thread]
  func close(pause: () -> Void) {
    while true {
      let present = gate.load(ordering: .acquiring)
      if present == Self.rendering {
        pause()
      } else if gate.compareExchange(expected: present, desired: Self.closed, ordering: .acquiringAndReleasing)
        .exchanged
      {
        return
      }
    }
  }
}
