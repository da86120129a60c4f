import Synchronization
import SynthRealtime

/// The control side of scheduled parameter changes: what was asked for crosses in a ring, and comes home once done.
final class ParameterSchedule: Sendable {
  /// How many changes may wait for their time or be on their way to their value. As many places again are left to those
  /// that cancel.
  let capacity: Int
  /// In frames: half a year at 48 kHz. A sum with a sample time stays far from overflow.
  private static let longestRamp: Int64 = 1 << 40

  private struct Control: Sendable {
    /// Sent and not yet known to be done.
    var waiting = 0
    var order: UInt64 = 0
  }

  private let control = CheckedMutex(Control())
  private let changes: RingBuffer<ScheduledChange>
  private let done: RingBuffer<UInt>
  private let cancellation = Box(ScheduleCancellation())

  /// - Parameter capacity: 1 to 1048576, to which it is clamped.
  init(capacity: Int) {
    self.capacity = min(max(1, capacity), 1 << 20)
    changes = RingBuffer(minimumCapacity: 2 * self.capacity)
    done = RingBuffer(minimumCapacity: 2 * self.capacity)
  }

  deinit {
    while let change = changes.consumer.pop() { ScheduledChange.release(change.parameter) }
    while let parameter = done.consumer.pop() { ScheduledChange.release(parameter) }
  }

  /// The audio thread's end. It does not keep the schedule alive.
  var receiver: ScheduledChanges {
    ScheduledChanges(
      capacity: 2 * capacity, incoming: changes.consumer, done: done.producer, cancellation: cancellation.pointer)
  }

  /// [control thread]
  func add(
    _ parameter: Parameter, _ value: Float, at time: Int64, over length: Int, _ curve: ParameterCurve
  ) throws(ParameterError) {
    guard let word = parameter.word(for: value) else { throw .notANumber(parameter: parameter.name) }
    let length = parameter.hasValuesBetween ? min(max(0, Int64(length)), Self.longestRamp) : 0
    let waiting = send(below: capacity) {
      ScheduledChange(parameter, word, time: time, length: length, curve, order: $0)
    }
    if let waiting { throw .scheduleFull(parameter: parameter.name, waiting: waiting, capacity: capacity) }
  }

  /// Takes back what is scheduled from a time on. [control thread]
  func cancel(_ parameter: Parameter, from time: Int64) throws(ParameterError) {
    let waiting = send(below: 2 * capacity) {
      ScheduledChange(
        parameter, parameter.cell.pointee.load(), time: time, length: 0, .linear, isHold: true, order: $0)
    }
    if let waiting { throw .scheduleFull(parameter: parameter.name, waiting: waiting, capacity: 2 * capacity) }
  }

  /// What has been sent and is not known to be done. [any thread]
  var waitingCount: Int {
    control.withLock { control in
      collect(&control)
      return control.waiting
    }
  }

  /// - Returns: how many wait, where there is no room for another.
  private func send(below limit: Int, _ change: (UInt64) -> ScheduledChange) -> Int? {
    control.withLock { control in
      collect(&control)
      // What waits on either side fits the ring and the audio thread's memory, so neither can overflow.
      guard control.waiting < limit else { return control.waiting }
      control.waiting += 1
      control.order += 1
      _ = changes.producer.push(change(control.order))
      return nil
    }
  }

  private func collect(_ control: inout Control) {
    while let parameter = done.consumer.pop() {
      ScheduledChange.release(parameter)
      control.waiting -= 1
    }
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
  var word: ParameterWord
  let curve: ParameterCurve
  /// Whether it takes back what comes after it, and keeps the value that it finds.
  let isHold: Bool
  let scale: RenderScale
  let cell: UnsafeMutablePointer<ParameterCell>
  /// The address of the retained parameter.
  let parameter: UInt

  init(
    _ parameter: Parameter, _ word: ParameterWord, time: Int64, length: Int64, _ curve: ParameterCurve,
    isHold: Bool = false, order: UInt64
  ) {
    self.time = time
    self.length = length
    self.order = order
    self.word = word
    self.curve = curve
    self.isHold = isHold
    scale = parameter.unit.scale
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
  /// The `scheduleCapacity` of an engine that is not made with another.
  public static let standardScheduleCapacity = 16384

  /// How many scheduled changes may wait for their time or be on their way to their value. [any thread]
  public var scheduleCapacity: Int { schedule.capacity }

  /// How many scheduled changes wait for their time or are on their way to their value: at `scheduleCapacity` the next
  /// one is refused. [any thread]
  public var scheduledChangeCount: Int { schedule.waitingCount }

  /// Drops what is scheduled for a parameter at a sample time or later, and ends the ramp that is under way then: the
  /// parameter keeps the value that it has come to. What is scheduled after this call stays. [any thread]
  ///
  /// - Throws: `ParameterError.notInGraph`, or `.scheduleFull` after more than `scheduleCapacity` calls that no
  ///   rendering has followed.
  public func cancelSchedule(of parameter: Parameter, from sampleTime: Int64) throws(ParameterError) {
    try require(parameter)
    try schedule.cancel(parameter, from: sampleTime)
  }

  /// Sets a parameter at a sample time, on a curve over so many frames. [any thread]
  ///
  /// The frame `sampleTime` is the first that differs, and `sampleTime + rampFrames - 1` the first that has the new
  /// value, whatever the slices' sizes; so 0 and 1 both are a jump at that frame. That holds for a parameter whose
  /// `precision` is `frame`. One that is precise to the `quantum` has at each quantum's start what the curve has at its
  /// end: it changes up to 63 frames early, 1.3 ms at 48 kHz.
  ///
  /// Changes may be scheduled in any order. One that begins amid the ramp of another goes on from the value it finds
  /// there; of two at one frame the one that was scheduled later counts. A time that has passed is the next frame that
  /// is rendered. `Parameter.value` is the new value from the quantum in which a change begins; set meanwhile, it
  /// overrules the ramp. `cancelSchedule` takes back what waits. `reset` and `stop` drop it all, and parameters then
  /// have the values they were on their way to.
  ///
  /// In a node that runs at another rate, time and length are rounded up to its own frames.
  ///
  /// - Parameters:
  ///   - parameter: of a node of this engine; one of an inner engine follows quantum by quantum.
  ///   - value: in the parameter's unit, clamped to its range.
  ///   - sampleTime: on the engine's clock.
  ///   - rampFrames: of the engine's clock; nil is the parameter's `rampDuration`. Switches that are precise to the
  ///     quantum, and choices between named values, have nothing between two values and always jump.
  ///   - curve: the way there.
  /// - Throws: `ParameterError.scheduleFull` when `scheduleCapacity` changes wait or ramp already, `.notANumber` for a
  ///   value that is not finite, or `.notInGraph`.
  public func schedule(
    _ parameter: Parameter, to value: Float, at sampleTime: Int64, over rampFrames: Int? = nil,
    curve: ParameterCurve = .linear
  ) throws(ParameterError) {
    try require(parameter)
    let standard = Int((parameter.rampDuration * sampleRate).rounded())
    try schedule.add(parameter, value, at: sampleTime, over: rampFrames ?? standard, curve)
  }

  private func require(_ parameter: Parameter) throws(ParameterError) {
    guard has(parameter) else { throw .notInGraph(parameter: parameter.name) }
  }

  /// Whether a node of the graph, or of the graph of such a node, has a parameter.
  private func has(_ parameter: Parameter) -> Bool {
    if published.withLock({ $0.parameters.contains(ObjectIdentifier(parameter)) }) { return true }
    // Buses that a node got since the last edit have brought parameters.
    return graph.nodes.contains { node in
      node.parameters.contains { $0 === parameter } || node.innerEngine?.has(parameter) == true
    }
  }
}
