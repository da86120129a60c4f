import CALSA
import Glibc

/// What went wrong with a PCM device, as one line for a person and one cause for a program.
public struct PCMError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Why an operation on a device failed.
  public enum Cause: Sendable, Equatable {
    /// alsa-lib knows no PCM of that name, or its card is absent.
    case noSuchDevice
    /// Somebody else has the device open; `holders` is empty when they cannot be seen.
    case busy(holders: [DeviceHolder])
    /// The user may not open the device.
    case permissionDenied
    /// The device cannot do what was asked; the text says what, and what it can do.
    case unsupported(String)
    /// The request makes no sense for any device; the text names the value and its range.
    case invalid(String)
    /// Anything else, in the C library's words.
    case failed(String)
  }

  /// What was being done: "opening", "setting up", "writing to".
  public let operation: String
  /// The device's name, as alsa-lib has it.
  public let device: String
  /// What is wrong.
  public let cause: Cause

  /// An error from its parts.
  public init(_ operation: String, _ device: String, _ cause: Cause) {
    self.operation = operation
    self.device = device
    self.cause = cause
  }

  /// An error from a negative return value of alsa-lib; what it had to say about it on this thread is added.
  init(_ operation: String, _ device: String, _ direction: PCMDirection = .playback, code: Int32) {
    self.init(operation, device, Cause(code: code, device: device, direction, message: ALSALibrary.message))
  }

  public var description: String {
    "\(operation) \(device): \(cause)"
  }
}

extension PCMError.Cause: CustomStringConvertible {
  package init(code: Int32, device: String, _ direction: PCMDirection = .playback, message: String) {
    switch -code {
    case ENOENT, ENODEV: self = SoundDirectory.isDenied() ? .permissionDenied : .noSuchDevice
    case EBUSY: self = .busy(holders: DeviceHolder.holders(of: device, direction))
    case EACCES, EPERM: self = .permissionDenied
    default:
      let text = String(cString: snd_strerror(code)).lowercasedFirst
      self = .failed(message.isEmpty ? text : "\(text) (\(message))")
    }
  }

  /// What is wrong — what to do next.
  public var description: String {
    switch self {
    case .noSuchDevice: "no such device — `synth devices` lists those there are"
    case .busy(let holders) where holders.isEmpty:
      "device or resource busy — another program holds it; use --out default, or stop that program"
    case .busy(let holders):
      "device or resource busy — held by \(holders.map(\.description).joined(separator: ", ")); "
        + "use --out default, or stop \(holders.count == 1 ? "it" : "them")"
    case .permissionDenied:
      "permission denied — add yourself to the group audio (sudo usermod -aG audio $USER), then log in again"
    case .unsupported(let text), .invalid(let text), .failed(let text): text
    }
  }
}

extension String {
  /// C libraries begin their messages with a capital; in the middle of a line they do not.
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
