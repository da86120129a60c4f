import Glibc

/// Whether the process's memory is locked, so that the audio thread never waits for a page from disk.
public enum MemoryLock: Sendable, Equatable, CustomStringConvertible {
  /// All that is mapped now and later stays in memory.
  case locked
  /// The kernel refused; the errno value.
  case refused(code: Int32)

  /// Locks the process's present memory: to be called when soundfonts are loaded and the graph is connected.
  /// [control thread]
  ///
  /// Later allocations are locked too if the user's limit is infinite; otherwise the one that reaches the limit would
  /// fail. The corresponding C function is `mlockall`.
  public static func request() -> MemoryLock {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit)
    let flags = limit.rlim_cur == rlim_t.max ? MCL_CURRENT | MCL_FUTURE : MCL_CURRENT
    return mlockall(Int32(flags)) == 0 ? .locked : .refused(code: errno)
  }

  public var description: String {
    switch self {
    case .locked: "memory locked"
    case .refused(let code): "memory not locked (\(String(cString: strerror(code)))): set a memlock limit"
    }
  }
}
