import MIDI
import Realtime

/// What keyboards and controllers send to the program in place of the instruments: program changes that recall
/// snapshots. Sources ask it on their own threads; what is to be done waits for the thread that owns the session.
public final class MIDIControls: Sendable {
  private struct State: Sendable {
    var snapshotChannel: UInt8? = 15
    var snapshots: [UInt8: String] = [:]
    var commands: [String] = []
  }

  /// More than a person plays between two looks of the owner.
  private static let commandLimit = 64

  private let state = CheckedMutex(State())

  init() {}

  /// Whose program changes recall snapshots, 0 to 15; nil for none. [control thread]
  public var snapshotChannel: UInt8? {
    get { state.withLock { $0.snapshotChannel } }
    set { state.withLock { $0.snapshotChannel = newValue } }
  }

  /// The names of snapshots by the programs that recall them. Others go to the instruments.
  var snapshots: [UInt8: String] {
    get { state.withLock { $0.snapshots } }
    set { state.withLock { $0.snapshots = newValue } }
  }

  /// What was asked for since the last call, as it would be typed. [control thread]
  public func takeCommands() -> [String] {
    state.withLock { state in
      defer { state.commands = [] }
      return state.commands
    }
  }

  /// Whether an event is for the program, and no matter of the instruments. [any thread]
  func takes(_ event: MIDISourceEvent) -> Bool {
    guard case .received(.message(let message), _, _) = event else { return false }
    return state.withLock { state in
      guard message.kind == .programChange, message.channel == state.snapshotChannel,
        let name = state.snapshots[message.program]
      else { return false }
      if state.commands.count < Self.commandLimit { state.commands.append("snapshot recall \(name)") }
      return true
    }
  }
}
