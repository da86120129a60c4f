import AudioGraph

/// A bus of one's own: what strips lead to it, inserts, and a fader.
///
///     channels ─► sum ─► inserts ─► fader ─► main, another bus, or channels of the output
///     others ───►
public final class MixBus: Sendable {
  /// "drums"; its fader's node is called so, too.
  public let name: String
  /// The mixer's output that channels reach it by.
  let mixerBus: Int
  /// Input 0 is for the channels.
  let sum: MixerNode
  let fader: MixerNode
  /// Before channels of the output; nil where the main mix has no limiter.
  let limiter: LimiterNode?

  /// Level, pan, mute and meter, behind the inserts.
  public var strip: MixerInput { fader.inputs[0] }

  init(_ name: String, mixerBus: Int, sampleRate: Double, isLimited: Bool) {
    (self.name, self.mixerBus) = (name, mixerBus)
    sum = MixerNode(name: "\(name) sum", aligning: 1, sampleRate: sampleRate)
    fader = MixerNode(fader: name, sampleRate: sampleRate)
    limiter = isLimited ? LimiterNode(name: "\(name) limiter") : nil
  }
}

/// The buses, and what leads where. [any thread]
struct BusRack: Sendable {
  /// In the order in which they were made.
  var buses: [MixBus] = []
  /// What leads anywhere but into the main mix; channels that are not there yet have theirs when they come.
  var destinations: [Strip: Destination] = [:]

  static let limit = 16

  mutating func add(_ bus: MixBus) throws(BusError) {
    guard buses.count < Self.limit else { throw .full(bus.name) }
    buses.append(bus)
  }

  func bus(_ name: String) -> MixBus? { buses.first { $0.name == name } }

  /// Whether a bus leads to channels of the output, where it has its own limiter.
  func leadsToOutputs(_ bus: MixBus) -> Bool {
    if case .outputs = destination(of: .bus(bus.name)) { true } else { false }
  }

  /// What a bus has in the graph, beside its inserts.
  func nodes(of bus: MixBus) -> [any AudioNode] {
    var nodes: [any AudioNode] = [bus.sum, bus.fader]
    if leadsToOutputs(bus), let limiter = bus.limiter { nodes.append(limiter) }
    return nodes
  }

  func destination(of strip: Strip) -> Destination { destinations[strip] ?? .main }

  /// The bus that a strip leads to.
  func bus(after strip: Strip) -> MixBus? {
    if case .bus(let name) = destination(of: strip) { bus(name) } else { nil }
  }
}

/// Why buses are not changed. All is then as it was.
public enum BusError: Error, Sendable, Equatable, CustomStringConvertible {
  /// There is no such bus; `known` are those there are.
  case unknown(String, known: [String])
  /// A name that no bus can have.
  case badName(String)
  /// There are as many buses as there can be.
  case full(String)
  /// The bus would lead back into itself.
  case loop(String)
  /// The strip leads into the main mix or a bus, and not elsewhere.
  case unroutable(Strip, Destination)
  /// The output has no such channel.
  case noOutput(Strip, Destination, channelCount: Int)

  public var description: String {
    switch self {
    case .unknown(let name, []): "bus \(name): there is none; bus \(name) main makes it"
    case .unknown(let name, let known): "bus \(name): there is none; there are \(known.joined(separator: ", "))"
    case .badName(let name):
      BusName.isReserved(name)
        ? "bus \(name): the word has a meaning already; call the bus otherwise"
        : "bus \(name): a bus cannot be called so; give \(BusName.expected)"
    case .full(let name): "bus \(name): there are \(BusRack.limit) buses, which is the most; delete one first"
    case .loop(let name): "bus \(name): it would lead back into itself; let it lead to main"
    case .unroutable(.main, _): "main: it leads to the output's first channels; the channel map sets which"
    case .unroutable(let strip, let destination):
      "\(strip) to \(destination): only buses lead there; make one, as in bus phones \(destination.word), "
        + "and let \(strip) lead to that"
    case .noOutput(let strip, let destination, let count):
      "\(strip) to \(destination): the output has \(count) channels; start with --channels, or several devices for more"
    }
  }
}
