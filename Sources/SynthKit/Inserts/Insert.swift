import AudioGraph
import SynthRealtime

/// An effect in a strip, with a mix of dry and wet sound and a bypass.
///
///     source ─┬───────────► dry ─┐
///             └► effect ──► wet ─┴► what follows
///                   ▲
///                   └ side chain
public final class Insert: Sendable {
  /// What it is: "compressor".
  public let kind: InsertKind
  /// The node that renders it. Its name is unique in the graph and stays when the insert moves: "channel 3 compressor".
  public let effect: any AudioNode
  /// The path of what it was made from; nil for no file.
  public let file: String?
  let dryWet: DryWetNode
  private let heard = CheckedMutex<Strip?>(nil)

  /// How much of the effect is heard, 0 to 100 percent. Dry and wet sound are aligned to the sample.
  public var mix: Parameter { dryWet.mix }
  /// Whether the dry sound alone is heard, as late as the effect.
  public var bypass: Parameter { dryWet.bypass }
  /// The strip that says how loud it is, as it leaves its inserts, or what a canceller takes out; nil for the sound
  /// itself. `Synthesizer.setSideChain` sets it. [any thread]
  public internal(set) var sideChain: Strip? {
    get { heard.withLock { $0 } }
    set { heard.withLock { $0 = newValue } }
  }
  /// See `effect`.
  public var name: String { effect.name }

  /// Reads the file. [control thread]
  ///
  /// - Parameter sampleRate: of the strip, in hertz.
  init(_ kind: InsertKind, named name: String, file: String?, sampleRate: Double) throws {
    (self.kind, self.file) = (kind, file)
    effect = try kind.make(named: name, file: file)
    dryWet = DryWetNode(name: "\(name) mix", mix: kind.mix, sampleRate: sampleRate)
  }

  /// In the order in which sound passes them.
  var nodes: [any AudioNode] { [effect, dryWet] }

  /// What one of its settings is now.
  func value(of setting: InsertKind.Setting) -> PropertyValue {
    if let parameter = effect.parameters.first(where: { $0.name == setting.name }) { return parameter.propertyValue }
    return effect.properties.first { $0.name == setting.name }?.value ?? setting.initial
  }
}

/// Why an insert is not put in, moved or removed. All is then as it was.
public enum InsertError: Error, Sendable, Equatable, CustomStringConvertible {
  /// There is no such effect; `nearest` is one that might be meant.
  case unknownKind(String, nearest: String?)
  /// The strip is not there now.
  case noStrip(Strip)
  /// The strip has as many as it takes.
  case full(Strip)
  /// The strip has no insert of this number, counted from 1.
  case noInsert(Strip, Int, count: Int)
  /// The effect is not made from a file.
  case takesNoFile(String)
  /// The effect has no side chain.
  case takesNoSideChain(String)
  /// What the strip says would be what it is said.
  case sideChainLeadsBack(Strip, from: Strip)

  public var description: String {
    switch self {
    case .unknownKind(let name, let nearest):
      "inserting \(name): no such effect; "
        + (nearest.map { "did you mean \($0)?" } ?? "give one of \(InsertKind.names.joined(separator: ", "))")
    case .noStrip(.microphone): "microphone: there is none; start with --in DEVICE"
    case .noStrip(.click): "click: it takes no inserts; let it lead to a bus that has some"
    case .noStrip(.bus(let name)): "\(name): there is no such bus; bus \(name) main makes it"
    case .noStrip(let strip): "\(strip): there is no such strip now; songs for several ports bring more channels"
    case .full(let strip): "\(strip): it has \(Synthesizer.insertLimit) inserts, which is the most; remove one first"
    case .noInsert(let strip, let number, 0): "\(strip): it has no insert \(number), and no other; insert one first"
    case .noInsert(let strip, let number, let count):
      "\(strip): it has no insert \(number); give a number from 1 to \(count)"
    case .takesNoSideChain(let name):
      "sidechain: the \(name) has none; "
        + "\(InsertKind.all.filter(\.takesSideChain).map(\.name).joined(separator: ", ")) do"
    case .sideChainLeadsBack(let strip, let source):
      "sidechain of \(strip): \(source) comes after it; a channel's effects can listen to other channels and the "
        + "microphone, a bus's to channels and to buses that do not come after it"
    case .takesNoFile(let name): "inserting \(name): it takes no file; leave that out"
    }
  }
}
