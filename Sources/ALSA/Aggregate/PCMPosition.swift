import CALSA
import Synchronization

/// Where a device is in the stream it is given, as its own thread last saw it. Written and read by that thread; atomic only
/// because the exchange it is part of is shared.
struct PCMPosition: ~Copyable {
  private let queuedFrames = Atomic(0)
  private let nanoseconds = Atomic<UInt64>(0)
  private let running = Atomic(false)
  private let interruptionCount = Atomic(0)
  private let wanted = Atomic(false)

  /// Somebody follows. Without, the device is not asked: where the kernel's status cannot be mapped, as on some
  /// architectures, that takes four system calls a period. [no thread runs]
  func want() { wanted.store(true, ordering: .relaxed) }

  /// So many frames were waiting in the buffer at that time, on the monotonic clock. [audio thread]
  @_noLocks @_noAllocation
  func note(queued: Int, at time: UInt64, isRunning: Bool) {
    queuedFrames.store(queued, ordering: .relaxed)
    nanoseconds.store(time, ordering: .relaxed)
    running.store(isRunning, ordering: .relaxed)
  }

  /// The device has lost its place: it begins anew, was taken away, or somebody else takes its time over. [audio thread]
  @_noLocks @_noAllocation
  func interrupt() {
    running.store(false, ordering: .relaxed)
    interruptionCount.add(1, ordering: .relaxed)
  }

  /// The latest note; nil where the device does not play. [audio thread]
  var present: (queued: Int, time: UInt64)? {
    @_noLocks @_noAllocation get {
      guard running.load(ordering: .relaxed) else { return nil }
      return (queuedFrames.load(ordering: .relaxed), nanoseconds.load(ordering: .relaxed))
    }
  }

  /// How often the device has lost its place. [audio thread]
  var interruptions: Int {
    @_noLocks @_noAllocation get { interruptionCount.load(ordering: .relaxed) }
  }
}

extension PCMPosition {
  /// Notes where a device with so large a buffer is, if somebody wants to know. The driver tells how much room there was
  /// at its latest interrupt and when that was, which is exact where waking up is not. The corresponding C function is
  /// `snd_pcm_htimestamp`.
  @_noLocks @_noAllocation
  func note(_ pcm: OpaquePointer, buffer: Int) {
    guard wanted.load(ordering: .relaxed) else { return }
    var available: snd_pcm_uframes_t = 0
    var time: UInt64 = 0
    let isRunning = pcm_timestamp(pcm, &available, &time)
    note(queued: buffer &- Int(truncatingIfNeeded: available), at: time, isRunning: isRunning)
  }
}
