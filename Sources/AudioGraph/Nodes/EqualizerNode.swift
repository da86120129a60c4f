import DSP
import Realtime
import Synchronization

/// The ten-band preset equalizer; mono or stereo in, the same out. Its curve changes while it plays, in a 100 ms fade.
public final class EqualizerNode: AudioNode {
  public let name: String
  public let inputBusCount = 1
  public let outputBusCount = 1
  /// What its pre-cut makes room for.
  public let headroom: EqualizerHeadroom
  private let setting: Mutex<Setting>
  private let slot = KernelSlot<Double>()

  private struct Setting {
    var curve: EqualizerCurve
    /// For the rate the node renders at; nil until it is known.
    var design: EqualizerDesign?
    /// To the present kernel; each has one of its own, since a mailbox has one reader.
    var mailbox = EqualizerMailbox()
  }

  public init(name: String = "equalizer", curve: EqualizerCurve = .flat, headroom: EqualizerHeadroom = .everyInput) {
    self.name = name
    self.headroom = headroom
    setting = Mutex(Setting(curve: curve, design: nil))
  }

  /// What is asked for. The design for it is made on the calling thread, in less than a millisecond. [control threads]
  public var curve: EqualizerCurve {
    get { setting.withLock { $0.curve } }
    set {
      setting.withLock { setting in
        setting.curve = newValue
        guard let rate = setting.design?.sampleRate else { return }
        setting.mailbox.post(design(&setting, sampleRate: rate).coefficients)
      }
    }
  }

  /// The curve: ten gains in decibels, lowest band first.
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
  }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat] {
    let rates = EqualizerDesign.sampleRateRange
    return [try EffectFormat.input(of: "equalizer", inputs[0], sampleRate: sampleRate, sampleRates: rates)]
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    let sampleRate = formats.outputs[0].sampleRate
    return slot.kernel(for: sampleRate) {
      let (coefficients, mailbox) = setting.withLock { setting in
        setting.mailbox = EqualizerMailbox()
        return (design(&setting, sampleRate: sampleRate).coefficients, setting.mailbox)
      }
      let processor = EqualizerProcessor(coefficients: coefficients, mailbox: mailbox, sampleRate: sampleRate)
      return Kernel(EqualizerKernel(processor: processor), retaining: [mailbox], entry: EqualizerKernel.entry)
    }
  }

  public func reset() { slot.reset() }

  private func design(_ setting: inout Setting, sampleRate: Double) -> EqualizerDesign {
    do {
      let design = try EqualizerDesign(curve: setting.curve, sampleRate: sampleRate, headroom: headroom)
      setting.design = design
      return design
    } catch {
      preconditionFailure("\(error): the rate was checked when formats propagated")
    }
  }
}

private struct EqualizerKernel: ~Copyable {
  private var processor: EqualizerProcessor

  init(processor: consuming EqualizerProcessor) { self.processor = processor }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: EqualizerKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let input = context.input(0)
    let output = context.output(0)
    // Where nothing is connected the output is stereo, and the shared silence serves as both channels.
    let left = input[0]
    let right = input.channelCount > 1 ? input[1] : left
    let isSilent =
      output.channelCount == 1
      ? processor.process(
        input: left, output: output[0], frameCount: renderQuantum, inputIsSilent: input.isSilent)
      : processor.process(
        left: left, right: right, leftOutput: output[0], rightOutput: output[1], frameCount: renderQuantum,
        inputIsSilent: input.isSilent)
    output.isSilent = isSilent
  }
}
