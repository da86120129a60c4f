import Glibc
import Realtime

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
  private let slot = KernelSlot<AudioFormat?>()

  /// A tap that is read by `read`.
  ///
  /// - Parameter capacity: how many unread frames it holds, at least: 16384 to 67108864, to which it is clamped.
  public init(name: String = "tap", capacity: Int = 65536) {
    self.name = name
    queue = TapQueue(frameCapacity: capacity)
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
    delivery = try TapDelivery(of: queue, deliver)
  }

  /// Hands over what was tapped since the last call, oldest first. [any thread], one at a time; not where it delivers
  public func read(_ take: (TapBlock) throws -> Void) rethrows {
    guard delivery == nil else { return }
    try queue.read(take)
  }

  /// Frames there was no room for. [any thread]
  public var droppedFrameCount: Int { queue.droppedFrameCount }

  /// Delivers what has been tapped so far, and nothing more. Returns when that is done, or at once when called from the
  /// delivery itself; the tap is detached before or after it. [any thread]
  public func finish() { delivery?.finish() }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat] {
    guard let format = inputs[0], !queue.hasMemory(for: format) else { return [] }
    throw FormatRefusal(
      bus: 0, reason: "\(queue.capacity * renderQuantum) frames of \(format) do not fit a tap's memory",
      remedy: "make it with less capacity")
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: formats.inputs[0]) {
      queue.addRing(for: formats.inputs[0] ?? AudioFormat(sampleRate: formats.sampleRate, channelCount: 0)).kernel
    }
  }

  public func prepareToRender(frameCount: Int) {
    delivery?.waitForRoom()
  }
}

/// Audio that was tapped, without a gap in it. It can be read only while it is handed over.
public struct TapBlock {
  /// The first frame, counted from the start of rendering. Where it is not the end of the last block, frames are
  /// missing between them: dropped, or never tapped.
  public let sampleTime: Int64
  /// When the slice with the first frame was asked for, in nanoseconds of the monotonic clock; 0 offline.
  public let hostTime: UInt64
  public let format: AudioFormat
  public let frameCount: Int
  /// One pointer per channel, to `frameCount` samples each.
  public let channels: UnsafePointer<UnsafeMutablePointer<Float>>

  /// The samples of a channel.
  public subscript(channel: Int) -> UnsafeBufferPointer<Float> {
    precondition((0..<format.channelCount).contains(channel), "the tapped bus has \(format.channelCount) channels")
    return UnsafeBufferPointer(start: channels[channel], count: frameCount)
  }
}

/// Delivers what a tap has caught. Each tap has a thread for it, because a delivery may wait for the disk.
///
/// The audio thread wakes no other thread, since that would be a system call; the thread looks every 5 ms.
final class TapDelivery: Sendable {
  private let queue: TapQueue
  private let housekeeper = Housekeeper(named: "tap delivery")
  private let job: Housekeeper.Job

  init(of queue: TapQueue, _ deliver: @escaping @Sendable (TapBlock) -> Void) throws(EngineError) {
    self.queue = queue
    do throws(WorkerThreadError) {
      job = try housekeeper.add(every: 5) { queue.read(deliver) }
    } catch {
      throw .noThread(reason: error.description)
    }
  }

  /// It does not wait, so that releasing a tap cannot deadlock with the code that the tap delivers to.
  deinit { housekeeper.finish(job, isAwaited: false) }

  /// Delivers what is left, and ends; returns when that is done, except to the delivery itself. [any thread]
  func finish() { housekeeper.finish(job, isAwaited: true) }

  /// Waits until half of the capacity is free, or nothing is delivered any more.
  func waitForRoom() {
    while !queue.hasRoom, !job.isFinishing { usleep(1000) }
  }
}
