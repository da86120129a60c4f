/// Which ports a sequencer joins, at once and when they arrive later.
public struct SourceSelection: Sendable, Equatable {
  private struct Names: Hashable {
    let client: String
    let port: String

    init(_ port: SequencerPort) {
      client = port.clientName
      self.port = port.portName
    }
  }

  private let takesAll: Bool
  private let wishes: [String]
  /// The names of ports that were joined: when they return, their numbers may have changed.
  private var remembered: Set<Names> = []

  private init(takesAll: Bool, wishes: [String]) {
    self.takesAll = takesAll
    self.wishes = wishes
  }

  /// Every hardware and user port that can be read, but not *Midi Through* nor the sequencer's own.
  public static let all = SourceSelection(takesAll: true, wishes: [])

  /// Only what others connect, by `aconnect` for instance.
  public static let none = SourceSelection(takesAll: false, wishes: [])

  /// The ports with an address like `24:0`, or with a part of the client's or the port's name, in upper or lower case.
  public static func named(_ wishes: [String]) -> SourceSelection { SourceSelection(takesAll: false, wishes: wishes) }

  /// The wishes that no port of `ports` fulfils.
  public func unfulfilled(by ports: [SequencerPort]) -> [String] {
    wishes.filter { wish in !ports.contains { Self.fulfils(wish, $0) } }
  }

  /// Whether a port is to be joined.
  package func includes(_ port: SequencerPort) -> Bool {
    if takesAll { return port.isInstrument }
    return port.isReadable && (remembered.contains(Names(port)) || wishes.contains { Self.fulfils($0, port) })
  }

  /// The port is connected: when it returns it is joined, also under another number.
  package mutating func remember(_ port: SequencerPort) { remembered.insert(Names(port)) }

  /// The port was disconnected by another program, and still exists.
  package mutating func forget(_ port: SequencerPort) { remembered.remove(Names(port)) }

  private static func fulfils(_ wish: String, _ port: SequencerPort) -> Bool {
    if let address = SequencerAddress(wish) { return port.address == address }
    let wish = wish.lowercased()
    return port.clientName.lowercased().contains(wish) || port.portName.lowercased().contains(wish)
  }
}
