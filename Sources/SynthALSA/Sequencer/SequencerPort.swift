import CSynthALSA
import SynthMIDI

/// Where events come from or go to: a client's number and its port's. Shown as `24:0`.
public struct SequencerAddress: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The number of the client, 0–255.
  public let client: UInt8
  /// The number of the port, 0–255.
  public let port: UInt8

  /// An address from its numbers.
  public init(client: UInt8, port: UInt8) {
    self.client = client
    self.port = port
  }

  init(_ address: snd_seq_addr_t) { self.init(client: address.client, port: address.port) }

  /// An address as it is shown; nil for any other text.
  public init?(_ text: some StringProtocol) {
    let numbers = text.split(separator: ":", omittingEmptySubsequences: false)
    guard numbers.count == 2, let client = UInt8(numbers[0]), let port = UInt8(numbers[1]) else { return nil }
    self.init(client: client, port: port)
  }

  public var description: String { "\(client):\(port)" }

  /// By client, then by port.
  public static func < (a: Self, b: Self) -> Bool { (a.client, a.port) < (b.client, b.port) }
}

/// A port of the ALSA sequencer.
public struct SequencerPort: Sendable, Hashable, CustomStringConvertible {
  /// Its address; a port that leaves and returns may have another one.
  public let address: SequencerAddress
  /// The name of its client: of a USB keyboard, the product's.
  public let clientName: String
  /// The name of the port.
  public let portName: String
  /// What may be done with it: `SND_SEQ_PORT_CAP_…`.
  let capabilities: UInt32

  package init(address: SequencerAddress, clientName: String, portName: String, capabilities: UInt32) {
    self.address = address
    self.clientName = clientName
    self.portName = portName
    self.capabilities = capabilities
  }

  /// Every port that may be an instrument: those a `SequencerSource` joins by itself.
  public static func instruments() throws(SequencerError) -> [SequencerPort] {
    try SequencerPorts().all().filter(\.isInstrument)
  }

  /// Names it also after it has left and returned under another address, or after a restart. Devices of one model have
  /// the same.
  public var stableName: String { "\(clientName):\(portName)" }

  /// Whether others may receive what it sends: a keyboard, an output of a program.
  public var isSource: Bool { allows(SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ) }

  /// Whether others may send to it: a hardware synthesizer, an input of a program.
  public var isDestination: Bool { allows(SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE) }

  /// The endpoint port of a MIDI 2.0 device repeats the events of its group ports; alsa-lib 1.2.8 has no name for the
  /// bit.
  private func allows(_ wanted: Int32) -> Bool {
    let (hidden, endpoint): (UInt32, UInt32) = (UInt32(SND_SEQ_PORT_CAP_NO_EXPORT), 1 << 9)
    return capabilities & UInt32(wanted) == UInt32(wanted) && capabilities & (hidden | endpoint) == 0
  }

  /// Whether a wish is for it: an address like `24:0`, or a part of its client's or its own name, in upper or lower
  /// case.
  public func fulfils(_ wish: String) -> Bool {
    if let address = SequencerAddress(wish) { return self.address == address }
    let wish = wish.lowercased()
    return clientName.lowercased().contains(wish) || portName.lowercased().contains(wish)
  }

  /// Whether it may be an instrument: neither the sequencer itself nor its *Midi Through* port, which plays what
  /// is played to it.
  var isInstrument: Bool { isSource && address.client != 0 && clientName != "Midi Through" }

  /// The names and the address: `Test Keyboard 49 MIDI 1 (24:0)`. Most ports repeat their client's name in theirs.
  public var description: String {
    portName.hasPrefix(clientName) ? "\(portName) (\(address))" : "\(clientName), \(portName) (\(address))"
  }
}

extension MIDIPort {
  /// A port of the sequencer by its number, where its name is not known.
  init(_ address: SequencerAddress, name: String? = nil) {
    self.init(id: UInt32(address.client) << 8 | UInt32(address.port), name: name ?? address.description)
  }

  /// A port of the sequencer.
  public init(_ port: SequencerPort) { self.init(port.address, name: port.description) }
}
