import Glibc
import SynthRealtime
import Testing

/// Each test is a process without the right to real-time scheduling, so that the kernel refuses it.
@Suite("Requests for real-time scheduling")
struct RealtimeRequestTests {
  @Test("change nothing of the process unless the program has allowed it")
  func refusedRequest() async {
    await #expect(processExitsWith: .success) {
      setuid(65534)
      let before = timeLimit()
      let request = RealtimeRequest()
      request.begin()
      request.make()
      #expect(request.outcome == .ordinary(code: EPERM, kit: nil))
      #expect(!handlesTimeLimit())
      #expect(timeLimit() == before)
      request.end()
    }
  }

  @Test("handle SIGXCPU when the program has allowed RealtimeKit")
  func enabledKit() async {
    await #expect(processExitsWith: .success) {
      RealtimeKit.enable()
      #expect(handlesTimeLimit())
    }
  }

  @Test("leave a SIGXCPU handler of the program in place")
  func ownHandler() async {
    await #expect(processExitsWith: .success) {
      signal(SIGXCPU, SIG_IGN)
      RealtimeKit.enable()
      var action = sigaction()
      sigaction(SIGXCPU, nil, &action)
      #expect(unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1)
    }
  }
}

private func handlesTimeLimit() -> Bool {
  var action = sigaction()
  sigaction(SIGXCPU, nil, &action)
  return action.__sigaction_handler.sa_handler != nil
}

private func timeLimit() -> rlim_t {
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(__RLIMIT_RTTIME.rawValue), &limit)
  return limit.rlim_cur
}
