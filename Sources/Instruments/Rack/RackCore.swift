import AudioGraph
import MIDI

/// The instruments of a rack: which of them plays an event is decided here, and one quantum of each goes into the buses.
/// [audio thread]
struct RackCore: ~Copyable {
  /// Nil where no channel plays it.
  let sampler: UnsafeMutablePointer<Sampler>?
  private(set) var voices: VoiceRenderer
  private var samplerZones = SamplerZones()
  private let samplerKeys: UnsafeMutablePointer<SIMD2<UInt64>>

  init(_ configuration: RackConfiguration, _ synth: FluidSynth?, sampleRate: Double) {
    let routing = RackRouting(configuration.assignments)
    sampler = synth.map { synth in
      let memory = UnsafeMutablePointer<Sampler>.allocate(capacity: 1)
      memory.initialize(to: Sampler(synth))
      return memory
    }
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
    guard let sampler else { return }
    samplerZones.follow(voices.allocator.zones, voices.allocator.channels, &sampler.pointee)
    guard isForSampler(event.message) else { return }
    if voices.allocator.zones.contain(event.message.channel), event.payloadCount == 0 {
      samplerZones.play(event, voices.allocator.channels, &sampler.pointee)
    } else {
      sampler.pointee.play(event)
    }
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

  /// Makes everything that channels were told, notes apart, the same as in a core that played before.
  @_noLocks
  mutating func takeOver(_ old: UnsafePointer<RackCore>) {
    voices.allocator.takeOver(old.pointee.voices.allocator.channels, old.pointee.voices.allocator.zones)
    guard let sampler else { return }
    if let oldSampler = old.pointee.sampler {
      samplerZones = old.pointee.samplerZones
      sampler.pointee.takeOver(oldSampler)
    } else {
      sampler.pointee.takeOver(voices.allocator.channels)
      samplerZones.follow(voices.allocator.zones, voices.allocator.channels, &sampler.pointee)
    }
  }

  /// Notes by their key; all else reaches every instrument, so that each knows the controllers.
  @_noLocks
  private func isForSampler(_ message: MIDIMessage) -> Bool {
    switch message.kind {
    case .noteOn, .noteOff, .polyPressure:
      let keys = samplerKeys[Int(voices.allocator.zones.master(of: message.channel))]
      return (message.note < 64 ? keys.x : keys.y) & (1 &<< UInt64(message.note & 63)) != 0
    default: return true
    }
  }
}
