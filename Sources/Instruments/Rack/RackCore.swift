import AudioGraph
import CFluidSynth
import MIDI
import Realtime

/// The instruments of a rack: which of them plays an event is decided here, and one quantum of each goes into the buses.
/// [audio thread]
struct RackCore: ~Copyable {
  /// Nil where no channel plays it.
  let sampler: UnsafeMutablePointer<Sampler>?
  private(set) var voices: VoiceRenderer
  private var samplerZones = SamplerZones()
  private var samplerTuning: SamplerTuning
  private let samplerKeys: UnsafeMutablePointer<SIMD2<UInt64>>

  init(
    _ configuration: RackConfiguration, _ synth: FluidSynth?, _ requests: RingBuffer<PresetRequest>, sampleRate: Double
  ) {
    let routing = RackRouting(configuration.assignments)
    sampler = synth.map { synth in
      let memory = UnsafeMutablePointer<Sampler>.allocate(capacity: 1)
      memory.initialize(to: Sampler(synth, requests))
      return memory
    }
    samplerTuning = SamplerTuning(polyphony: configuration.sampler.polyphony)
    voices = VoiceRenderer(
      routing, polyphony: configuration.polyphony, gain: configuration.sampler.gain, sampleRate: sampleRate)
    samplerKeys = .allocate(capacity: RackNode.channelCount)
    for channel in 0..<RackNode.channelCount { (samplerKeys + channel).initialize(to: routing.samplerKeys[channel]) }
  }

  deinit {
    samplerKeys.deallocate()
    sampler?.deinitialize(count: 1)
    sampler?.deallocate()
  }

  @_noLocks
  mutating func play(_ event: MIDIEvent, at frame: Int64) {
    if isSystemReset(event.payload) { voices.allocator.reset() }
    // What is late is due at once.
    voices.play(event.message, frame: frame < 0 ? 0 : Int(frame))
    let tuned = voices.allocator.tune(event.payload)
    guard let sampler else { return }
    samplerZones.follow(voices.allocator.zones, voices.allocator.channels, &sampler.pointee)
    guard isForSampler(event.message) else { return }
    if voices.allocator.zones.contain(event.message.channel), event.payloadCount == 0 {
      samplerZones.play(event, voices.allocator.channels, &sampler.pointee)
    } else {
      sampler.pointee.play(event)
    }
    samplerTuning.follow(event.message, tuned, voices.allocator, sampler.pointee.synth)
  }

  /// Plays an event to what sounds already: a key that is struck again is let go, and no program changes.
  @_noLocks
  mutating func playOut(_ event: MIDIEvent, at frame: Int64) {
    let message = event.message
    switch message.kind {
    case .noteOn:
      let noteOff = MIDIMessage.noteOff(channel: message.channel, note: message.note, velocity7: 0)
      play(MIDIEvent(time: event.time, message: noteOff), at: frame)
    case .programChange: break
    default: play(event, at: frame)
    }
  }

  /// Adds a quantum to the buses, one a channel.
  ///
  /// - Returns: how many voices sound in it.
  @_noLocks
  mutating func render(_ context: RenderContext) -> Int {
    var voiceCount = voices.voiceCount
    if let sampler { voiceCount &+= sampler.pointee.render(context) }
    voices.render(context)
    return voiceCount
  }

  /// Whether nothing sounds and nothing fades.
  var isSilent: Bool {
    @_noLocks get { voices.allocator.groupCount == 0 && (sampler?.pointee.isSilent ?? true) }
  }

  /// Clears away what the last song left behind, so that the next one sounds as it does on a new rack.
  @_noLocks
  mutating func reset() {
    voices.allocator.reset()
    guard let sampler else { return }
    sampler.pointee.reset()
    samplerZones.follow(voices.allocator.zones, voices.allocator.channels, &sampler.pointee)
  }

  /// As `reset`, but what sounds is not even faded.
  @_noLocks
  mutating func clear() {
    voices.clear()
    reset()
  }

  /// Makes everything that channels were told, notes apart, the same as in a core that played before.
  @_noLocks
  mutating func takeOver(_ old: UnsafePointer<RackCore>) {
    voices.allocator.takeOver(old.pointee.voices.allocator)
    samplerTuning.begin()
    guard let sampler else { return }
    if let oldSampler = old.pointee.sampler {
      samplerZones = old.pointee.samplerZones
      sampler.pointee.takeOver(oldSampler)
    } else {
      sampler.pointee.takeOver(voices.allocator.channels)
      samplerZones.follow(voices.allocator.zones, voices.allocator.channels, &sampler.pointee)
    }
  }

  /// Plays what decides which presets the notes of a timeline have, and then returns to what it is at first.
  /// [control thread]
  ///
  /// - Parameter note: called with the channel of each note the sampler will play.
  mutating func preview<Failure>(_ timeline: Timeline, note: (Int32) throws(Failure) -> Void) throws(Failure) {
    for event in timeline.events {
      switch event.message.kind {
      case .noteOn: if isForSampler(event.message) { try note(Int32(event.message.channel)) }
      case .controlChange where !event.message.controller.concernsPresets: break
      case .controlChange, .programChange, .systemExclusive, .registeredController: play(event, at: 0)
      default: break
      }
    }
    reset()
    voices.allocator.tuning = TuningTable()
  }

  /// Tells which presets the channels have, where one may have got another.
  @_noLocks
  func publish(_ presets: PresetNews, serial: UInt32) {
    if let sampler {
      guard sampler.pointee.hasNewPresets else { return }
      sampler.pointee.hasNewPresets = false
    }
    for channel in 0..<midiChannelCount {
      guard let sampler, samplerKeys[channel] != SIMD2(0, 0) else {
        presets.publish(nil, ofChannel: channel, serial: serial)
        continue
      }
      let preset = fluid_synth_get_channel_preset(sampler.pointee.synth, Int32(channel))
      presets.publish(preset, ofChannel: channel, serial: serial)
    }
  }

  /// Notes by their key; all else reaches every instrument, so that each knows the controllers.
  @_noLocks
  private func isForSampler(_ message: MIDIMessage) -> Bool {
    switch message.kind {
    case .noteOn, .noteOff, .polyPressure:
      let keys = samplerKeys[Int(voices.allocator.zones.master(of: message.channel))]
      return (message.note < 64 ? keys.x : keys.y) & (1 &<< UInt64(message.note & 63)) != 0
    default: return !voices.allocator.selectsTuning(message)
    }
  }
}

extension Controller {
  /// Whether it may decide which preset a channel gets: banks, MPE zones, modes, resets.
  fileprivate var concernsPresets: Bool {
    switch self {
    case .bankSelect, .bankSelectLSB, .dataEntry, .dataEntryLSB, .resetAllControllers: true
    case .registeredParameter, .registeredParameterLSB, .assignableParameter, .assignableParameterLSB: true
    case .omniOff, .omniOn, .monoOn, .polyOn: true
    default: false
    }
  }
}
