import Synchronization
import SynthRealtime

/// The control side of scheduled parameter changes: what was asked for crosses in a ring, and comes home once done.
final class ParameterSchedule: Sendable {
  /// How many changes may wait for their time or be on their way to their value.
  static let capacity = 1024
  /// In frames: half a year at 48 kHz. A sum with a sample time stays far from overflow.
  private static let longestRamp: Int64 = 1 << 40

  private struct Control: Sendable {
    /// Sent and not yet known to be done.
    var waiting = 0
    var order: UInt64 = 0
  }

  private let control = CheckedMutex(Control())
  private let changes = RingBuffer<ScheduledChange>(minimumCapacity: capacity)
  private let done = RingBuffer<UInt>(minimumCapacity: capacity)
  private let cancellation = Box(ScheduleCancellation())

  deinit {
    while let change = changes.consumer.pop() { ScheduledChange.release(change.parameter) }
    while let parameter = done.consumer.pop() { ScheduledChange.release(parameter) }
  }

  /// The audio thread's end. It does not keep the schedule alive.
  var receiver: ScheduledChanges {
    ScheduledChanges(incoming: changes.consumer, done: done.producer, cancellation: cancellation.pointer)
  }

  /// [control thread]
  func add(_ parameter: Parameter, _ value: Float, at time: Int64, over length: Int) throws(ParameterError) {
    guard let word = parameter.word(for: value) else { throw .notANumber(parameter: parameter.name) }
    let length = parameter.hasValuesBetween ? min(max(0, Int64(length)), Self.longestRamp) : 0
    let isSent = control.withLock { control in
      while let parameter = done.consumer.pop() {
        ScheduledChange.release(parameter)
        control.waiting -= 1
      }
      // What waits on either side fits the ring and the audio thread's memory, so neither can overflow.
      guard control.waiting < Self.capacity else { return false }
      control.waiting += 1
      control.order += 1
      return changes.producer.push(
        ScheduledChange(parameter, word, time: time, length: length, order: control.order))
    }
    if !isSent { throw .scheduleFull(parameter: parameter.name, capacity: Self.capacity) }
  }

  /// Drops everything that waits for its time, and ends the ramps that have begun. [control thread]
  func cancelAll() {
    control.withLock { cancellation.pointer.pointee.order.store($0.order, ordering: .releasing) }
  }
}

/// The last change that is not to be carried out any more, nor any before it.
struct ScheduleCancellation: ~Copyable {
  let order = Atomic<UInt64>(0)
}

/// A change on its way. It keeps its parameter alive until it has come home.
struct ScheduledChange: BitwiseCopyable, @unchecked Sendable {
  let time: Int64
  /// From the frame before `time` to the one that has the value.
  let length: Int64
  /// Of two changes at one time the one that was asked for later wins.
  let order: UInt64
  let word: ParameterWord
  let cell: UnsafeMutablePointer<ParameterCell>
  /// The address of the retained parameter.
  let parameter: UInt

  init(_ parameter: Parameter, _ word: ParameterWord, time: Int64, length: Int64, order: UInt64) {
    self.time = time
    self.length = length
    self.order = order
    self.word = word
    cell = parameter.cell
    self.parameter = UInt(bitPattern: Unmanaged.passRetained(parameter).toOpaque())
  }

  /// Lets a parameter go that has come home. [control thread]
  static func release(_ parameter: UInt) {
    if let pointer = UnsafeRawPointer(bitPattern: parameter) { Unmanaged<Parameter>.fromOpaque(pointer).release() }
  }

  @_noLocks
  func isBefore(_ other: ScheduledChange) -> Bool {
    time < other.time || (time == other.time && order < other.order)
  }
}

extension AudioEngine {
  /// How many scheduled changes may wait for their time or be on their way to their value.
  public static var scheduleCapacity: Int { ParameterSchedule.capacity }

  /// Sets a parameter at a sample time, in a straight line over so many frames. [any thread]
  ///
  /// The frame `sampleTime` is the first that differs, and `sampleTime + rampFrames - 1` the first that has the new
  /// value, whatever the slices' sizes; so 0 and 1 both are a jump at that frame. That holds for a parameter whose
  /// `precision` is `frame`. One that is precise to the `quantum` has at each quantum's start what the line has at its
  /// end: it changes up to 63 frames early, 1.3 ms at 48 kHz. The line is straight in what kernels calculate with: a
  /// level's amplitude, not its decibels.
  ///
  /// Changes may be scheduled in any order. One that begins amid the ramp of another goes on from the value it finds
  /// there; of two at one frame the one that was scheduled later counts. A time that has passed is the next frame that
  /// is rendered. `Parameter.value` is the new value from the quantum in which a change begins; set meanwhile, it
  /// overrules the ramp. `reset` and `stop` drop what waits, and parameters then have the values they were on their way
  /// to.
  ///
  /// In a node that runs at another rate, time and length are rounded up to its own frames.
  ///
  /// - Parameters:
  ///   - parameter: of a node of this engine; one of an inner engine follows quantum by quantum.
  ///   - value: in the parameter's unit, clamped to its range.
  ///   - sampleTime: on the engine's clock.
  ///   - rampFrames: of the engine's clock; nil is the parameter's `rampDuration`. Switches that are precise to the
  ///     quantum, and choices between named values, have nothing between two values and always jump.
  /// - Throws: `ParameterError.scheduleFull` when `scheduleCapacity` changes wait or ramp already, or `.notANumber`.
  public func schedule(
    _ parameter: Parameter, to value: Float, at sampleTime: Int64, over rampFrames: Int? = nil
  ) throws(ParameterError) {
    let standard = Int((parameter.rampDuration * sampleRate).rounded())
    try schedule.add(parameter, value, at: sampleTime, over: rampFrames ?? standard)
  }
}
