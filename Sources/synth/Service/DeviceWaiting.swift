import SynthALSA
import SynthKit

/// What is played on and from, opened at once or, with `--wait`, when it is there.
struct DeviceWaiting {
  let isPatient: Bool

  /// Calls `open` until it succeeds: again when devices come or go, and every second.
  ///
  /// - Throws: what will not change by itself, anything if it is not to wait, or `Interrupted`.
  func open<Devices>(_ manager: inout ServiceManager, _ open: () throws -> Devices) throws -> Devices {
    let watch = SoundDeviceWatch()
    var told = ""
    while true {
      do {
        return try open()
      } catch  where isPatient && Self.mayPass(error) {
        if told.isEmpty { Interruption.watch() }
        let line = "waiting    \(errorLine(error))"
        if line != told { Terminal.note(line) }
        told = line
        manager.tell("waiting: \(errorLine(error))")
      }
      manager.giveSign()
      watch.wait(milliseconds: 1000)
      if Interruption.isRequested {
        manager.tellEnd()
        throw Interrupted()
      }
      PCMDevice.forgetConfiguration()
    }
  }

  /// Whether it may be another matter when a card or a sound server comes, or udev has given its nodes to the user.
  private static func mayPass(_ error: any Error) -> Bool {
    switch error {
    case let error as PCMError:
      switch error.cause {
      case .serverAbsent: true
      case .noSuchDevice, .busy, .permissionDenied: true
      case .unsupported, .unnamed, .invalid, .failed: false
      }
    case let error as JACKError: error.cause == .serverAbsent
    case let error as SequencerError: error.cause == .absent || error.cause == .permissionDenied
    default: false
    }
  }
}
