import Realtime

extension QuietThread {
  /// In bytes: enough for alsa-lib's plugins. Of the usual eight megabytes, all would be locked in memory.
  static var alsaStackSize: Int { 1 << 20 }
}
