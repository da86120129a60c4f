import SynthDSP
import SynthRealtime

/// A delay line, and the only node that may close a loop: its output of a quantum needs none of that quantum's input.
///
/// Its format is stated rather than taken from its input, because in a loop each would depend on the other.
public final class DelayNode: AudioNode {
  /// In seconds.
  public static let delayRange = 0.0...60

  public let name: String
  public let inputBusCount = 1
  public let outputBusCount = 1
  /// In seconds; what is shorter than a quantum of the render rate is a quantum.
  public let delay: Double
  /// Of input and output; nil is stereo at the output unit's rate.
  public let format: AudioFormat?
  private let slot = KernelSlot<AudioFormat>()

  /// Half a gigabyte, or up to one, since the memory is a power of two; 60 s at 192 kHz in eight channels fit.
  private static let mostSamples = 0x1p27

  /// - Parameter delay: in seconds, 0 to 60.
  public init(name: String = "delay", delay: Double, format: AudioFormat? = nil) throws(DelayError) {
    guard Self.delayRange.contains(delay) else { throw DelayError(delay: delay) }
    self.name = name
    self.delay = delay
    self.format = format
  }

  public var properties: [Property] { [Property(Self.delayTime, of: self) { [delay] in .number(delay) }] }

  static let delayTime = CreationProperty("delay", kind: .number(delayRange, unit: .seconds))

  public var inputTiming: InputTiming { .delayed }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat] {
    let format = format ?? .stereo(sampleRate)
    if let input = inputs[0], input != format {
      throw FormatRefusal(
        bus: 0, reason: "the delay runs at \(format), not at \(input)",
        remedy: "make it with that format, or put a converter before it")
    }
    // An invalid rate or channel count is refused elsewhere, with its own error.
    if format.sampleRate * delay * Double(format.channelCount) > Self.mostSamples {
      throw FormatRefusal(
        bus: 0, reason: "\(delay) s of \(format) do not fit a delay's memory",
        remedy: "make it shorter, or with fewer channels")
    }
    return [format]
  }

  public func reset() { slot.reset() }

  public func kernel(for formats: BusFormats) -> Kernel {
    let format = formats.outputs[0]
    return slot.kernel(for: format) {
      let kernel = DelayKernel(channelCount: format.channelCount, delay: frameCount(sampleRate: format.sampleRate))
      return Kernel(kernel, entry: DelayKernel.entry, intake: DelayKernel.intake)
    }
  }

  /// The delay in frames at a rate in hertz.
  public func frameCount(sampleRate: Double) -> Int {
    max(renderQuantum, Int((delay * clampedRate(sampleRate)).rounded()))
  }
}

/// A delay that cannot be made.
public struct DelayError: Error, Equatable, CustomStringConvertible {
  /// In seconds.
  public let delay: Double

  public var description: String {
    "making a delay of \(delay) s: out of range; choose \(DelayNode.delayRange.lowerBound) to "
      + "\(DelayNode.delayRange.upperBound) s"
  }
}
