import CALSA
import Glibc

/// alsa-lib's configuration, which says what is behind `default`: it may be changed at any time, and alsa-lib itself reads
/// it once.
struct ConfigurationFiles {
  /// What tells one state of a file from another; all zero if it is not there.
  private struct State: Equatable {
    var inode: UInt = 0
    var size = 0
    var seconds = 0
    var nanoseconds = 0

    init(of path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return }
      (inode, size) = (UInt(status.st_ino), Int(status.st_size))
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
  }

  private let paths: [String]
  private var states: [State]

  /// The user's and the system's, as they are now.
  init() {
    let home = getenv("HOME").map { String(cString: $0) } ?? ""
    let settings = getenv("XDG_CONFIG_HOME").map { String(cString: $0) } ?? "\(home)/.config"
    paths = ["/etc/asound.conf", "/etc/alsa/conf.d", "\(home)/.asoundrc", "\(settings)/alsa/asoundrc"]
    states = paths.map(State.init)
  }

  /// Whether one of them has changed since the last call; alsa-lib then reads them anew at its next open.
  /// The corresponding C function is `snd_config_update_free_global`.
  mutating func haveChanged() -> Bool {
    let present = paths.map(State.init)
    guard present != states else { return false }
    states = present
    snd_config_update_free_global()
    return true
  }
}
