import Glibc

/// Creates a thread that takes no signals: those are for threads that may wait. 0, or an errno value. (pthread_create)
///
/// Its stack of a megabyte is enough for alsa-lib's plugins; of the usual eight, all would be locked in memory.
func createQuietThread(
  _ thread: inout pthread_t, _ argument: UnsafeMutableRawPointer,
  _ body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
) -> Int32 {
  var all = sigset_t()
  var before = sigset_t()
  sigfillset(&all)
  pthread_sigmask(SIG_SETMASK, &all, &before)
  defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  pthread_attr_setstacksize(&attributes, 1 << 20)
  defer { pthread_attr_destroy(&attributes) }
  return pthread_create(&thread, &attributes, body, argument)
}
