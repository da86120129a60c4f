import Glibc
import Synchronization
import SynthRealtime

/// Takes a copy of what a bus carries off the audio thread, quantum for quantum, for a meter, a display or a recorder.
///
/// It is a sink, so taps are installed and removed by ordinary edits, on any output bus, any number of them, while
/// audio runs. Nothing is lost while what has not been read stays within the capacity; what does not fit is dropped and
/// counted, and the sample times of what comes after it are right.
///
///     let tap = try TapNode { block in meter.show(block) }
///     try engine.edit { graph in try graph.tap(mixer, with: tap) }
public final class TapNode: AudioNode {
  public let name: String
  public let inputBusCount = 1
  public let outputBusCount = 0
  public let isStreaming = true
  private let queue: TapQueue
  private let delivery: TapDelivery?
  /// What it delivers; nil for what the bus carries.
  private let client: ClientFormat?
  /// What is connected, and the output unit's rate, in the plan that is being made.
  private let offered = CheckedMutex<(format: AudioFormat, unitRate: Double)?>(nil)
  private let slot = KernelSlot<TapKey>()

  /// A tap that is read by `read`.
  ///
  /// - Parameter capacity: how many unread frames it holds, at least: 16384 to 67108864, to which it is clamped.
  public init(name: String = "tap", capacity: Int = 65536) {
    self.name = name
    queue = TapQueue(frameCapacity: capacity)
    client = nil
    delivery = nil
  }

  /// A tap that delivers on its own thread, which looks every 5 ms.
  ///
  /// Rendering by hand waits for it, so that nothing is lost there. A tap that goes away delivers what it has caught,
  /// and does not wait; `finish` waits.
  ///
  /// - Parameter deliver: may do what it likes, but not wait for a thread that renders by hand.
  /// - Throws: `EngineError.noThread`.
  public init(
    name: String = "tap", capacity: Int = 65536, deliver: @escaping @Sendable (TapBlock) -> Void
  ) throws(EngineError) {
    self.name = name
    queue = TapQueue(frameCapacity: capacity)
    client = nil
    delivery = try TapDelivery(of: queue, deliver)
  }

  /// A tap that delivers blocks of one size in a format of the program's choice, on its own thread.
  ///
  ///     let tap = try TapNode(format: ClientFormat(.int16, sampleRate: 16000, channelCount: 1), blockSize: 320) {
  ///       recognizer.take($0.bytes)
  ///     }
  ///
  /// Rate and channels are converted where the bus is connected, on the audio thread.
  ///
  /// - Parameters:
  ///   - blockSize: in frames of that format, 1 to `longestClientBlock`, to which it is clamped. Only a block before a
  ///     gap, and those that `finish` delivers, are shorter.
  ///   - deliver: as of a tap without a format.
  /// - Throws: `EngineError.noThread`.
  public init(
    name: String = "tap", capacity: Int = 65536, format: ClientFormat, blockSize: Int = 4096,
    deliver: @escaping @Sendable (ClientBlock) -> Void
  ) throws(EngineError) {
    self.name = name
    queue = TapQueue(frameCapacity: capacity)
    client = format
    let maker = ClientBlockMaker(format.samples, blockSize: blockSize, deliver)
    delivery = try TapDelivery(of: queue, end: maker.flush, maker.take)
  }

  /// In frames; 1048576.
  public static let longestClientBlock = 1 << 20

  /// Hands over what was tapped since the last call, oldest first. [any thread], one at a time; not where it delivers
  public func read(_ take: (TapBlock) throws -> Void) rethrows {
    guard delivery == nil else { return }
    try queue.read(take)
  }

  /// The first frame that the engine's output has not got; nil while no engine has the tap. [any thread]
  ///
  /// - Parameter tap: its identity, because the thread that delivers must not be the last to let it go.
  package static func engineTime(of tap: ObjectIdentifier) -> Int64? {
    NodeOwners.clock(of: tap)?.pointer.pointee.moment.nextFrame
  }

  /// Frames there was no room for. [any thread]
  public var droppedFrameCount: Int { queue.droppedFrameCount }

  /// Delivers what has been tapped so far, and nothing more. Returns when that is done, or at once when called from the
  /// delivery itself; the tap is detached before or after it. [any thread]
  public func finish() { delivery?.finish() }

  public func inputFormat(bus: Int, offered: AudioFormat, sampleRate: Double) -> AudioFormat {
    self.offered.withLock { $0 = (offered, sampleRate) }
    return client?.applied(to: offered) ?? offered
  }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat] {
    guard let format = inputs[0] else { return [] }
    guard FormatCheck.channelCounts.contains(format.channelCount) else {
      throw FormatRefusal(
        bus: 0, reason: "a tap cannot deliver \(format.channelCount) channels", remedy: "ask for 1 to 1024")
    }
    guard !queue.hasMemory(for: format) else { return [] }
    throw FormatRefusal(
      bus: 0, reason: "\(queue.capacity * renderQuantum) frames of \(format) do not fit a tap's memory",
      remedy: "make it with less capacity")
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    let format = formats.inputs[0] ?? AudioFormat(sampleRate: formats.sampleRate, channelCount: 0)
    let key = TapKey(format: format, latency: converterLatency(to: format), engineRate: formats.unitSampleRate)
    return slot.kernel(for: key) {
      let time = BusTime(sampleRate: format.sampleRate, engineRate: key.engineRate)
      return queue.addRing(for: format, latency: key.latency, time: time).kernel
    }
  }

  /// By how many frames the connection's converter delays what arrives.
  private func converterLatency(to format: AudioFormat) -> Int {
    guard let offered = offered.withLock(\.self), offered.format.sampleRate != format.sampleRate else { return 0 }
    return ConversionRates(input: offered.format.sampleRate, output: format.sampleRate, unit: offered.unitRate).latency
  }

  public func prepareToRender(frameCount: Int) {
    delivery?.waitForRoom()
  }
}

/// What a ring is made for.
private struct TapKey: Equatable, Sendable {
  let format: AudioFormat
  let latency: Int
  let engineRate: Double
}

/// Audio that was tapped, without a gap in it. It can be read only while it is handed over; `AudioBuffer(block)` is a
/// copy to keep.
public struct TapBlock {
  /// The first frame, counted from the start of rendering at the rate of the format. Where it is not the end of the
  /// last block, frames are missing between them: dropped, or never tapped.
  public let sampleTime: Int64
  /// When the slice with the first frame was asked for, in nanoseconds of the monotonic clock; 0 offline.
  public let hostTime: UInt64
  /// The tapped bus's.
  public let format: AudioFormat
  /// Frames in each channel.
  public let frameCount: Int
  /// Which of its frames stand for which of the engine's clock.
  package let time: BusTime
  /// One pointer per channel, to `frameCount` samples each.
  public let channels: UnsafePointer<UnsafeMutablePointer<Float>>

  /// The samples of a channel.
  public subscript(channel: Int) -> UnsafeBufferPointer<Float> {
    precondition((0..<format.channelCount).contains(channel), "the tapped bus has \(format.channelCount) channels")
    return UnsafeBufferPointer(start: channels[channel], count: frameCount)
  }
}

extension AudioBuffer {
  /// A copy of what was tapped, which stays when the block's memory is used for the next.
  public init(_ block: TapBlock) {
    self.init(format: block.format, frameCount: block.frameCount)
    withRenderSlice { slice in
      for channel in 0..<slice.channelCount {
        copySamples(from: block.channels[channel], to: slice.channels[channel], count: slice.frameCount)
      }
    }
  }
}

/// Delivers what a tap has caught. Each tap has a thread for it, because a delivery may wait for the disk.
///
/// The audio thread wakes no other thread, since that would be a system call; the thread looks every 5 ms.
final class TapDelivery: Sendable {
  private let queue: TapQueue
  private let housekeeper = Housekeeper(named: "tap delivery")
  private let job: Housekeeper.Job
  private let isEnding: TapEnding

  /// - Parameter end: called on the same thread after the last delivery.
  init(
    of queue: TapQueue, end: @escaping @Sendable () -> Void = {}, _ deliver: @escaping @Sendable (TapBlock) -> Void
  ) throws(EngineError) {
    self.queue = queue
    let isEnding = TapEnding()
    self.isEnding = isEnding
    do throws(WorkerThreadError) {
      job = try housekeeper.add(every: 5) {
        let isLast = isEnding.flag.load(ordering: .acquiring)
        queue.read(deliver)
        if isLast { end() }
      }
    } catch {
      throw .noThread(reason: error.description)
    }
  }

  /// It does not wait, so that releasing a tap cannot deadlock with the code that the tap delivers to.
  deinit {
    isEnding.flag.store(true, ordering: .releasing)
    housekeeper.finish(job, isAwaited: false)
  }

  /// Delivers what is left, and ends; returns when that is done, except to the delivery itself. [any thread]
  func finish() {
    isEnding.flag.store(true, ordering: .releasing)
    housekeeper.finish(job, isAwaited: true)
  }

  /// Waits until half of the capacity is free, or nothing is delivered any more.
  func waitForRoom() {
    while !queue.hasRoom, !job.isFinishing { usleep(1000) }
  }
}

/// Whether what is delivered next is the last.
private final class TapEnding: Sendable {
  let flag = Atomic(false)
}
