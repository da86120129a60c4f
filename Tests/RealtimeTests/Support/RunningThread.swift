import Glibc

/// A thread of its own, as an audio device has one.
struct RunningThread {
  private let handle: pthread_t

  init(_ body: @escaping @Sendable () -> Void) {
    let body = Unmanaged.passRetained(Body(body))
    var handle = pthread_t()
    pthread_create(
      &handle, nil,
      { body in
        if let body { Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run() }
        return nil
      }, body.toOpaque())
    self.handle = handle
  }

  /// Waits for its end.
  func join() { pthread_join(handle, nil) }

  private final class Body {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }
}
