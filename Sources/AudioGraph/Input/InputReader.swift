import SynthDSP
import SynthRealtime

/// Reads captured frames for the engine, a quantum at a time, and never waits. [audio thread]
///
/// An output that plays has its own clock. Then frame n is rendered a constant time after its capture, and resampling
/// keeps that time constant; or the frames pass one by one, if both have one clock. Rendering by hand takes frame by
/// frame, whenever they were captured.
struct InputReader: ~Copyable {
  private let queue: UnsafePointer<InputQueue>
  /// One pointer for each channel of the unit, to the quantum that was read last.
  let channels: UnsafePointer<UnsafeMutablePointer<Float>>

  private var reader: RingReader
  private var controller: DriftController
  private var take = InputQueue.Take(number: 0, start: 0, delay: 0, margin: 0, isSteered: false)
  /// Frames read in this take, silence included.
  private var given = 0
  /// When the present slice was asked for.
  private var hostTime: UInt64 = 0
  /// Whether the frames that are due are read, and whether they ever were in this take.
  private var isLocked = false
  private var hasBegun = false
  /// Frames per frame; nil for one by one.
  private var step: Double?
  /// Frames by which the delay has grown in this take, because what was due had not come yet.
  private var growth = 0

  /// A position that is off by more seconds than this counts as an interruption: no jitter is as large.
  private static let interruption = 0.05

  /// The delay grows by a margin each time, up to so many.
  private static let mostMargins = 20

  /// - Parameters:
  ///   - sampleRate: at which it is read, in hertz.
  ///   - quantum: memory for a quantum; it must live as long.
  init(_ queue: UnsafePointer<InputQueue>, sampleRate: Double, quantum: SampleBuffer) throws(ResamplerError) {
    self.queue = queue
    channels = quantum.channels
    let producerRate = queue.pointee.sampleRate
    reader = try RingReader(channelCount: quantum.channelCount, step: producerRate / sampleRate)
    controller = DriftController(producerRate: producerRate, consumerRate: sampleRate, delay: 0)
  }

  /// Fills `channels` with the next quantum: how many of its frames are not silence for want of others.
  @_noLocks
  mutating func read(hostTime: UInt64) -> Int {
    let present = queue.pointee.present
    if present.number != take.number { begin(present) }
    let count = hostTime == 0 ? readByHand() : readLive(hostTime)
    for channel in 0..<reader.channelCount {
      (channels[channel] + count).update(repeating: 0, count: renderQuantum &- count)
    }
    if hasBegun, count < renderQuantum { queue.pointee.note(missing: renderQuantum &- count) }
    given &+= renderQuantum
    return count
  }

  @_noLocks
  private mutating func begin(_ present: InputQueue.Take) {
    take = present
    reader.restart(at: take.start, fadesIn: false)
    queue.pointee.ring.release(upTo: take.start)
    (given, hostTime, growth) = (0, 0, 0)
    queue.pointee.gap = 0
    (isLocked, hasBegun) = (false, false)
  }

  @_noLocks
  private mutating func readByHand() -> Int {
    hasBegun = true
    isLocked = false
    var frame = 0
    while frame < renderQuantum {
      let end = queue.pointee.ring.endIndex
      let gap = queue.pointee.ring.gap(before: end)
      if gap.start <= reader.next, reader.next < gap.end { skip(to: gap.end) }
      let silent = min(queue.pointee.gap, renderQuantum &- frame)
      for channel in 0..<reader.channelCount { (channels[channel] + frame).update(repeating: 0, count: silent) }
      queue.pointee.gap &-= silent
      frame &+= silent
      let last = reader.next < gap.start ? gap.start : end
      let read = reader.read(
        queue.pointee.ring, into: channels, from: frame, to: min(renderQuantum, frame &+ last &- reader.next),
        step: nil, hasEnded: false)
      if silent == 0, read <= frame { break }
      frame = max(frame, read)
    }
    return frame
  }

  /// Silence stands for the frames until there, which makes room at once.
  @_noLocks
  private mutating func skip(to end: Int) {
    queue.pointee.gap &+= end &- reader.next
    reader.restart(at: end, fadesIn: true)
    queue.pointee.ring.release(upTo: end)
  }

  @_noLocks
  private mutating func readLive(_ hostTime: UInt64) -> Int {
    if hostTime != self.hostTime {
      self.hostTime = hostTime
      follow()
    }
    guard isLocked else { return 0 }
    let count = reader.read(
      queue.pointee.ring, into: channels, from: 0, to: renderQuantum, step: step, hasEnded: false)
    if count < renderQuantum {
      isLocked = false
      growth = min(growth &+ take.margin, Self.mostMargins &* take.margin)
    }
    return count
  }

  /// Frames from capture to reading that are kept.
  private var delay: Int {
    @_noLocks get { take.delay &+ growth }
  }

  /// Compares both clocks, once for each slice.
  @_noLocks
  private mutating func follow() {
    guard let captured = queue.pointee.position(at: hostTime) else {
      isLocked = false
      return
    }
    if isLocked {
      let present = captured - reader.position
      let isAstray = abs(present - Double(delay)) > Self.interruption * queue.pointee.sampleRate
      if isAstray || queue.pointee.ring.startIndex > reader.next {
        isLocked = false
      } else if take.isSteered {
        step = controller.update(produced: captured, consumed: Double(given), position: reader.position)
      }
      queue.pointee.note(
        delay: present, partsPerMillion: take.isSteered ? controller.partsPerMillion : 0, hostTime: hostTime)
    }
    if !isLocked { lock(captured) }
  }

  /// Moves to the frame that is due, if it is in the ring.
  @_noLocks
  private mutating func lock(_ captured: Double) {
    let due = Int(captured) &- delay
    let end = queue.pointee.ring.endIndex
    guard due >= take.start, due > reader.next || !hasBegun else { return }
    let first = queue.pointee.ring.startIndex
    // What is too old makes room, whether or not the frame that is due is there.
    let start = min(due, end)
    reader.restart(at: start, fadesIn: hasBegun || start > take.start)
    queue.pointee.ring.release(upTo: start)
    guard due >= first, due < end else { return }
    controller.restart(produced: captured, consumed: Double(given), delay: captured - Double(due))
    step = take.isSteered ? controller.step : nil
    (isLocked, hasBegun) = (true, true)
    queue.pointee.noteLock()
    queue.pointee.note(delay: captured - Double(due), partsPerMillion: 0, hostTime: hostTime)
  }
}
