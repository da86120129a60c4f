import Instruments
import MIDI
import Realtime

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
    var streams: [AsyncStream<SessionEvent>.Continuation] = []
  }

  private let state = CheckedMutex(State())

  func add(_ event: SessionEvent) {
    state.withLock { state in
      state.events = state.events.suffix(Self.capacity - 1) + [event]
      state.streams.removeAll { continuation in
        if case .terminated = continuation.yield(event) { true } else { false }
      }
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

  func stream() -> AsyncStream<SessionEvent> {
    AsyncStream(bufferingPolicy: .bufferingNewest(Self.capacity)) { continuation in
      state.withLock { $0.streams.append(continuation) }
    }
  }

  /// Ends the streams.
  func finish() {
    for continuation in state.withLock({ $0.streams }) { continuation.finish() }
  }
}
