import SynthRealtime

/// A render callback as an effect: it is given what arrives at the input, and alters it in place.
///
/// The buffers of its `RenderRequest` hold a quantum of the input, in the input's format; what the callback leaves in
/// them is the output. They are stereo and zero where nothing is connected. What the callback remembers from quantum to
/// quantum is its own affair; when the sample time is not the one that follows the last, its input is another.
public final class EffectNode: AudioNode {
  public let name: String
  public let inputBusCount = 1
  public let outputBusCount = 1
  /// By how many frames the callback's output is later than its input, as `AudioEngine.latency` counts it.
  public let latency: Int
  /// For how many frames the callback may sound after its input: beyond them it is not called until there is sound
  /// again, and what hears it costs nothing. Nil: it is called in silence too.
  public let tail: Int?
  /// What the callback finds frame by frame in its request, by their places here.
  public let parameters: [Parameter]
  private let callback: RenderCallback
  private let slot = KernelSlot<Double>()

  /// - Parameters:
  ///   - parameters: made with a `precision` of `frame`, and with a `rampDuration` where a change that is set at once
  ///     is to be ramped.
  ///   - latency: in frames, 0 to `mostFrames`; what lies outside is clamped to it.
  ///   - tail: in frames, 0 to `mostFrames`, likewise; nil for an effect that may sound by itself.
  ///   - callback: alters the buffers that it is given, or calls their `silence()`. Non-finite samples become 0.
  public init(
    name: String = "effect", parameters: [Parameter] = [], latency: Int = 0, tail: Int? = nil,
    _ callback: RenderCallback
  ) {
    self.name = name
    self.parameters = parameters
    self.latency = min(max(0, latency), Self.mostFrames)
    self.tail = tail.map { min(max(0, $0), Self.mostFrames) }
    self.callback = callback
  }

  /// A C function with a context; see `RenderCallback`.
  public convenience init(
    name: String = "effect", parameters: [Parameter] = [], latency: Int = 0, tail: Int? = nil,
    context: UnsafeMutableRawPointer, callback: @escaping RenderFunction
  ) {
    self.init(
      name: name, parameters: parameters, latency: latency, tail: tail, RenderCallback(callback, context: context))
  }

  /// A Swift closure; see `RenderCallback`.
  public convenience init(
    name: String = "effect", parameters: [Parameter] = [], latency: Int = 0, tail: Int? = nil,
    render: @escaping @Sendable (RenderRequest) -> Void
  ) {
    self.init(name: name, parameters: parameters, latency: latency, tail: tail, RenderCallback(render))
  }

  /// The longest latency and tail, in frames: more than six hours at 48 kHz.
  public static let mostFrames = 1 << 30

  /// Latency and tail; a tail of -1 has no end.
  public var properties: [Property] {
    [
      Property(Self.latencyFrames, of: self) { [latency] in .integer(latency) },
      Property(Self.tailFrames, of: self) { [tail] in .integer(tail ?? -1) },
    ]
  }

  static let latencyFrames = CreationProperty("latency", kind: .integer(0...mostFrames, unit: .frames))
  static let tailFrames = CreationProperty("tail", kind: .integer(-1...mostFrames, unit: .frames))

  /// What comes in goes out, at any rate, in any number of channels.
  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] {
    [inputs[0] ?? .stereo(sampleRate)]
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: formats.sampleRate) {
      Kernel(
        EffectKernel(callback, tail: tail, ParameterValues(parameters, sampleRate: formats.sampleRate), formats),
        retaining: [callback.owner].compactMap(\.self) + parameters, entry: EffectKernel.entry)
    }
  }

  public func reset() { slot.reset() }
}

private struct EffectKernel: ~Copyable {
  private let callback: CallbackKernel
  private let values: ParameterValues
  private let tail: Int
  /// How many frames of it are still to come; none before the first sound.
  private var tailLeft = 0

  init(_ callback: RenderCallback, tail: Int?, _ values: consuming ParameterValues, _ formats: BusFormats) {
    self.callback = CallbackKernel(callback, formats)
    self.values = values
    self.tail = tail ?? .max
    if tail == nil { tailLeft = .max }
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: EffectKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let (input, output) = (context.input(0), context.output(0))
    if input.isSilent {
      output.silence()
      guard tailLeft > 0 else { return }
      output.isSilent = false
      if tail < .max { tailLeft &-= renderQuantum }
    } else {
      copySamples(from: input[0], to: output[0], count: output.channelCount &* renderQuantum)
      tailLeft = tail
    }
    callback.render(context, output, values: values.draw(context))
    if !output.isSilent { output.makeFinite() }
  }
}
