import AudioGraph
import CSynthFluidSynth
import SynthInstruments
import SynthMIDI
import SynthRealtime

/// FluidSynth, driven by events. Its memory is allocated in `init`. [audio thread]
///
/// FluidSynth tells most of what its channels were sent; `channels` remember the rest.
struct Sampler: ~Copyable {
  let synth: OpaquePointer
  let channels: UnsafeMutablePointer<SamplerChannel>
  /// Of 128 keys of each channel.
  let keyPressures: UnsafeMutablePointer<UInt8>
  /// Whether a channel may have got another preset.
  var hasNewPresets = true
  /// Whether FluidSynth had no voice for a note, or for a part of it.
  var hasRefused = false
  private var loaded = LoadedPresets()
  private let requests: RingBuffer<PresetRequest>.Producer
  /// FluidSynth's list of outputs: left and right of each channel.
  private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

  /// - Parameter requests: takes what is asked for and not loaded. It must outlive the sampler.
  init(_ synth: FluidSynth, _ requests: RingBuffer<PresetRequest>) {
    self.synth = synth.handle
    self.requests = requests.producer
    channels = .allocate(capacity: midiChannelCount)
    keyPressures = .allocate(capacity: midiChannelCount * 128)
    outputs = .allocate(capacity: 2 * midiChannelCount)
    outputs.initialize(repeating: nil, count: 2 * midiChannelCount)
    keyPressures.initialize(repeating: 0, count: midiChannelCount * 128)
    for channel in 0..<midiChannelCount { (channels + channel).initialize(to: SamplerChannel()) }
    separateChannels()
  }

  deinit {
    channels.deallocate()
    keyPressures.deallocate()
    outputs.deallocate()
  }

  /// Restricts program changes to these presets. [control thread]
  mutating func restrict(to presets: Set<OpaquePointer>) { loaded = LoadedPresets(presets) }

  /// Selects a preset if it is loaded; else asks for it, and the channel has it after the exchange that brings it.
  @_noLocks
  mutating func select(_ request: PresetRequest, _ channel: Int32) {
    hasNewPresets = true
    let preset = fluidsynth_find_preset(
      synth, request.isDrum, request.bank, request.fallbackBank, request.program)
    if let preset, !loaded.contains(preset) {
      // Where the ring is full, the next rack asks again.
      _ = requests.push(request)
      return
    }
    let type = request.isDrum ? CHANNEL_TYPE_DRUM : CHANNEL_TYPE_MELODIC
    fluid_synth_set_channel_type(synth, channel, Int32(type.rawValue))
    fluid_synth_bank_select(synth, channel, preset.map { fluid_preset_get_banknum($0) } ?? request.bank)
    fluid_synth_program_change(synth, channel, request.program)
  }

  /// Whether no voice sounds.
  var isSilent: Bool {
    @_noLocks get { fluid_synth_get_active_voice_count(synth) == 0 }
  }

  /// Returns to the initial state, so that the next song sounds as it does on a new synth.
  @_noLocks
  mutating func reset() {
    resetChannels()
    // The reset leaves voices sounding, and restarts those that were turned off just before it.
    for channel in 0..<midiChannelCount { fluid_synth_all_sounds_off(synth, Int32(channel)) }
  }

  /// Makes each channel its own basic channel: FluidSynth begins with one group of sixteen, whose mode channel 1 sets.
  @_noLocks
  func separateChannels() {
    fluid_synth_reset_basic_channel(synth, -1)
    for channel in 0..<Int32(midiChannelCount) {
      fluid_synth_set_basic_channel(synth, channel, Int32(FLUID_CHANNEL_MODE_OMNIOFF_POLY.rawValue), 1)
    }
  }

  /// Returns all channels to their initial state; sounds go on.
  @_noLocks
  mutating func resetChannels() {
    fluidsynth_reset(synth)
    separateChannels()
    for channel in 0..<midiChannelCount {
      // The reset forgets a channel's generators, but not those of its voices.
      fluid_synth_set_gen(synth, Int32(channel), Int32(GEN_FINETUNE.rawValue), 0)
      clearPressures(Int32(channel))
      channels[channel] = SamplerChannel()
    }
    hasNewPresets = true
  }

  @_noLocks
  func clearPressures(_ channel: Int32) {
    channels[Int(channel)].pressure = 0
    guard channels[Int(channel)].hasKeyPressures else { return }
    channels[Int(channel)].hasKeyPressures = false
    (keyPressures + 128 &* Int(channel)).update(repeating: 0, count: 128)
  }

  /// Adds a quantum to the buses, one a channel.
  ///
  /// - Returns: how many voices sound in it.
  @_noLocks
  func render(_ context: RenderContext) -> Int {
    let voiceCount = Int(fluid_synth_get_active_voice_count(synth))
    guard voiceCount > 0 else { return 0 }
    for channel in 0..<context.outputBusCount {
      outputs[2 &* channel] = context.output(channel)[0]
      outputs[2 &* channel &+ 1] = context.output(channel)[1]
    }
    fluid_synth_process(synth, Int32(renderQuantum), 0, nil, Int32(2 &* context.outputBusCount), outputs)
    for channel in 0..<context.outputBusCount {
      let bus = context.output(channel)
      bus.isSilent = isZero(bus[0], count: 2 &* renderQuantum)
    }
    return voiceCount
  }
}

/// What FluidSynth does not tell about one of its channels.
struct SamplerChannel: BitwiseCopyable {
  var pressure: UInt8 = 0
  /// Whether a key has had a pressure since they were all 0.
  var hasKeyPressures = false
  /// Whether data entry is for an assignable parameter, and for which of FluidSynth's generators.
  var isAssignable = false
  var generator: Int32 = 0

  @_noLocks
  init() {}
}

/// Whether all samples are zero. FluidSynth does not say which channels sound.
@_noLocks
private func isZero(_ samples: UnsafeMutablePointer<Float>, count: Int) -> Bool {
  let vectors = UnsafeRawPointer(samples)
  let half = MemoryLayout<SIMD8<UInt32>>.stride
  for offset in stride(from: 0, to: count &* MemoryLayout<Float>.stride, by: 2 &* half) {
    let bits =
      vectors.load(fromByteOffset: offset, as: SIMD8<UInt32>.self)
      | vectors.load(fromByteOffset: offset &+ half, as: SIMD8<UInt32>.self)
    let folded = unsafeBitCast(bits.lowHalf | bits.highHalf, to: SIMD2<UInt64>.self)
    // All bits but the sign: -0 is silence too.
    if (folded.x | folded.y) & 0x7FFF_FFFF_7FFF_FFFF != 0 { return false }
  }
  return true
}
