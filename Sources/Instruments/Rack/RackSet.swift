/// All instruments of a rack, loaded: what one exchange replaces by another. Made and freed on the control side; between
/// the two, the audio thread alone touches its core.
final class RackSet: @unchecked Sendable {
  let configuration: RackConfiguration
  let core: UnsafeMutablePointer<RackCore>
  private let synth: FluidSynth?

  /// Loads the soundfonts if any channel wants the sampler. [control thread]
  init(_ configuration: RackConfiguration, sampleRate: Double) throws(SamplerError) {
    self.configuration = configuration
    let needsSampler = InstrumentAssignment.needSampler(configuration.assignments)
    synth = needsSampler ? try FluidSynth(configuration.sampler, sampleRate: sampleRate) : nil
    core = .allocate(capacity: 1)
    core.initialize(to: RackCore(configuration, synth, sampleRate: sampleRate))
  }

  deinit {
    core.deinitialize(count: 1)
    core.deallocate()
  }
}
