/// A processing unit with input and output buses.
///
/// The node itself lives on the control side. What renders is its `Kernel`, whose state belongs to the node and
/// survives changes of the plan.
///
/// A node renders at one rate: that of its outputs, which is also that of its inputs unless it converts.
public protocol AudioNode: AnyObject, Sendable {
  /// What people call it, in errors and in the printed graph.
  var name: String { get }
  /// How many buses it takes sound from; 0 for a source.
  var inputBusCount: Int { get }
  /// How many buses it gives sound on; 0 for a sink.
  var outputBusCount: Int { get }
  /// Its real-time values; always the same objects, in the same order.
  var parameters: [Parameter] { get }
  /// When it takes its input; `sameQuantum` for most.
  var inputTiming: InputTiming { get }
  /// By how many frames of its own rate the output is later than the input, in the plan that was made last. An effect's
  /// delay that is meant to be heard does not count. [any thread]
  var latency: Int { get }
  /// How many channels of the device the node feeds: the output node's mark; nil for every other. [any thread]
  var deviceChannelCount: Int? { get }
  /// The engine whose graph the node renders inside; nil for most. [any thread]
  var innerEngine: AudioEngine? { get }
  /// Whether the node depends on a thread that keeps pace with a device but not with rendering by hand, which calls
  /// `prepareToRender` for that reason. [any thread]
  var isStreaming: Bool { get }

  /// What the node wants to hear on an input in place of what is connected there; the connection converts where the two
  /// differ. [control thread]
  ///
  /// A node that leaves this out takes what it is given, or refuses it in `outputFormats`.
  func inputFormat(bus: Int, offered: AudioFormat, sampleRate: Double) -> AudioFormat
  /// Its configuration.
  var properties: [Property] { get }

  /// The format of every output bus, given what is connected to the inputs. [control thread]
  ///
  /// - Parameters:
  ///   - inputs: one entry per input bus, nil where nothing is connected, and where a delayed input is not known yet.
  ///   - sampleRate: the output unit's rate, for a node without a rate.
  func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat]

  /// The kernel for these formats: the present one wherever it can go on. [control thread]
  ///
  /// While an edit fades from one format to another, the kernels for both render. So they share nothing that rendering
  /// changes, or say so; see `Kernel`.
  func kernel(for formats: BusFormats) -> Kernel

  /// Lets the next kernel start over, with empty delay lines and filters: a node with a `KernelSlot` resets that.
  /// Called when the engine is reset, and when an edit has left the node unrendered. [control thread]
  ///
  /// - Throws: why it could not; the engine's reset then fails with that.
  func reset() throws

  /// Of a streaming node: returns once so many frames can be rendered without a loss, or never can. [any thread]
  ///
  /// - Parameter frameCount: in frames of the engine's rate; a few quanta at most.
  func prepareToRender(frameCount: Int)
}

extension AudioNode {
  public var parameters: [Parameter] { [] }
  public var properties: [Property] { [] }
  public var inputTiming: InputTiming { .sameQuantum }
  public var latency: Int { 0 }
  public var deviceChannelCount: Int? { nil }
  public var innerEngine: AudioEngine? { nil }
  public var isStreaming: Bool { false }
  public func reset() {}
  public func prepareToRender(frameCount: Int) {}

  public func inputFormat(bus: Int, offered: AudioFormat, sampleRate: Double) -> AudioFormat { offered }
}

/// When a node takes its input, as against when it renders its output.
public enum InputTiming: Sendable {
  /// The output of a quantum is made from the input of that quantum, at the same rate.
  case sameQuantum
  /// The inputs may have another rate than the outputs. Where they do, the kernel takes them by its `intake`.
  case otherRate
  /// The output of a quantum needs no input later than the last quantum's, so the node may close a loop. The kernel
  /// takes its input by its `intake`, and the output formats do not depend on what is connected.
  case delayed
}
