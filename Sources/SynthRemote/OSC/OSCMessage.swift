import CSynthLO
import Glibc

/// A message of Open Sound Control, as bytes and as values. Source: OpenSoundControl Specification 1.0.
struct OSCMessage: Equatable {
  enum Value: Equatable {
    case number(Double)
    case text(String)
    case bool(Bool)
    /// Status and data of a channel message.
    case midi([UInt8])
  }

  let address: String
  let values: [Value]

  init(_ address: String, _ values: Value...) { self.init(address, values) }

  init(_ address: String, _ values: [Value]) { (self.address, self.values) = (address, values) }

  /// The messages of a packet: one, or those of a bundle, whose time is ignored. Empty for what is no OSC.
  static func messages(_ packet: some Collection<UInt8>, depth: Int = 0) -> [OSCMessage] {
    let bytes = Array(packet)
    guard bytes.starts(with: "#bundle\0".utf8) else { return OSCMessage(bytes).map { [$0] } ?? [] }
    // Deeper bundles than this mean no good.
    guard depth < 4 else { return [] }
    var (messages, rest) = ([OSCMessage](), bytes.dropFirst(16))
    while rest.count >= 4 {
      let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(4)
      guard size <= rest.count, size > 0 else { return messages }
      messages += Self.messages(rest.prefix(size), depth: depth + 1)
      rest = rest.dropFirst(size)
    }
    return messages
  }

  /// Nil for what is no message.
  init?(_ bytes: [UInt8]) {
    guard bytes.first == UInt8(ascii: "/"), let end = bytes.firstIndex(of: 0),
      let address = String(validating: bytes[..<end], as: UTF8.self)
    else { return nil }
    var copy = bytes
    var result: Int32 = 0
    guard let message = lo_message_deserialise(&copy, copy.count, &result) else { return nil }
    defer { lo_message_free(message) }
    guard let types = lo_message_get_types(message) else { return nil }
    let count = Int(lo_message_get_argc(message))
    let arguments = lo_message_get_argv(message)
    var values: [Value] = []
    for index in 0..<count {
      guard let value = Self.value(types[index], arguments?[index]) else { return nil }
      values.append(value)
    }
    self.init(address, values)
  }

  private static func value(_ type: CChar, _ argument: UnsafeMutablePointer<lo_arg>?) -> Value? {
    switch UnicodeScalar(UInt8(bitPattern: type)) {
    case "T": return .bool(true)
    case "F": return .bool(false)
    // A button's impulse.
    case "I": return .number(1)
    default: break
    }
    // Not as the union, which is read whole: the last argument may be shorter, and memory ends behind it.
    guard let bytes = argument.map({ UnsafeRawPointer($0) }) else { return nil }
    switch UnicodeScalar(UInt8(bitPattern: type)) {
    case "i": return .number(Double(bytes.loadUnaligned(as: Int32.self)))
    case "h": return .number(Double(bytes.loadUnaligned(as: Int64.self)))
    // With as many digits as a float has.
    case "f": return Double("\(bytes.loadUnaligned(as: Float.self))").flatMap { $0.isFinite ? .number($0) : nil }
    case "d":
      let number = bytes.loadUnaligned(as: Double.self)
      return number.isFinite ? .number(number) : nil
    case "s", "S":
      return String(validatingCString: bytes.assumingMemoryBound(to: CChar.self)).map { .text($0) }
    case "m": return .midi((1...3).map { bytes.load(fromByteOffset: $0, as: UInt8.self) })
    default: return nil
    }
  }

  /// The message as a packet; empty where memory is short.
  var packet: [UInt8] {
    guard let message = lo_message_new() else { return [] }
    defer { lo_message_free(message) }
    for value in values {
      switch value {
      case .number(let number): lo_message_add_float(message, Float(number))
      case .text(let text): lo_message_add_string(message, text)
      case .bool(let isOn): lo_message_add_int32(message, isOn ? 1 : 0)
      case .midi: break
      }
    }
    var size = 0
    guard let bytes = lo_message_serialise(message, address, nil, &size) else { return [] }
    defer { free(bytes) }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: size))
  }
}
