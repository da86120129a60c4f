/// Which ports a sequencer joins, at once and when they arrive later.
public struct SourceSelection: Sendable, Equatable {
  private let takesAll: Bool
  private let wishes: [String]
  /// The stable names of ports that were joined: when they return, their numbers may have changed.
  private var remembered: Set<String> = []

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
    wishes.filter { wish in !ports.contains { $0.fulfils(wish) } }
  }

  /// Whether a port is to be joined.
  package func includes(_ port: SequencerPort) -> Bool {
    if takesAll { return port.isInstrument }
    return port.isSource && (remembered.contains(port.stableName) || wishes.contains(where: port.fulfils))
  }

  /// The port is connected: when it returns it is joined, also under another number.
  package mutating func remember(_ port: SequencerPort) { remembered.insert(port.stableName) }

  /// The port was disconnected by another program, and still exists.
  package mutating func forget(_ port: SequencerPort) { remembered.remove(port.stableName) }
}
