import Glibc
import SynthRealtime

/// Counts what is done to get a device going, until its audio moves again, so that no device is worked on for ever: a
/// sound server that has ended may let itself be prepared again and again and never play a frame. [audio thread]
struct PCMRecovery {
  /// Frames of the device's buffer.
  private let buffer: Int
  /// Nanoseconds.
  private let bufferDuration: UInt64
  private let patience: UInt64
  private var attempts = 0
  /// Frames since the device was last prepared.
  private var frames = 0
  private var prepared: UInt64 = 0
  /// How long the device has been waited for since it last took or gave a frame, and the time of the last look.
  private var waited: UInt64 = 0
  private var looked: UInt64 = 0
  /// The most that one wait counts: a process that was stopped meanwhile has not waited.
  private static var longestWait: UInt64 { 200_000_000 }

  /// After this many attempts the device is closed and opened again, or another one: a tenth of a second of errors,
  /// because a device that is being unplugged may answer -EIO before it answers -ENODEV.
  private static var mostAttempts: Int { 20 }

  init(_ parameters: PCMParameters) {
    buffer = parameters.buffer
    bufferDuration = UInt64(clamping: parameters.buffer * 1_000_000_000 / parameters.sampleRate)
    patience = 2_000_000_000 + bufferDuration
  }

  /// Begins with a device that has just been opened.
  mutating func begin() {
    (attempts, frames, waited) = (0, 0, 0)
    prepared = HostClock.now
    looked = prepared
  }

  /// Whether the device is to be given up.
  var isHopeless: Bool { attempts >= Self.mostAttempts }

  /// Whether the first attempt has not sufficed.
  var hasFailed: Bool { attempts > 1 }

  /// Notes frames that the device has taken or given; more than fit its buffer have been played or captured.
  @_noLocks @_noAllocation
  mutating func note(frames count: Int) {
    frames &+= count
    waited = 0
    looked = HostClock.now
    if frames > buffer { attempts = 0 }
  }

  /// Notes that the device is prepared again. Pauses before all but the first time, so that a thread of real-time
  /// priority does not occupy a processor.
  mutating func prepare() {
    // A buffer that ran empty or full in less time than it lasts has not been played or captured.
    if frames > 0, HostClock.now &- prepared > bufferDuration / 2 { attempts = 0 }
    frames = 0
    attempt()
    prepared = HostClock.now
  }

  /// Notes another attempt, and pauses before all but the first.
  mutating func attempt(pause: UInt32 = 5000) {
    attempts += 1
    if attempts > 1 { usleep(pause) }
  }

  /// Notes that a wait has ended without room or frames; one without an end is no better than an error.
  mutating func noteWait() {
    let now = HostClock.now
    waited += min(now &- looked, Self.longestWait)
    looked = now
    if waited > patience { attempts = Self.mostAttempts }
  }
}
