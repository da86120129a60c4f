import SynthALSA
import SynthKit
import SynthMIDI

/// What a program that plays does as a service: it tells its manager how it is doing, and gives the card away while
/// keyboards are silent.
final class PlayService {
  private var manager = ServiceManager()
  private let release: DeviceRelease?
  private let waiting: DeviceWaiting
  /// How many the device had taken when the last sign of life was given.
  private var framesWritten = -1
  /// How much was saved when more time was asked for last.
  private var savedPart = -1.0

  init(waits: Bool, releaseAfter silence: Int?) {
    waiting = DeviceWaiting(isPatient: waits)
    release = silence.map { DeviceRelease(after: Double($0)) }
  }

  /// What is to receive a copy of what keyboards play.
  var sinks: [any MIDISink] { release.map { [$0] } ?? [] }

  /// Whether the card is given away.
  var isReleased: Bool { release?.isReleased ?? false }

  /// Whether devices that are missing are waited for.
  var waits: Bool { waiting.isPatient }

  /// Opens devices, now or when they are there.
  func open<Devices>(_ open: () throws -> Devices) throws -> Devices { try waiting.open(&manager, open) }

  /// To be called now and then while it plays.
  ///
  /// - Parameters:
  ///   - song: what plays now.
  ///   - isRecording: whether the card is needed without keyboards.
  func turn(_ session: Session, _ output: any ReportedOutput, song: String?, isRecording: Bool) throws {
    let wasReleased = isReleased
    // A server's card is the server's own.
    if let device = output as? DeviceOutput { try release?.turn(session, device, isNeeded: isRecording) }
    guard let first = output.reports.first else { return }
    let name = first.present?.device ?? first.parameters.device
    if isReleased {
      if !wasReleased { Terminal.note("silent     \(name) is free for others until a key is played") }
      manager.tell("silent: \(name) is free for others")
    } else if first.present == nil {
      manager.tell("waiting for \(name)")
    } else {
      manager.tell("playing \(song ?? "what keyboards send") on \(name)")
    }
    manager.giveSign { [self] in
      let written = first.statistics.framesWritten
      defer { framesWritten = written }
      return written != framesWritten || first.present == nil || !session.isPlaying
    }
  }

  /// Tells that the program is about to end.
  func tellEnd() { manager.tellEnd() }

  /// To be called now and then while a take is saved at the end.
  ///
  /// - Parameter part: how much is done, 0 to 1; where that stands still the manager may end the program.
  func turn(saving part: Double) {
    guard part != savedPart else { return }
    savedPart = part
    manager.extendEnd()
    manager.giveSign()
  }
}
