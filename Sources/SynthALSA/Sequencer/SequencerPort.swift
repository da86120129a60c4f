import CSynthALSA
import SynthMIDI

/// Where events come from or go to: a client's number and its port's. Shown as `24:0`.
public struct SequencerAddress: Sendable, Hashable, CustomStringConvertible {
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
    let handle = try SequencerHandle(clientName: "synth", portName: "synth input")
    return handle.ports().filter(\.isInstrument)
  }

  /// Whether its events may be subscribed to.
  ///
  /// The endpoint port of a MIDI 2.0 device repeats the events of its group ports; alsa-lib 1.2.8 has no name for the
  /// bit.
  var isReadable: Bool {
    let readable = SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ
    let (hidden, endpoint): (UInt32, UInt32) = (UInt32(SND_SEQ_PORT_CAP_NO_EXPORT), 1 << 9)
    return capabilities & UInt32(readable) == UInt32(readable) && capabilities & (hidden | endpoint) == 0
  }

  /// Whether it may be an instrument: neither the sequencer itself nor its *Midi Through* port, which plays what
  /// is played to it.
  var isInstrument: Bool { isReadable && address.client != 0 && clientName != "Midi Through" }

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
