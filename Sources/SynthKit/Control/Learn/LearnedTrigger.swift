import SynthMIDI

/// What a person moves or presses: a controller, a note, a program or an assignable parameter (NRPN) of one channel of
/// one port.
public struct LearnedTrigger: Sendable, Hashable, CustomStringConvertible {
  /// What it sends.
  public enum Kind: Sendable, Hashable {
    /// A change of the controller with this number.
    case controller(UInt8)
    /// A key that is struck, 0 to 127.
    case note(UInt8)
    /// A program change, 0 to 127.
    case program(UInt8)
    /// 0 to 16383. (NRPN)
    case assignable(UInt16)
  }

  /// The message that is waited for.
  public var kind: Kind
  /// 0 to 15.
  public var channel: UInt8
  /// The port's name without its address; nil for every port.
  public var port: String?

  public init(_ kind: Kind, channel: UInt8, port: String? = nil) {
    (self.kind, self.channel, self.port) = (kind, channel, port)
  }

  /// Whether it has values between on and off.
  var isContinuous: Bool {
    switch kind {
    case .controller, .assignable: true
    case .note, .program: false
    }
  }

  /// "controller 20 on channel 1 of nanoKONTROL"
  public var description: String {
    let what =
      switch kind {
      case .controller(let number): "controller \(number)"
      case .note(let number): "note \(number)"
      case .program(let number): "program \(number)"
      case .assignable(let number): "NRPN \(number)"
      }
    return "\(what) on channel \(Int(channel) + 1)" + (port.map { " of \($0)" } ?? "")
  }

  /// "nanoKONTROL" of "nanoKONTROL (24:0)": the address is another one after the next start.
  static func name(of port: MIDIPort) -> String {
    guard let start = port.name.lastIndex(of: "("), port.name.hasSuffix(")") else { return port.name }
    let address = port.name[start...].dropFirst().dropLast()
    guard address.allSatisfy({ $0.isNumber || $0 == ":" }) else { return port.name }
    return String(port.name[..<start].reversed().drop { $0 == " " }.reversed())
  }
}

/// Reads triggers from what ports send. NRPN messages are put together: the number, then its value of 7 or 14 bits.
struct TriggerReader: Sendable {
  private struct Origin: Hashable {
    let port: UInt32
    let name: String
    let channel: UInt8
  }

  private struct Selection {
    var number: UInt16
    var value: UInt16 = 0
  }

  /// Which assignable parameters are selected.
  private var selections: [Origin: Selection] = [:]

  /// - Returns: what was moved or pressed, and how far, from 0 to 1; nil for a message that is neither.
  mutating func read(_ message: MIDIMessage, from port: MIDIPort) -> (trigger: LearnedTrigger, position: Float)? {
    func trigger(_ kind: LearnedTrigger.Kind) -> LearnedTrigger {
      LearnedTrigger(kind, channel: message.channel, port: LearnedTrigger.name(of: port))
    }
    let position = Float(Double(message.value32) / Double(UInt32.max))
    switch message.kind {
    case .noteOn: return (trigger(.note(message.note)), 1)
    case .noteOff: return (trigger(.note(message.note)), 0)
    case .programChange: return (trigger(.program(message.program)), 1)
    case .assignableController: return (trigger(.assignable(message.parameter)), position)
    case .controlChange: break
    default: return nil
    }
    let origin = Origin(port: port.id, name: port.name, channel: message.channel)
    let value = UInt16(message.value7)
    switch message.controller {
    case .assignableParameter:
      selections[origin] = Selection(number: value << 7 | (selections[origin]?.number ?? 0) & 127)
    case .assignableParameterLSB:
      selections[origin] = Selection(number: (selections[origin]?.number ?? 0) & ~127 | value)
    case .registeredParameter, .registeredParameterLSB: selections[origin] = nil
    case .dataEntry, .dataEntryLSB:
      guard var selection = selections[origin] else {
        return (trigger(.controller(message.controller.rawValue)), position)
      }
      // The fine part follows the coarse one; alone, 127 is all.
      let isFine = message.controller == .dataEntryLSB
      selection.value = isFine ? selection.value & ~127 | value : value << 7 | (value == 127 ? 127 : 0)
      selections[origin] = selection
      return (trigger(.assignable(selection.number)), Float(selection.value) / 16383)
    case let controller where controller.rawValue < 120:
      return (trigger(.controller(controller.rawValue)), position)
    default: break  // channel modes
    }
    return nil
  }
}
