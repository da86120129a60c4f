import Glibc

/// Whether a condition comes to hold, for which a busy machine gets half a minute.
///
/// For what another thread does: a test that waits without a limit hangs where it should fail.
public func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  for _ in 0..<30_000 {
    if try condition() { return true }
    usleep(1000)
  }
  return try condition()
}
