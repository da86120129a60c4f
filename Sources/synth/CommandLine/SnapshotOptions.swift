import SynthKit

/// The options that recall how everything was set.
struct SnapshotOptions {
  /// Recalled at the start; nil for none.
  let name: String?
  /// Whose program changes recall snapshots, 0 to 15; nil for none.
  let channel: UInt8?

  init(_ arguments: Arguments) throws(UsageError) {
    name = arguments.last(.snapshot)
    if let name, (try? SynthesizerCommand(parsing: "snapshot recall \(name)")) == nil {
      throw .badValue(.snapshot, "\"\(name)\"", expected: "the name of a snapshot, as the command snapshots lists them")
    }
    switch arguments.last(.snapshotChannel) {
    case nil: channel = 15
    case "off"?: channel = nil
    case let text?:
      guard let number = UInt8(text), (1...16).contains(number) else {
        throw .badValue(.snapshotChannel, text, expected: "a channel from 1 to 16, or off")
      }
      channel = number - 1
    }
  }
}
