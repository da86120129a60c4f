import SynthALSA
import SynthInstruments
import SynthMIDI
import SynthRealtime

/// What happens to a session without being asked for.
public enum SessionEvent: Sendable, Equatable {
  /// A port of a source was connected.
  case joined(MIDIPort)
  /// A port was disconnected, and what it held was released.
  case departed(MIDIPort)
  /// More came than a source could keep; what its ports held was released.
  case eventsLost
  /// So many messages found no room on their way to the instruments.
  case messagesDropped(Int)
  /// A channel, counted from 0, plays another preset.
  case presetChanged(channel: Int, ChannelPreset)
  /// Presets could not be loaded in the background; channels keep what they have.
  case loadingFailed(InstrumentError)
  /// The output is heard on another device, on none, or with headphones plugged in or pulled.
  case routeChanged(RouteChange)
  /// What plays cannot be heard any more as it was, or headphones were pulled. A song waits, unless the policy is
  /// `keep`.
  case interruptionBegan(RouteChange.Reason)
  /// An interruption is over. Unless it resumes, the song waits until a person lets it go on.
  case interruptionEnded(resumes: Bool)
  /// A song is over, and the session plays on.
  case songEnded
  /// The session does not play any more: it was stopped, its song is over, or its output has failed.
  case ended

  init?(_ event: MIDISourceEvent) {
    switch event {
    case .joined(let port): self = .joined(port)
    case .departed(let port): self = .departed(port)
    case .eventsLost: self = .eventsLost
    case .received, .fellSilent: return nil
    }
  }
}

/// The events of a session, on their way to those who ask. Sources hold it, but not the session.
final class SessionEventQueue: MIDISink {
  private static let capacity = 1000

  private struct State {
    var events: [SessionEvent] = []
    var dropCount = 0
  }

  private let state = CheckedMutex(State())
  private let broadcast = Broadcast<SessionEvent>(capacity: capacity)

  func add(_ event: SessionEvent) {
    state.withLock { state in
      state.events = state.events.suffix(Self.capacity - 1) + [event]
      broadcast.send(event)
    }
  }

  func receive(_ event: MIDISourceEvent) {
    if let event = SessionEvent(event) { add(event) }
  }

  /// - Parameter count: how many messages have been dropped in all.
  func noteDrops(_ count: Int) {
    let new = state.withLock { state in
      defer { state.dropCount = count }
      return count - state.dropCount
    }
    if new > 0 { add(.messagesDropped(new)) }
  }

  func take() -> [SessionEvent] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  func stream() -> AsyncStream<SessionEvent> { broadcast.stream() }

  /// Ends the streams.
  func finish() { broadcast.finish() }
}
