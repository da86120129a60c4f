import Glibc

/// Tells that sound devices may have come or gone, by the nodes in /dev/snd. The corresponding C functions are
/// `inotify_init1` and `poll`.
public struct SoundDeviceWatch: ~Copyable {
  private let file: Int32

  /// Watches from now on. Where the kernel refuses, `wait` is only a pause.
  public init() {
    file = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    watch()
  }

  deinit { close(file) }

  /// Returns when something has changed and the nodes have settled, when the time is over, or at a signal.
  public func wait(milliseconds: Int32) {
    var request = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, milliseconds) > 0 else { return }
    // A card's nodes appear one after another, and udev hands them to the user last.
    usleep(200_000)
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { events in
      while read(file, events.baseAddress, events.count) > 0 {}
    }
    watch()
  }

  /// The directory goes with the last card and comes with the first. Watching it twice is watching it once.
  private func watch() {
    let changes = UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB)
    inotify_add_watch(file, "/dev", UInt32(IN_CREATE))
    inotify_add_watch(file, "/dev/snd", changes)
  }
}
