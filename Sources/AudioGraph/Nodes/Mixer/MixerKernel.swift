import DSP
import Realtime

/// The mixer's render side: a table of strips, which live on in the next kernel when inputs are added or removed.
struct MixerKernel: ~Copyable {
  private let strips: UnsafeMutablePointer<UnsafeMutablePointer<MixerStrip>>
  private let stripCount: Int
  private let rampBlocks: Int
  private let output: UnsafeMutablePointer<MixerOutput>

  init(
    _ strips: [UnsafeMutablePointer<MixerStrip>], output: UnsafeMutablePointer<MixerOutput>, sampleRate: Double
  ) {
    stripCount = strips.count
    self.strips = .allocate(capacity: max(1, strips.count))
    for (bus, strip) in strips.enumerated() { (self.strips + bus).initialize(to: strip) }
    self.output = output
    rampBlocks = levelRampBlocks(sampleRate: sampleRate)
  }

  deinit { strips.deallocate() }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: MixerKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  func render(_ context: RenderContext) {
    for bus in 0..<context.outputBusCount { context.output(bus).silence() }
    var isSoloKnown = false
    var anySolo = false
    for bus in 0..<min(stripCount, context.inputBusCount) {
      let input = context.input(bus)
      // The ramps of sends go on in silence.
      guard !input.isSilent || strips[bus].pointee.sendCount > 0 else {
        strips[bus].pointee.rest()
        continue
      }
      // Only looked up when it matters, because that reads every strip.
      if !isSoloKnown {
        anySolo = self.anySolo()
        isSoloKnown = true
      }
      strips[bus].pointee.render(input, to: context, anySolo, rampBlocks)
    }
    output.pointee.finish(context.output(0), rampBlocks)
  }

  @_noLocks
  private func anySolo() -> Bool {
    for bus in 0..<stripCount where strips[bus].pointee.isSoloed { return true }
    return false
  }
}

/// The gain and the meter of the whole mix.
struct MixerOutput {
  private let gain: ParameterReader
  private let meter: MeterWriter
  private var ramp = Ramp()

  init(gain: ParameterReader, meter: MeterWriter) {
    self.gain = gain
    self.meter = meter
  }

  @_noLocks
  mutating func finish(_ mix: Bus, _ rampBlocks: Int) {
    let gain = ramp.next(toward: gain.renderValue, blocks: rampBlocks, blockSize: renderQuantum)
    for channel in 0..<2 {
      guard !mix.isSilent else {
        meter.record(.silent, channel: channel)
        continue
      }
      let samples = mix[channel]
      let level = scaleBlock(samples, into: samples, gain: gain, count: renderQuantum)
      meter.record(level, channel: channel)
      if level.peak > 1 { meter.recordClips(clippedCount(samples, count: renderQuantum), channel: channel) }
    }
  }
}
