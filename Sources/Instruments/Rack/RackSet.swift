import MIDI
import Realtime

/// All instruments of a rack, loaded: what one exchange replaces by another. Made and freed on the control side; between
/// the two, the audio thread alone touches its core.
final class RackSet: @unchecked Sendable {
  /// Counts from 1.
  let serial: UInt32
  let core: UnsafeMutablePointer<RackCore>
  /// The names of its presets.
  let presets: PresetIndex?
  private let synth: FluidSynth?
  private let requests: RingBuffer<PresetRequest>

  /// Loads the soundfonts if any channel wants the sampler. [control thread]
  ///
  /// - Parameters:
  ///   - asked: presets that are loaded in any case.
  ///   - requests: takes what channels ask for and is not loaded.
  init(
    _ configuration: RackConfiguration, serial: UInt32, asked: Set<PresetRequest>,
    requests: RingBuffer<PresetRequest>, sampleRate: Double
  ) throws(SamplerError) {
    let needsSampler = InstrumentAssignment.needSampler(configuration.assignments)
    synth = needsSampler ? try FluidSynth(configuration.sampler, sampleRate: sampleRate) : nil
    presets = synth.map { PresetIndex($0.handle) }
    self.serial = serial
    self.requests = requests
    core = .allocate(capacity: 1)
    core.initialize(to: RackCore(configuration, synth, requests, sampleRate: sampleRate))
    guard case .used(let songs) = configuration.sampler.preload, let synth else { return }
    for channel in 0..<Int32(midiChannelCount) { try synth.pinPreset(ofChannel: channel) }
    for request in asked { try synth.pin(request) }
    for song in songs {
      try core.pointee.preview(Timeline(song, sampleRate: sampleRate)) { channel throws(SamplerError) in
        try synth.pinPreset(ofChannel: channel)
      }
    }
    core.pointee.sampler?.pointee.restrict(to: synth.pinned)
  }

  deinit {
    core.deinitialize(count: 1)
    core.deallocate()
  }
}
