import CALSA
import Synchronization

/// A device's position in the stream, as its own thread last saw it. Written and read by that thread; atomic only
/// because it is part of a shared exchange.
package struct PCMPosition: ~Copyable {
  private let queuedFrames = Atomic(0)
  private let nanoseconds = Atomic<UInt64>(0)
  private let running = Atomic(false)
  private let interruptionCount = Atomic(0)
  private let wanted = Atomic(false)
  /// Frames of the stream per frame of the device.
  private let stepBits = Atomic((1.0).bitPattern)
  private let unplayed = Atomic(0)

  /// Enables it. Otherwise the device is not asked, because that takes four system calls a period where the kernel's
  /// status cannot be mapped, as on some architectures, before the start. [control thread]
  func want() { wanted.store(true, ordering: .relaxed) }

  /// Notes how many frames waited in the buffer at a time on `HostClock`. [audio thread]
  @_noLocks @_noAllocation
  func note(queued: Int, at time: UInt64, isRunning: Bool) {
    queuedFrames.store(queued, ordering: .relaxed)
    nanoseconds.store(time, ordering: .relaxed)
    running.store(isRunning, ordering: .relaxed)
  }

  /// Begins with a device one of whose frames lasts as long as `step` frames of the stream. [audio thread]
  @_noLocks @_noAllocation
  func convert(step: Double) {
    stepBits.store(step.bitPattern, ordering: .relaxed)
    unplayed.store(0, ordering: .relaxed)
  }

  /// Notes how many frames of the stream were rendered but not given to the device. [audio thread]
  @_noLocks @_noAllocation
  func note(unplayed count: Int) { unplayed.store(count, ordering: .relaxed) }

  /// Notes that the device has lost its place: it was prepared again, removed or replaced by a timer. [audio thread]
  @_noLocks @_noAllocation
  func interrupt() {
    running.store(false, ordering: .relaxed)
    interruptionCount.add(1, ordering: .relaxed)
  }

  /// The latest note, in frames of the stream; nil while the device does not play. [audio thread]
  var present: (queued: Int, time: UInt64)? {
    @_noLocks @_noAllocation get {
      guard running.load(ordering: .relaxed) else { return nil }
      let queued = Double(queuedFrames.load(ordering: .relaxed)) * Double(bitPattern: stepBits.load(ordering: .relaxed))
      return (Int(queued) &+ unplayed.load(ordering: .relaxed), nanoseconds.load(ordering: .relaxed))
    }
  }

  /// How often the device has lost its place. [audio thread]
  var interruptions: Int {
    @_noLocks @_noAllocation get { interruptionCount.load(ordering: .relaxed) }
  }
}

extension PCMPosition {
  /// Notes the position of a device with a buffer of this many frames, if enabled. The driver tells the room at its
  /// latest interrupt and the time of that, which is more exact than the time at which this thread woke. The
  /// corresponding C function is `snd_pcm_htimestamp`. [audio thread]
  @_noLocks @_noAllocation
  func note(_ pcm: OpaquePointer, buffer: Int) {
    guard wanted.load(ordering: .relaxed) else { return }
    var available: snd_pcm_uframes_t = 0
    var time: UInt64 = 0
    let isRunning = pcm_timestamp(pcm, &available, &time)
    note(queued: buffer &- Int(truncatingIfNeeded: available), at: time, isRunning: isRunning)
  }
}
