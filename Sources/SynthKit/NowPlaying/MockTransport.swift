import SynthRealtime

/// A transport that plays nothing, for tests of what steers one: its position goes on with the clock.
///
/// One thread uses it.
public final class MockTransport: MediaTransport {
  /// What it has been asked for, the latest last.
  public private(set) var commands: [MediaCommand] = []
  /// What is shown; the position is as it was set last.
  public var state: MediaState { didSet { time = HostClock.now } }
  /// What `perform` throws; nil for nothing.
  public var refusal: (any Error)?
  private var time = HostClock.now

  public init(_ state: MediaState) { self.state = state }

  public var mediaState: MediaState {
    var state = state
    if state.status == .playing { state.position += Double(HostClock.now - time) / 1e9 * state.rate }
    return state
  }

  public func perform(_ command: MediaCommand) throws {
    commands.append(command)
    if let refusal { throw refusal }
    var state = mediaState
    switch command {
    case .play: state.status = .playing
    case .pause: state.status = .paused
    case .stop, .quit: state.status = .stopped
    case .next: begin(1, &state)
    case .previous: begin(-1, &state)
    case .seek(let place): state.position = place
    case .rate(let rate): state.rate = rate
    case .volume(let volume): state.volume = volume
    case .loop(let loop): state.loop = loop
    case .shuffle(let isOn): state.isShuffled = isOn
    }
    self.state = state
  }

  private func begin(_ step: Int, _ state: inout MediaState) {
    state.track?.number += step
    state.position = 0
  }
}
