import CSynthFluidSynth
import SynthInstruments
import SynthMIDI
import SynthRealtime

/// FluidSynth as a sound engine: the sampler, with MPE zones, which FluidSynth does not know, and tunings, for which it
/// would allocate. [audio thread]
struct FluidSynthEngine: SoundEngine, ~Copyable {
  private var sampler: Sampler
  private var zones = SamplerZones()
  private var tuning: SamplerTuning
  private var drums: SamplerDrums
  private var glides = SamplerGlides()
  private var repeats: SamplerRepeats
  private var notes: SamplerNotes
  private var shortage: SamplerShortage

  init(_ synth: FluidSynth, _ configuration: SamplerConfiguration, _ requests: RingBuffer<PresetRequest>) {
    sampler = Sampler(synth, requests)
    tuning = SamplerTuning(polyphony: configuration.polyphony)
    drums = SamplerDrums(polyphony: configuration.polyphony)
    repeats = SamplerRepeats(polyphony: configuration.polyphony)
    notes = SamplerNotes(polyphony: configuration.polyphony)
    shortage = SamplerShortage(polyphony: configuration.polyphony)
  }

  static let entry: RenderFunction = { EngineCall.at($1).perform(on: $0, as: FluidSynthEngine.self) }

  @_noLocks
  mutating func play(_ event: EngineEvent) {
    guard event.message.kind == .noteOn else { return play(event, event.performance.pointee) }
    if event.number > 0 { notes.prepare(event, sampler.synth) }
    shortage.prepare(sampler.synth)
    sampler.hasRefused = false
    play(event, event.performance.pointee)
    shortage.follow(sampler.synth, isWhole: !sampler.hasRefused)
    if event.number > 0 { notes.follow(sampler.synth) }
  }

  @_noLocks
  private mutating func play(_ event: EngineEvent, _ performance: borrowing Performance) {
    zones.follow(performance, &sampler)
    let message = event.message
    if case .endSound(let channels) = event.action, message.controller != .allSoundOff {
      zones.begin(channels, message.channel, performance, &sampler)
    }
    // FluidSynth would allocate.
    guard !performance.selectsTuning(message) else { return }
    glides.prepare(event, sampler.synth)
    if message.kind == .noteOn { repeats.end(message.note, message.channel, performance, sampler.synth) }
    if message.kind != .systemExclusive, performance.zones.contain(message.channel) {
      zones.play(message, performance, &sampler)
    } else {
      sampler.play(message, performance, event.systemExclusive)
    }
    glides.finish(event, sampler.synth)
    sampler.followOffsets(event, performance)
    tuning.follow(event, performance, sampler.synth)
    if message.kind == .noteOn { drums.shape(message.note, message.channel, performance, sampler.synth) }
  }

  @_noLocks
  mutating func render(_ quantum: inout EngineQuantum) {
    if quantum.isRecording { notes.record(quantum, sampler.synth) }
    quantum.voiceCount &+= sampler.render(quantum.context)
    shortage.report(in: &quantum)
    if !sampler.isSilent { quantum.isSilent = false }
    if sampler.hasNewPresets { quantum.hasNewPresets = true }
    sampler.hasNewPresets = false
  }

  /// A voice that played before begins its first quantum at the gain left and right that it had, and not at that of the
  /// middle as that of a new synth does (FluidSynth 2.3).
  @_noLocks
  mutating func reset(_ reset: EngineReset) {
    notes.forget()
    glides.forget()
    guard case .some = reset.message else {
      sampler.reset()
      zones.follow(reset.performance.pointee, &sampler)
      return
    }
    zones.follow(reset.performance.pointee, &sampler)
    tuning.end()
    sampler.resetChannels()
  }

  /// Reads what it can from the FluidSynth that played before, which was told more than the performance holds.
  @_noLocks
  mutating func takeOver(_ handover: EngineHandover) {
    tuning.begin()
    if let predecessor = handover.predecessor {
      let old = predecessor.assumingMemoryBound(to: FluidSynthEngine.self)
      zones = old.pointee.zones
      sampler.takeOver(old.pointee.sampler, handover.performance.pointee)
    } else {
      sampler.takeOver(handover.performance.pointee)
      zones.follow(handover.performance.pointee, &sampler)
    }
  }

  @_noLocks
  func preset(ofChannel channel: Int) -> UInt32 {
    PresetIndex.code(of: fluid_synth_get_channel_preset(sampler.synth, Int32(channel)))
  }

  /// Loads the presets that were asked for, those of songs and, for a sampler that may play anything, those that
  /// channels have at first; and restricts program changes to them. [control thread]
  mutating func preload(
    _ songs: [Song], _ loading: EngineLoading<SamplerInstrument>, _ synth: FluidSynth
  ) throws(InstrumentError) {
    if loading.configuration.sampler.pool == nil {
      for channel in 0..<Int32(midiChannelCount) { synth.need(presetOfChannel: channel) }
    }
    for request in loading.askedPresets { synth.need(request) }
    for song in songs { preview(Timeline(song, sampleRate: loading.sampleRate), loading.parts, synth) }
    try synth.loadNeeded()
    sampler.restrict(to: synth.pinned)
  }

  /// Plays what decides which presets the notes of a timeline have, for these to be loaded, and returns to the initial
  /// state.
  private mutating func preview(
    _ timeline: Timeline, _ parts: [InstrumentPart<SamplerInstrument>], _ synth: FluidSynth
  ) {
    let box = Box(Performance())
    let performance = box.pointer
    for event in timeline.events {
      let message = event.message
      switch message.kind {
      case .noteOn:
        var delivery = PartDelivery(message, .other, to: performance.pointee)
        while let channel = delivery.next(performance.pointee)?.message.channel {
          let master = performance.pointee.zones.master(of: channel)
          // Of any key: songs are transposed as they play.
          if parts.contains(where: { $0.channels & 1 << UInt16(master) != 0 }) {
            synth.need(presetOfChannel: Int32(channel))
          }
        }
      case .controlChange where !message.controller.concernsPresets: break
      case .controlChange, .programChange, .systemExclusive, .registeredController:
        var delivery = PartDelivery(message, SystemExclusive(event.payload), to: performance.pointee)
        while let delivered = delivery.next(performance.pointee) {
          let played = EngineEvent(delivered.message, delivered.systemExclusive, followedBy: performance)
          if case .reset(let message) = played.systemExclusive {
            reset(EngineReset(UnsafePointer(performance), isComplete: false, message: message))
          } else {
            play(played)
          }
        }
      default: break
      }
    }
    performance.pointee.reset()
    reset(EngineReset(UnsafePointer(performance), isComplete: false))
    withExtendedLifetime(box) {}
  }
}

extension SamplerEngine {
  /// libfluidsynth: notes begin on its grid of 64 frames.
  public static let fluidSynth = SamplerEngine("fluidsynth") { loading throws(InstrumentError) in
    try FluidSynthEngine.load(loading)
  }
}

extension FluidSynthEngine {
  fileprivate static func load(
    _ loading: EngineLoading<SamplerInstrument>
  ) throws(InstrumentError) -> LoadedEngine {
    let configuration = loading.configuration.sampler
    let synth = try FluidSynth(configuration, sampleRate: loading.sampleRate)
    var engine = FluidSynthEngine(synth, configuration, loading.presetRequests)
    if case .used(let songs) = configuration.preload { try engine.preload(songs, loading, synth) }
    let presets = PresetIndex(synth.handle)
    return LoadedEngine(engine, retaining: [synth, loading.presetRequests]) { _, code in presets[code] }
  }
}
