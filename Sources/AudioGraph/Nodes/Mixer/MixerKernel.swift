import SynthDSP
import SynthRealtime

/// The mixer's render side: a table of strips, which live on in the next kernel when inputs are added or removed.
struct MixerKernel: ~Copyable {
  private let strips: UnsafeMutablePointer<UnsafeMutablePointer<MixerStrip>>
  private let stripCount: Int
  private let rampBlocks: Int
  private let output: UnsafeMutablePointer<MixerOutput>
  private let changes = ParameterChangeCount.ofAll

  init(
    _ strips: [UnsafeMutablePointer<MixerStrip>], output: UnsafeMutablePointer<MixerOutput>, sampleRate: Double
  ) {
    stripCount = strips.count
    self.strips = .allocate(capacity: max(1, strips.count))
    for (bus, strip) in strips.enumerated() { (self.strips + bus).initialize(to: strip) }
    self.output = output
    rampBlocks = levelRampBlocks(sampleRate: sampleRate)
    // Inputs may have become mono or stereo, which idle strips have to follow.
    changes.raise()
  }

  deinit { strips.deallocate() }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: MixerKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  func render(_ context: RenderContext) {
    for bus in 0..<context.outputBusCount { context.output(bus).silence() }
    guard !context.hasChanges else { return follow(context) }
    var isSoloKnown = false
    var anySolo = false
    let changeCount = changes.value
    for bus in 0..<min(stripCount, context.inputBusCount) {
      let input = context.input(bus)
      // The ramps of sends go on in silence, until they have arrived.
      guard !input.isSilent || context.outputBusCount > 1 else {
        strips[bus].pointee.rest()
        continue
      }
      if input.isSilent, strips[bus].pointee.isIdle(at: changeCount) { continue }
      // Only looked up when it matters, because that reads every strip.
      if !isSoloKnown {
        anySolo = self.anySolo()
        isSoloKnown = true
      }
      strips[bus].pointee.render(input, to: context, anySolo, rampBlocks)
      if input.isSilent { strips[bus].pointee.settle(at: changeCount, sendCount: context.outputBusCount &- 1) }
    }
    output.pointee.finish(context.output(0), context, rampBlocks)
  }

  /// As `render`, in a quantum in which parameters follow scheduled changes.
  @_noLocks
  @inline(never)
  private func follow(_ context: RenderContext) {
    let anySolo = anySolo()
    let followsSolo = followsSolo(context)
    let soloBefore = drawSolo(context)
    for bus in 0..<min(stripCount, context.inputBusCount) {
      let input = context.input(bus)
      guard !input.isSilent || context.outputBusCount > 1 else {
        strips[bus].pointee.rest()
        continue
      }
      if followsSolo || strips[bus].pointee.follows(context) {
        strips[bus].pointee.follow(input, to: context, output.pointee.curves, soloBefore, rampBlocks)
      } else {
        strips[bus].pointee.render(input, to: context, anySolo, rampBlocks)
      }
    }
    output.pointee.finish(context.output(0), context, rampBlocks)
  }

  @_noLocks
  private func followsSolo(_ context: RenderContext) -> Bool {
    for bus in 0..<stripCount where strips[bus].pointee.fader.followsSolo(context) { return true }
    return false
  }

  /// How much all inputs are soloed together, at each frame and the one before.
  @_noLocks
  private func drawSolo(_ context: RenderContext) -> Float {
    output.pointee.curves.anySolo.update(repeating: 0, count: renderQuantum)
    var before: Float = 0
    for bus in 0..<stripCount { before += strips[bus].pointee.fader.addSolo(to: output.pointee.curves, context) }
    return before
  }

  @_noLocks
  private func anySolo() -> Bool {
    for bus in 0..<stripCount where strips[bus].pointee.fader.isSoloed { return true }
    return false
  }
}

/// The gain and the meters of the whole mix.
struct MixerOutput: ~Copyable {
  private let gain: ParameterReader
  private let meters: FaderMeters
  private var ramp = Ramp()
  /// Room for the whole mixer: a kernel that is larger than four words is no longer held in registers.
  fileprivate let curves = MixerCurves()

  init(_ mixer: MixerNode, sampleRate: Double) {
    gain = mixer.outputGain.reader
    meters = FaderMeters(before: mixer.mixMeter, after: mixer.outputMeter, of: mixer, sampleRate: sampleRate)
  }

  @_noLocks
  mutating func finish(_ mix: Bus, _ context: RenderContext, _ rampBlocks: Int) {
    if !mix.isSilent { meters.measure(mix) }
    let gain =
      context.hasChanges && gain.follows(context)
      ? follow(mix, context, rampBlocks)
      : ramp.next(toward: gain.renderValue, blocks: rampBlocks, blockSize: renderQuantum)
    for channel in 0..<2 {
      guard !mix.isSilent else {
        meters.recordSilence(channel: channel)
        continue
      }
      let samples = mix[channel]
      let level = scaleBlock(samples, into: samples, gain: gain, count: renderQuantum)
      meters.record(level, of: samples, .unity, channel: channel)
    }
  }

  /// Scales the mix frame by frame, so that nothing is left to be done.
  @_noLocks
  @inline(never)
  private mutating func follow(_ mix: Bus, _ context: RenderContext, _ rampBlocks: Int) -> GainSegment {
    ramp.follow(curves.gain, from: gain.fill(curves.gain, in: context), blocks: rampBlocks)
    for channel in 0..<2 { scaleBlock(mix[channel], into: mix[channel], gains: curves.gain, count: renderQuantum) }
    return .unity
  }
}
