import CALSA

/// alsa-lib as a whole: its messages are kept for the errors they explain instead of appearing on stderr.
enum ALSALibrary {
  private static let messagesCaptured: Void = calsa_capture_messages()

  /// To be called before a call whose failure is to be explained.
  static func prepare() {
    _ = messagesCaptured
    calsa_clear_message()
  }

  /// The first thing alsa-lib said on this thread since `prepare()`; empty if nothing.
  static var message: String { String(cString: calsa_message()) }
}
