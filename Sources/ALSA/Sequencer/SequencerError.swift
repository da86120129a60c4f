import CALSA
import Glibc

/// What went wrong with the ALSA sequencer.
public struct SequencerError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Why.
  public enum Cause: Sendable, Equatable {
    /// The kernel has no sequencer, or has not loaded it.
    case absent
    /// The user may not open it.
    case permissionDenied
    /// Anything else, in the C library's words.
    case failed(String)
  }

  /// What was being done: "opening the MIDI sequencer".
  public let operation: String
  /// What is wrong.
  public let cause: Cause

  /// An error from a negative return value of alsa-lib.
  package init(_ operation: String, code: Int32) {
    self.operation = operation
    cause =
      switch -code {
      case ENOENT, ENODEV, ENXIO: .absent
      case EACCES, EPERM: .permissionDenied
      default: .failed(String(cString: snd_strerror(code)))
      }
  }

  public var description: String {
    switch cause {
    case .absent: "\(operation): there is no /dev/snd/seq — load the kernel's sequencer: sudo modprobe snd-seq"
    case .permissionDenied:
      "\(operation): permission denied for /dev/snd/seq — add yourself to the group audio "
        + "(sudo usermod -aG audio $USER), then log in again"
    case .failed(let text): "\(operation): \(text) — see what is connected with aconnect -l"
    }
  }
}
