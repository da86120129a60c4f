import Realtime
import Synchronization

/// The control side of scheduled parameter changes: what was asked for crosses in a ring, and comes home once done.
final class ParameterSchedule: Sendable {
  /// How many changes may wait for their time.
  static let capacity = 1024

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
    while let change = changes.consumer.pop() { release(change.parameter) }
    while let parameter = done.consumer.pop() { release(parameter) }
  }

  /// The audio thread's end. It does not keep the schedule alive.
  var receiver: ScheduledChanges {
    ScheduledChanges(incoming: changes.consumer, done: done.producer, cancellation: cancellation.pointer)
  }

  /// [control thread]
  func add(_ parameter: Parameter, _ value: Float, at time: Int64) throws(ParameterError) {
    guard let word = parameter.word(for: value) else { throw .notANumber(parameter: parameter.name) }
    let isSent = control.withLock { control in
      while let parameter = done.consumer.pop() {
        release(parameter)
        control.waiting -= 1
      }
      // What waits on either side fits the ring and the audio thread's memory, so neither can overflow.
      guard control.waiting < Self.capacity else { return false }
      control.waiting += 1
      control.order += 1
      return changes.producer.push(ScheduledChange(parameter, word, time: time, order: control.order))
    }
    if !isSent { throw .scheduleFull(parameter: parameter.name, capacity: Self.capacity) }
  }

  /// Drops everything that waits for its time. [control thread]
  func cancelAll() {
    control.withLock { cancellation.pointer.pointee.order.store($0.order, ordering: .releasing) }
  }

  private func release(_ parameter: UInt) {
    if let pointer = UnsafeRawPointer(bitPattern: parameter) { Unmanaged<Parameter>.fromOpaque(pointer).release() }
  }
}

/// The last change that is not to be carried out any more, nor any before it.
struct ScheduleCancellation: ~Copyable {
  let order = Atomic<UInt64>(0)
}

/// A change on its way. It keeps its parameter alive until it has come home.
struct ScheduledChange: BitwiseCopyable, @unchecked Sendable {
  let time: Int64
  /// Of two changes at one time the one that was asked for later wins.
  let order: UInt64
  let word: ParameterWord
  let cell: UnsafeMutablePointer<ParameterCell>
  /// The address of the retained parameter.
  let parameter: UInt

  init(_ parameter: Parameter, _ word: ParameterWord, time: Int64, order: UInt64) {
    self.time = time
    self.order = order
    self.word = word
    cell = parameter.cell
    self.parameter = UInt(bitPattern: Unmanaged.passRetained(parameter).toOpaque())
  }

  @_noLocks
  func isBefore(_ other: ScheduledChange) -> Bool {
    time < other.time || (time == other.time && order < other.order)
  }
}

extension AudioEngine {
  /// How many scheduled changes may wait for their time.
  public static var scheduleCapacity: Int { ParameterSchedule.capacity }

  /// Sets a parameter at a sample time: at the start of the quantum that holds it, where the node's own ramp begins.
  /// [any thread]
  ///
  /// Quanta begin at multiples of 64 frames, so a change comes at most 63 frames early, 1.3 ms at 48 kHz, and never
  /// depends on the slice size. A time that has passed is the next quantum. Changes may be scheduled in any order.
  /// `reset` and `stop` drop those that wait.
  ///
  /// - Parameters:
  ///   - value: in the parameter's unit, clamped to its range.
  ///   - sampleTime: on the engine's clock, also for nodes that run at another rate.
  /// - Throws: `ParameterError.scheduleFull` when `scheduleCapacity` changes wait already, or `.notANumber`.
  public func schedule(_ parameter: Parameter, to value: Float, at sampleTime: Int64) throws(ParameterError) {
    try schedule.add(parameter, value, at: sampleTime)
  }
}
