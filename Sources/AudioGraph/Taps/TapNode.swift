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
