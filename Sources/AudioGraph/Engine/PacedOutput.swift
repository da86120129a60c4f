import Glibc
import Synchronization
import SynthDSP
import SynthRealtime

/// An output unit without a device that plays in real time: its clock is the host's monotonic clock, followed by
/// absolute deadlines, so that it does not drift.
///
/// For tests, for machines without a sound card, and for programs that want the samples: a sink gets each rendered
/// slice.
///
///     let engine = AudioEngine(output: PacedOutput(period: 64))
public final class PacedOutput: ThreadOutput, @unchecked Sendable {
  /// Its thread asks for real-time scheduling (`RealtimeRequest`).
  ///
  /// - Parameters: clamped to their ranges; NaN is the lowest rate.
  ///   - sampleRate: in hertz, 1 to 1,000,000.
  ///   - channelCount: 1 to 1024.
  ///   - period: frames asked for at a time, 1 to 65536.
  ///   - sink: gets each slice after its rendering, on the unit's thread; it may take as long as a period.
  public init(
    sampleRate: Double = 48000, channelCount: Int = 2, period: Int = 256,
    sink: (@Sendable (RenderSlice) -> Void)? = nil
  ) {
    super.init("paced output", sampleRate, channelCount, period, isPaced: true, sink)
  }
}

/// An output unit without a device or a clock: it asks for the next slice as soon as it has the last one.
///
/// It keeps a processor busy while it runs. A sink gets what it plays.
public final class FreeRunningOutput: ThreadOutput, @unchecked Sendable {
  /// - Parameters: as of `PacedOutput`; a sink that takes its time sets the pace.
  public init(
    sampleRate: Double = 48000, channelCount: Int = 2, period: Int = 256,
    sink: (@Sendable (RenderSlice) -> Void)? = nil
  ) {
    super.init("free-running output", sampleRate, channelCount, period, isPaced: false, sink)
  }
}

/// What output units without a device have in common: a thread that asks for audio.
public class ThreadOutput: OutputUnit, @unchecked Sendable {
  // Unchecked: a class that is not final has to say so; all of it is constant and Sendable.
  public let name: String
  public let sampleRate: Double
  public let channelCount: Int
  public let latency: OutputLatency
  private let isPaced: Bool
  private let sink: (@Sendable (RenderSlice) -> Void)?
  private let flags = OutputFlags()
  private let thread = CheckedMutex<WorkerThread?>(nil)

  init(
    _ name: String, _ sampleRate: Double, _ channelCount: Int, _ period: Int, isPaced: Bool,
    _ sink: (@Sendable (RenderSlice) -> Void)?
  ) {
    self.name = name
    self.sampleRate = clampedRate(sampleRate, to: FormatCheck.sampleRates)
    self.channelCount = min(max(1, channelCount), FormatCheck.channelCounts.upperBound)
    let period = min(max(1, period), Self.longestPeriod)
    self.isPaced = isPaced
    self.sink = sink
    latency = OutputLatency(period: period, buffer: period)
  }

  deinit { stop() }

  /// In frames.
  private static let longestPeriod = 1 << 16

  public var isRunning: Bool { flags.isRunning.load(ordering: .acquiring) }

  /// - Throws: `OutputThreadError`.
  public func start(_ callback: @escaping RenderFunction, context: UnsafeMutableRawPointer) throws {
    try thread.withLock { thread in
      guard !isRunning else { throw OutputThreadError.running }
      thread?.join()
      thread = nil
      flags.isStopping.store(false, ordering: .releasing)
      flags.isRunning.store(true, ordering: .releasing)
      let target = OutputTarget(callback: callback, context: context)
      let clock = isPaced ? PeriodClock(sampleRate: sampleRate, period: latency.period) : nil
      do throws(WorkerThreadError) {
        thread = try WorkerThread(named: "output") { [flags, channelCount, latency, sink] in
          let buffer = SampleBuffer(channelCount: channelCount, frameCapacity: latency.period)
          let scheduling = RealtimeRequest()
          // Without a pace it would keep all other threads from its processor.
          if clock != nil {
            scheduling.begin()
            scheduling.make()
          }
          flushingDenormals { target.run(buffer, clock, sink, flags) }
          if clock != nil { scheduling.end() }
          flags.isRunning.store(false, ordering: .releasing)
        }
      } catch {
        flags.isRunning.store(false, ordering: .releasing)
        throw OutputThreadError.noThread(reason: error.description)
      }
    }
  }

  public func stop() {
    flags.isStopping.store(true, ordering: .releasing)
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }
}

/// What the thread of an output unit asks for audio.
private struct OutputTarget: @unchecked Sendable {
  // Unchecked: the context is the callback's.
  let callback: RenderFunction
  let context: UnsafeMutableRawPointer

  func run(
    _ buffer: SampleBuffer, _ clock: PeriodClock?, _ sink: (@Sendable (RenderSlice) -> Void)?, _ flags: OutputFlags
  ) {
    var clock = clock
    while true {
      clock?.wait(flags)
      guard !flags.isStopping.load(ordering: .acquiring) else { return }
      var slice = buffer.slice(frameCount: buffer.frameCapacity, hostTime: HostClock.now)
      withUnsafeMutablePointer(to: &slice) { call(callback, context, UnsafeMutableRawPointer($0)) }
      sink?(slice)
      guard slice.frameCount == buffer.frameCapacity else { return }
    }
  }
}

/// Deadlines a period apart on the host's clock.
private struct PeriodClock {
  private let nanosecondsPerFrame: Double
  private let period: Int
  private var begin = HostClock.now
  private var frames = 0
  /// Later than this, as after the machine was suspended, the slices that were missed are given up. In nanoseconds.
  private static let patience: UInt64 = 500_000_000

  init(sampleRate: Double, period: Int) {
    nanosecondsPerFrame = 1e9 / sampleRate
    self.period = period
  }

  /// Waits for the next deadline, by steps of at most 50 ms, so that a long period does not delay a stop.
  /// (clock_nanosleep)
  mutating func wait(_ flags: OutputFlags) {
    // From the beginning each time: the sum of rounded periods would drift.
    let due = begin + UInt64(Double(frames) * nanosecondsPerFrame)
    frames += period
    var now = HostClock.now
    if now > due + Self.patience { (begin, frames) = (now, period) }
    while now < due, !flags.isStopping.load(ordering: .acquiring) {
      let step = min(due, now + 50_000_000)
      var time = timespec(tv_sec: Int(step / 1_000_000_000), tv_nsec: Int(step % 1_000_000_000))
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
      now = HostClock.now
    }
  }
}

/// What the thread of an output unit and its owner tell each other.
private final class OutputFlags: Sendable {
  let isRunning = Atomic<Bool>(false)
  let isStopping = Atomic<Bool>(false)
}

/// Why an output unit without a device does not start.
public enum OutputThreadError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Another engine plays on it.
  case running
  /// The system has no thread left; `reason` is its own word.
  case noThread(reason: String)

  public var description: String {
    switch self {
    case .running: "starting an output: it is running already; stop it first, or make another"
    case .noThread(let reason): "starting an output: no thread is to be had, \(reason); end other programs"
    }
  }
}
