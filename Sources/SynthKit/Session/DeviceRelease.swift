import Synchronization
import SynthMIDI
import SynthRealtime

/// Gives an output's devices to other programs while nothing is played live, and takes them again when something is.
///
///     let release = DeviceRelease(after: 60)
///     let session = Session(synthesizer, output: output, sources: [keyboard], copies: [release])
///     try session.start()
///     while true { try release.turn(session, output); usleep(50_000) }
///
/// What is played meanwhile is heard as soon as the device is open.
public final class DeviceRelease: MIDISink {
  /// How long nothing sounds before, in seconds.
  public let silence: Double

  private let isGiven = Atomic(false)
  /// On `HostClock`: when something was received last, or still sounded.
  private let latest = Atomic<UInt64>(HostClock.now)
  private let isWanted = Atomic(false)

  /// - Parameter silence: longer than any reverb, in seconds.
  public init(after silence: Double) { self.silence = silence }

  /// Whether the devices are given away. [any thread]
  public var isReleased: Bool { isGiven.load(ordering: .relaxed) }

  public func receive(_ event: MIDISourceEvent) {
    guard case .received(let content, _, _) = event, !content.isClock else { return }
    latest.store(HostClock.now, ordering: .relaxed)
    isWanted.store(true, ordering: .releasing)
  }

  /// Gives the devices away or takes them, if it is time. To be called now and then. [control thread]
  ///
  /// - Parameter isNeeded: whether they are to be kept or taken in any case: while something is recorded.
  /// - Throws: as `Session.pause` and `Session.start`.
  public func turn(_ session: Session, _ output: DeviceOutput, isNeeded: Bool = false) throws {
    let now = HostClock.now
    let sounds = session.synthesizer.instruments.activeVoiceCount > 0 || session.metronome.isOn.value > 0
    if isReleased {
      guard isWanted.exchange(false, ordering: .acquiring) || isNeeded || session.metronome.isOn.value > 0 else {
        return
      }
      latest.store(now, ordering: .relaxed)
      isGiven.store(false, ordering: .relaxed)
      return try session.start()
    }
    if sounds || isNeeded { latest.store(now, ordering: .relaxed) }
    // Before the time is looked at: what comes from here on is seen there, or takes the devices at the next turn.
    _ = isWanted.exchange(false, ordering: .acquiring)
    let since = latest.load(ordering: .relaxed)
    guard now > since, Double(now - since) > silence * 1e9, session.isPlaying else { return }
    try session.pause()
    output.release()
    isGiven.store(true, ordering: .relaxed)
  }
}
