import CSynthJACK

/// The transport that all clients of a JACK server share: whether it rolls, and where it is.
public struct JACKTransport: Sendable, Equatable {
  /// What it does.
  public enum State: Sendable {
    /// It stands still.
    case stopped
    /// It advances with each cycle.
    case rolling
    /// It waits until all clients are ready to roll.
    case starting
  }

  /// What it does.
  public let state: State
  /// Of the server's sample rate, from the start of the song.
  public let frame: Int
}

extension JACKStream {
  /// The transport as of the latest cycle; nil without a server. [control thread]
  public var transport: JACKTransport? {
    core.withClient { client in
      var frame: UInt32 = 0
      let state = cjack_transport(client.handle, &frame)
      return JACKTransport(
        state: state == CJACK_STOPPED ? .stopped : state == CJACK_STARTING ? .starting : .rolling, frame: Int(frame))
    }
  }

  /// Lets the transport roll from where it is, for all clients. [control thread] (jack_transport_start)
  public func startTransport() { _ = core.withClient { jack_transport_start($0.handle) } }

  /// Lets the transport stand still, for all clients. [control thread] (jack_transport_stop)
  public func stopTransport() { _ = core.withClient { jack_transport_stop($0.handle) } }

  /// Moves the transport. [control thread] (jack_transport_locate)
  public func locateTransport(to frame: Int) {
    _ = core.withClient { jack_transport_locate($0.handle, UInt32(clamping: frame)) }
  }

  /// Has the transport wait, before it rolls, until `isReadyToRoll` is set. [any thread] (jack_set_sync_callback)
  package var isFollowingTransport: Bool {
    get { exchange.pointee.isFollowing.load(ordering: .relaxed) }
    set { exchange.pointee.isFollowing.store(newValue, ordering: .relaxed) }
  }

  package var isReadyToRoll: Bool {
    get { exchange.pointee.isReady.load(ordering: .relaxed) }
    set { exchange.pointee.isReady.store(newValue, ordering: .releasing) }
  }

  /// Asks for nothing until the transport rolls, so that what is played begins with its first frame. It becomes false
  /// by itself then. [any thread]
  package var waitsForRoll: Bool {
    get { exchange.pointee.waitsForRoll.load(ordering: .relaxed) }
    set { exchange.pointee.waitsForRoll.store(newValue, ordering: .releasing) }
  }
}
