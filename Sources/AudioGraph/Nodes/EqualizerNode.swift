import SynthDSP
import SynthRealtime

/// The ten-band preset equalizer; mono or stereo in, the same out. Its curve changes while it plays, in a 100 ms fade.
///
/// The curve is set by control threads; or it is one of the presets, which are designed in advance, and any thread may
/// choose them, the audio thread among them, as MIDI does.
public final class EqualizerNode: AudioNode {
  /// A curve that can be chosen.
  public struct Preset: Sendable, Equatable {
    /// By which it is chosen.
    public let name: String
    /// What is played when it is chosen.
    public let curve: EqualizerCurve

    public init(name: String, curve: EqualizerCurve) {
      self.name = name
      self.curve = curve
    }
  }

  public let name: String
  public let inputBusCount = 1
  public let outputBusCount = 1
  /// What its pre-cut makes room for.
  public let headroom: EqualizerHeadroom
  /// Those that `preset` chooses from, numbered from 1.
  public let presets: [Preset]
  /// Which of the presets is wanted, counted from 1; 0 is what `curve` was set to.
  public let preset: Parameter
  private let setting: CheckedMutex<Setting>
  private let slot = KernelSlot<Double>()

  private struct Setting {
    var curve: EqualizerCurve
    /// For the rate the node renders at; nil until it is known.
    var design: EqualizerDesign?
    /// To the present kernel. Each kernel has its own, because a triple buffer has one reader.
    var latest = TripleBuffer(EqualizerCoefficients.flat)
  }

  public init(
    name: String = "equalizer", curve: EqualizerCurve = .flat, presets: [Preset] = [],
    headroom: EqualizerHeadroom = .everyInput
  ) {
    self.name = name
    self.headroom = headroom
    self.presets = presets
    preset = Parameter("preset", values: ["none"] + presets.map(\.name), precision: .frame)
    setting = CheckedMutex(Setting(curve: curve, design: nil))
  }

  /// What is asked for. Set, it takes the place of the preset that was chosen, until one is chosen again; the design
  /// for it is made on the calling thread, in less than a millisecond. [control thread]
  public var curve: EqualizerCurve {
    get {
      let chosen = Int(preset.value) - 1
      return presets.indices.contains(chosen) ? presets[chosen].curve : setting.withLock { $0.curve }
    }
    set {
      setting.withLock { setting in
        setting.curve = newValue
        if let rate = setting.design?.sampleRate {
          setting.latest.send(design(&setting, sampleRate: rate).coefficients)
        }
        preset.value = 0
      }
    }
  }

  /// The preset, where there are any.
  public var parameters: [Parameter] { presets.isEmpty ? [] : [preset] }

  /// The curve: ten gains in decibels, lowest band first; and the names of the presets, where there are any.
  public var properties: [Property] {
    let gains = EqualizerCurve.gainRange.lowerBound.value...EqualizerCurve.gainRange.upperBound.value
    let bands = EqualizerCurve.bandCount...EqualizerCurve.bandCount
    return [
      Property("curve", of: self, kind: .list(of: .number(gains, unit: .decibels), count: bands)) { [self] in
        .list(curve.gains.map { .number($0.value) })
      } write: { [self] value in
        curve = try EqualizerCurve(gains: (value.list ?? []).compactMap { $0.number.map { Decibels($0) } })
      }
    ]
      + (presets.isEmpty
        ? []
        : [
          Property("presets", of: self, kind: .list(of: .text, count: 1...Int.max)) { [presets] in
            .list(presets.map { .text($0.name) })
          }
        ])
  }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat] {
    let rates = EqualizerDesign.sampleRateRange
    return [try EffectFormat.input(of: "equalizer", inputs[0], sampleRate: sampleRate, sampleRates: rates)]
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    let sampleRate = formats.outputs[0].sampleRate
    return slot.kernel(for: sampleRate) {
      let latest = setting.withLock { setting in
        setting.latest = TripleBuffer(design(&setting, sampleRate: sampleRate).coefficients)
        return setting.latest
      }
      let bank = EqualizerBank(presets.map { design($0.curve, sampleRate: sampleRate).coefficients })
      let receiver = latest.receiver
      let processor = EqualizerProcessor(setting: receiver.latest, bank: bank, sampleRate: sampleRate)
      return Kernel(
        EqualizerKernel(processor: processor, latest: receiver, preset: preset.reader),
        retaining: [latest, bank, preset],
        entry: EqualizerKernel.entry)
    }
  }

  public func reset() { slot.reset() }

  private func design(_ setting: inout Setting, sampleRate: Double) -> EqualizerDesign {
    let design = design(setting.curve, sampleRate: sampleRate)
    setting.design = design
    return design
  }

  private func design(_ curve: EqualizerCurve, sampleRate: Double) -> EqualizerDesign {
    do {
      return try EqualizerDesign(curve: curve, sampleRate: sampleRate, headroom: headroom)
    } catch {
      preconditionFailure("\(error): the rate was checked when formats propagated")
    }
  }
}

private struct EqualizerKernel: ~Copyable {
  private var processor: EqualizerProcessor
  private var latest: TripleBuffer<EqualizerCoefficients>.Receiver
  private let preset: ParameterReader

  init(
    processor: consuming EqualizerProcessor, latest: TripleBuffer<EqualizerCoefficients>.Receiver,
    preset: ParameterReader
  ) {
    self.processor = processor
    self.latest = latest
    self.preset = preset
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: EqualizerKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    if let setting = latest.take() { processor.set(setting) }
    if context.hasChanges, let course = preset.course(in: context) { return follow(course, context) }
    context.output(0).isSilent = process(0..<renderQuantum, preset.renderValue, context)
  }

  @_noLocks
  @inline(never)
  private mutating func follow(_ course: ParameterCourse, _ context: RenderContext) {
    var isSilent = true
    var pieces = course.pieces
    while let piece = pieces.next() {
      if !process(piece.frames, piece.end, context) { isSilent = false }
    }
    context.output(0).isSilent = isSilent
  }

  /// Filters some frames of the quantum; true where they are silent.
  @_noLocks
  @inline(__always)
  private mutating func process(_ frames: Range<Int>, _ preset: Float, _ context: RenderContext) -> Bool {
    processor.choice = Int(preset)
    let (input, output) = (context.input(0), context.output(0))
    let first = frames.lowerBound
    // Where nothing is connected the output is stereo, and the shared silence serves as both channels.
    let left = input[0]
    let right = input.channelCount > 1 ? input[1] : left
    return output.channelCount == 1
      ? processor.process(
        input: left + first, output: output[0] + first, frameCount: frames.count, inputIsSilent: input.isSilent)
      : processor.process(
        left: left + first, right: right + first, leftOutput: output[0] + first, rightOutput: output[1] + first,
        frameCount: frames.count, inputIsSilent: input.isSilent)
  }
}
