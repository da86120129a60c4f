import Glibc

/// Reports that sound devices may have come or gone, by the nodes in /dev/snd. The corresponding C functions are
/// `inotify_init1` and `poll`. [control thread]
public struct SoundDeviceWatch: ~Copyable {
  private let file: Int32

  /// Begins to watch. If the kernel refuses, `wait` is only a pause.
  public init() {
    file = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    watch()
  }

  deinit { close(file) }

  /// Why a wait has ended.
  package enum Event {
    /// Devices may have come or gone.
    case devices
    /// A control of a card has changed, or the card has gone.
    case control
    /// The time is over, or a signal came.
    case nothing
    /// The other file has become readable.
    case interrupted
  }

  /// Returns when something has changed and the nodes have settled, when the time is over, or at a signal.
  public func wait(milliseconds: Int32) { _ = wait(milliseconds: milliseconds, orUntilReadable: -1) }

  /// The same; also returns when `other` or `control` becomes readable, unless they are negative.
  package func wait(milliseconds: Int32, orUntilReadable other: Int32, control: Int32 = -1) -> Event {
    var requests = [file, other, control].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard poll(&requests, 3, milliseconds) > 0 else { return .nothing }
    // At once: a card cannot go while its control is open.
    if requests[2].revents != 0 { return .control }
    // A card's nodes appear one after another, and udev gives them to the user last.
    if requests[1].revents != 0 || poll(&requests[1], 1, 200) > 0 { return .interrupted }
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { events in
      while read(file, events.baseAddress, events.count) > 0 {}
    }
    watch()
    return .devices
  }

  /// The directory exists only while there are cards. Adding a watch twice has no effect.
  private func watch() {
    let changes = UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB)
    inotify_add_watch(file, "/dev", UInt32(IN_CREATE))
    inotify_add_watch(file, "/dev/snd", changes)
  }
}
