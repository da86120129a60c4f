import CSynthALSA
import Glibc

/// An error of a PCM device: one line for people, a cause for programs.
public struct PCMError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Why an operation on a device failed.
  public enum Cause: Sendable, Equatable {
    /// alsa-lib knows no PCM of that name, or its card is absent.
    case noSuchDevice
    /// Another process has the device open; `holders` is empty when they cannot be determined.
    case busy(holders: [DeviceHolder])
    /// The user may not open the device.
    case permissionDenied
    /// The device cannot do what was asked; the text says what, and `instead` what it can do.
    case unsupported(String, instead: String?, Remedy)
    /// No device is named, or a name that alsa-lib cannot take.
    case unnamed
    /// The request makes no sense for any device; the text names the value and its range.
    case invalid(String)
    /// Any other failure, in the words of the C library.
    case failed(String)
  }

  /// What a person can do about it, for programs that word it themselves. The description has it in general words.
  public enum Remedy: Sendable, Equatable {
    /// Choose a device from the list of all devices.
    case listDevices
    /// Choose one of the devices that are present.
    case listPresentDevices
    /// Take the default device, which is shared with other programs and converts.
    case useDefault
    /// Ask for a channel count that the device has.
    case chooseChannels

    /// In general words.
    public var description: String {
      switch self {
      case .listDevices: "list the devices"
      case .listPresentDevices: "list the devices that are present"
      case .useDefault: "use the default device"
      case .chooseChannels: "ask for another count"
      }
    }
  }

  /// What was being done: "opening", "setting up", "writing to".
  public let operation: String
  /// The name under which alsa-lib was asked for the device.
  public let device: String
  /// What is wrong.
  public let cause: Cause

  /// An error from its parts.
  public init(_ operation: String, _ device: String, _ cause: Cause) {
    self.operation = operation
    self.device = device
    self.cause = cause
  }

  /// An error from a negative return value of alsa-lib, with the message it logged on this thread.
  init(_ operation: String, _ device: String, _ direction: PCMDirection = .playback, code: Int32) {
    self.init(
      operation, device, Cause(code: code, device: device, direction, message: ALSALibrary.message))
  }

  public var description: String { line(\.description) }

  /// The description with remedies in the caller's words.
  public func line(_ words: (Remedy) -> String) -> String {
    "\(operation) \(device): \(cause.text(words))"
  }
}

extension PCMError.Cause: CustomStringConvertible {
  /// The device is a sound server's, such as PipeWire's, and none answers.
  public static let serverAbsent = Self.failed(
    "no sound server answers — start it (systemctl --user start pipewire wireplumber), or name a card's own device")

  package init(code: Int32, device: String, _ direction: PCMDirection = .playback, message: String) {
    switch -code {
    case ENOENT, ENODEV: self = SoundDirectory.isDenied() ? .permissionDenied : .noSuchDevice
    case EBUSY: self = .busy(holders: DeviceHolder.holders(of: device, direction))
    case EACCES, EPERM: self = .permissionDenied
    case EHOSTDOWN, ECONNREFUSED: self = .serverAbsent
    default:
      let text = String(cString: snd_strerror(code)).lowercasedFirst
      self = .failed(message.isEmpty ? text : "\(text) (\(message))")
    }
  }

  public var description: String { text(\.description) }

  /// What is wrong — what to do next, in the caller's words.
  public func text(_ words: (PCMError.Remedy) -> String) -> String {
    switch self {
    case .noSuchDevice: "no such device — \(words(.listPresentDevices))"
    case .unnamed: "no device name — \(words(.listDevices))"
    case .busy(let holders) where holders.isEmpty:
      "device or resource busy — another program holds it; \(words(.useDefault)), or stop that program"
    case .busy(let holders):
      "device or resource busy — held by \(holders.map(\.description).joined(separator: ", ")); "
        + "\(words(.useDefault)), or stop \(holders.count == 1 ? "it" : "them")"
    case .permissionDenied:
      "permission denied — add yourself to the group audio (sudo usermod -aG audio $USER), then log in again"
    case .unsupported(let text, let instead, let remedy):
      "\(text) — \(instead.map { "\($0); " } ?? "")\(words(remedy))\(remedy == .useDefault ? ", which converts" : "")"
    case .invalid(let text), .failed(let text): text
    }
  }
}

extension String {
  /// For a C library's message in the middle of a line.
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}

/// alsa-lib's log messages, kept for the errors they explain instead of printed on stderr.
enum ALSALibrary {
  private static let messagesCaptured: Void = calsa_capture_messages()

  /// Call this before a call whose failure is to be explained.
  static func prepare() {
    _ = messagesCaptured
    calsa_clear_message()
  }

  /// The first message on this thread since `prepare()`; empty without one.
  static var message: String { String(cString: calsa_message()) }
}
