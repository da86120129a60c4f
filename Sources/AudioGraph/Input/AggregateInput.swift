import SynthDSP
import SynthRealtime

/// Several input units as one, whose channels are those of all in order. The first is the clock; the others are
/// resampled to it, so that what was captured at one moment is given at one moment.
///
/// The first unit's thread reads for all, a constant delay after the capture.
public final class AggregateInput: InputUnit {
  /// As given: the first is the clock.
  public let units: [any InputUnit]
  private let captures: [InputCapture]
  private let renderer: Box<AggregateInputRenderer>

  /// - Parameter units: one or more.
  /// - Throws: `InputError`.
  public init(_ units: [any InputUnit]) throws(InputError) {
    guard let first = units.first else { throw .noUnits }
    var captures: [InputCapture] = []
    for unit in units {
      do throws(ResamplerError) {
        captures.append(
          try InputCapture(
            channelCount: unit.channelCount, sampleRate: unit.frameRate, readRate: first.frameRate))
      } catch {
        throw .noMemory(unit: unit.name, reason: error.description)
      }
    }
    self.units = units
    self.captures = captures
    renderer = Box(AggregateInputRenderer(captures, sampleRate: first.frameRate))
  }

  deinit {
    // There is no caller left to throw to.
    try? stop()
  }

  public var name: String { units.map(\.name).joined(separator: " + ") }
  public var sampleRate: Double { units[0].frameRate }
  public var channelCount: Int { units.reduce(0) { $0 + $1.channelCount } }
  public var period: Int { units[0].framePeriod }
  public var isRunning: Bool { units[0].isRunning }
  public func sharesClock(with output: any OutputUnit) -> Bool { units[0].sharesClock(with: output) }

  /// How each unit is read, in order. [any thread]
  public var statistics: [InputStatistics] { captures.map { $0.queue.pointer.pointee.statistics } }

  /// In seconds, on top of the longest period and of resampling. A recording may well be late.
  private static let margin = 0.01

  public func start(_ callback: @escaping RenderFunction, context: UnsafeMutableRawPointer) throws {
    if let running = units.first(where: \.isRunning) { throw InputError.running(unit: running.name) }
    // In seconds, as rates may differ.
    let longest = units.map { Double($0.framePeriod + StreamResampler.lookahead(step: 1)) / $0.frameRate }.max() ?? 0
    // Whole frames of the first, which is not resampled.
    let delay = ((longest + Self.margin) * sampleRate + Double(units[0].framePeriod)).rounded(.up) / sampleRate
    for (index, (unit, capture)) in zip(units, captures).enumerated() {
      capture.queue.pointer.pointee.begin(
        delay: Int((delay * unit.frameRate).rounded()), isSteered: index > 0, grows: false)
    }
    renderer.pointer.pointee.begin(callback, context, delay: delay)
    do {
      for (unit, capture) in zip(units, captures).dropFirst() {
        try unit.start(InputQueue.entry, context: UnsafeMutableRawPointer(capture.queue.pointer))
      }
      try units[0].start(AggregateInputRenderer.entry, context: UnsafeMutableRawPointer(renderer.pointer))
    } catch {
      try? stop()
      throw error
    }
  }

  /// - Throws: what made the first unit that failed end by itself; all are stopped then.
  public func stop() throws {
    var failure: (any Error)?
    for unit in units {
      do { try unit.stop() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }
}

/// Reads all units whenever the first gives a slice. [audio thread]
struct AggregateInputRenderer: ~Copyable {
  private let queues: UnsafeMutablePointer<UnsafeMutablePointer<InputQueue>>
  private let readers: UnsafeMutablePointer<UnsafeMutablePointer<InputReader>>
  private let count: Int
  /// One pointer for each channel of all units.
  private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let channelCount: Int
  private let sampleRate: Double
  private var target: (callback: RenderFunction, context: UnsafeMutableRawPointer)?
  /// In nanoseconds.
  private var delay = 0.0
  /// Frames that the first unit has given and that are not passed on yet: less than a quantum between two slices.
  private var waiting = 0

  /// - Parameter captures: must live as long.
  init(_ captures: [InputCapture], sampleRate: Double) {
    self.sampleRate = sampleRate
    count = captures.count
    queues = .allocate(capacity: count)
    queues.initialize(from: captures.map(\.queue.pointer), count: count)
    readers = .allocate(capacity: count)
    readers.initialize(from: captures.map(\.reader.pointer), count: count)
    let pointers = captures.flatMap { capture in
      (0..<capture.queue.pointer.pointee.ring.channelCount).map { capture.reader.pointer.pointee.channels[$0] }
    }
    channelCount = pointers.count
    channels = .allocate(capacity: max(1, channelCount))
    channels.initialize(from: pointers, count: channelCount)
  }

  deinit {
    queues.deallocate()
    readers.deallocate()
    channels.deallocate()
  }

  /// Begins a stream, before the start. [control thread]
  mutating func begin(_ callback: @escaping RenderFunction, _ context: UnsafeMutableRawPointer, delay: Double) {
    target = (callback, context)
    self.delay = delay * 1e9
    waiting = 0
  }

  static let entry: RenderFunction = { renderer, slice in
    renderer.assumingMemoryBound(to: AggregateInputRenderer.self).pointee.render(
      slice.assumingMemoryBound(to: RenderSlice.self).pointee)
  }

  @_noLocks
  private mutating func render(_ slice: RenderSlice) {
    queues[0].pointee.append(slice)
    guard let target, slice.hostTime > 0 else { return }
    let now = slice.hostTime &+ UInt64(Double(slice.frameCount) / sampleRate * 1e9)
    let begin = Double(now) - Double(waiting) / sampleRate * 1e9 - delay
    waiting &+= slice.frameCount
    var done = 0
    while waiting >= renderQuantum {
      for unit in 0..<count { _ = readers[unit].pointee.read(hostTime: now) }
      let time = begin + Double(done) / sampleRate * 1e9
      var quantum = RenderSlice(
        channels: UnsafePointer(channels), channelCount: channelCount, frameCount: renderQuantum,
        hostTime: time > 0 ? UInt64(time) : 1)
      withUnsafeMutablePointer(to: &quantum) {
        call(target.callback, target.context, UnsafeMutableRawPointer($0))
      }
      waiting &-= renderQuantum
      done &+= renderQuantum
    }
  }
}
