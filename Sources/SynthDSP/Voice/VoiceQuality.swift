/// How long an echo may be to be cancelled, which decides what that costs: at 48 kHz and with a mono far end, 1.2, 1.6
/// and 2.3 % of a processor (`Benchmarks/voice`).
public enum VoiceQuality: String, CaseIterable, Sendable {
  /// Echoes that end within 100 ms: a handset, a small room, a device with short buffers.
  case low
  /// 200 ms.
  case medium
  /// 400 ms: a hall. It takes longest to learn the room.
  case high

  /// In seconds, from the sound's way into the far-end input to the end of its echo at the microphone input.
  public var tail: Double {
    switch self {
    case .low: 0.1
    case .medium: 0.2
    case .high: 0.4
    }
  }
}
