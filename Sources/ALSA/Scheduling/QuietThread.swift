import Glibc

/// Creates a thread that takes no signals: those are for threads that may wait. 0, or an errno value. (pthread_create)
func createQuietThread(
  _ thread: inout pthread_t, _ argument: UnsafeMutableRawPointer,
  _ body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
) -> Int32 {
  var all = sigset_t()
  var before = sigset_t()
  sigfillset(&all)
  pthread_sigmask(SIG_SETMASK, &all, &before)
  defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
  return pthread_create(&thread, nil, body, argument)
}
