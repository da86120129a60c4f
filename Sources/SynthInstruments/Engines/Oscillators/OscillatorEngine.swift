import AudioGraph
import SynthDSP
import SynthMIDI
import SynthRealtime

/// The oscillator instruments as a sound engine: the voices of all patches of a rack. [audio thread]
struct OscillatorEngine: SoundEngine, ~Copyable {
  private var allocator: VoiceAllocator
  private let blocks: UnsafeMutablePointer<VoiceBlock>
  private let patches: PatchTable
  private let memory: RenderMemory
  /// What each channel's left and right gain were at the end of the last quantum.
  private let gains: UnsafeMutablePointer<SIMD2<Float>>
  private let rate: RenderRate

  init(_ loading: EngineLoading<Patch>) {
    let (configuration, sampleRate) = (loading.configuration, loading.sampleRate)
    let parts = loading.parts.enumerated().map { VoicePart($1.instrument, index: $0) }
    allocator = VoiceAllocator(polyphony: configuration.polyphony, parts: parts)
    patches = PatchTable(loading.parts.map(\.instrument), sampleRate: sampleRate)
    blocks = .allocate(capacity: allocator.capacity)
    blocks.initialize(repeating: VoiceBlock(), count: allocator.capacity)
    memory = RenderMemory(
      samples: .allocate(capacity: renderQuantum), left: .allocate(capacity: renderQuantum),
      right: .allocate(capacity: renderQuantum))
    gains = .allocate(capacity: 16)
    gains.initialize(repeating: SIMD2(repeating: .nan), count: 16)
    rate = RenderRate(sampleRate: sampleRate)
  }

  deinit {
    blocks.deallocate()
    memory.samples.deallocate()
    memory.left.deallocate()
    memory.right.deallocate()
    gains.deallocate()
  }

  static let entry: RenderFunction = { EngineCall.at($1).perform(on: $0, as: OscillatorEngine.self) }

  @_noLocks
  mutating func play(_ event: EngineEvent) { allocator.play(event, event.performance.pointee) }

  @_noLocks
  mutating func reset(_ reset: EngineReset) {
    guard reset.isComplete else { return allocator.reset() }
    allocator.clear()
    for group in 0..<allocator.capacity { blocks[group] = VoiceBlock() }
    for channel in 0..<16 { gains[channel] = SIMD2(repeating: .nan) }
  }

  /// Glides begin at the key that was struck last.
  @_noLocks
  mutating func takeOver(_ handover: EngineHandover) {
    for channel in 0..<midiChannelCount {
      allocator.histories[channel].lastKey = handover.performance.pointee.channels[channel].lastKey
    }
    guard let predecessor = handover.predecessor else { return }
    let old = predecessor.assumingMemoryBound(to: OscillatorEngine.self)
    for channel in 0..<midiChannelCount {
      allocator.histories[channel].lastKey = old.pointee.allocator.histories[channel].lastKey
    }
  }

  @_noLocks
  mutating func render(_ quantum: inout EngineQuantum) {
    quantum.voiceCount &+= allocator.voiceCount
    quantum.lostVoiceCount &+= allocator.lostVoiceCount
    quantum.stolenVoiceCount &+= allocator.stolenVoiceCount
    (allocator.lostVoiceCount, allocator.stolenVoiceCount) = (0, 0)
    guard allocator.groupCount > 0 else { return }
    if quantum.isRecording { record(quantum) }
    for channel in 0..<min(quantum.context.outputBusCount, 16) {
      if sumVoices(UInt8(truncatingIfNeeded: channel), quantum.performance.pointee) {
        mix(channel, quantum.amplitude(ofChannel: channel), into: quantum.context.output(channel))
      } else {
        gains[channel] = SIMD2(repeating: .nan)
      }
    }
    if allocator.groupCount > 0 { quantum.isSilent = false }
  }

  /// Tells which notes sound.
  @_noLocks
  private func record(_ quantum: EngineQuantum) {
    for index in 0..<allocator.slotCount where !allocator.slots[index].isFree {
      let voice = allocator.slots[index]
      quantum.sounds(voice.number, from: voice.isNew ? Int(voice.startFrame) : 0)
      if voice.isStolen { quantum.stole(voice.number) }
    }
  }

  /// Renders the groups of a channel into the sums; false without any.
  @_noLocks
  private mutating func sumVoices(_ channel: UInt8, _ performance: borrowing Performance) -> Bool {
    var hasVoices = false
    for group in 0..<allocator.groupCount
    where allocator.groups[group].lanes != 0 && allocator.groups[group].channel == channel {
      if !hasVoices {
        for index in 0..<renderQuantum {
          memory.left[index] = SIMD8(repeating: 0)
          memory.right[index] = SIMD8(repeating: 0)
        }
      }
      hasVoices = true
      render(group, channel, performance)
    }
    return hasVoices
  }

  @_noLocks
  private mutating func render(_ group: Int, _ channel: UInt8, _ performance: borrowing Performance) {
    let slots = allocator.slots + group &* VoiceGroup.width
    let patch = patches[allocator.parts[Int(allocator.groups[group].part)].patch]
    let block = blocks + group
    let inputs = ChannelInputs(of: channel, performance, patch.pointee, rate)
    let envelopes = EnvelopeShapes(patch.pointee, inputs)
    for lane in 0..<8 where slots[lane].isNew { block.pointee.start(lane, slots[lane], patch.pointee, envelopes) }
    let controls = block.pointee.advance(patch.pointee, envelopes, LaneInputs(slots), inputs)
    block.pointee.render(patch.pointee, controls, memory)
    for lane in 0..<8 where !slots[lane].isFree { follow(group, lane) }
  }

  /// Tells the allocator how loud a voice is, or that it has ended.
  @_noLocks
  private mutating func follow(_ group: Int, _ lane: Int) {
    let index = group &* VoiceGroup.width &+ lane
    allocator.slots[index].isNew = false
    let level = blocks[group].amplitude.level[lane]
    let isRising = blocks[group].amplitude.isRising(lane)
    let isFaded = blocks[group].fade[lane] <= 0
    // Below −90 dB of its peak it has ended, even if its key is held.
    if isFaded || (level < 3.2e-5 && !isRising && !allocator.slots[index].isFading) {
      allocator.finish(index)
    } else {
      allocator.slots[index].level = (isRising ? 1 : level) * blocks[group].loudness[lane]
    }
  }

  /// Adds the sums of a channel to its bus, with a linear ramp of the gain.
  @_noLocks
  private func mix(_ channel: Int, _ target: SIMD2<Float>, into bus: Bus) {
    let start = gains[channel].x.isNaN ? target : gains[channel]
    let step = (target - start) * (1 / Float(Int32(renderQuantum)))
    gains[channel] = target
    let isAdding = !bus.isSilent
    let (left, right) = (bus[0], bus.channelCount > 1 ? bus[1] : bus[0])
    var gain = start
    for index in 0..<renderQuantum {
      gain += step
      left[index] = memory.left[index].sum() * gain.x + (isAdding ? left[index] : 0)
      right[index] = memory.right[index].sum() * gain.y + (isAdding ? right[index] : 0)
    }
    bus.isSilent = false
  }
}

extension Patch: Instrument {
  public static func load(_ loading: EngineLoading<Patch>) throws(InstrumentError) -> LoadedEngine {
    // A monophonic patch glides from every key of its channel, also from those of other instruments.
    LoadedEngine(OscillatorEngine(loading), receivesAllNotes: true)
  }
}

extension Instrument where Self == Patch {
  /// An oscillator instrument.
  public static func patch(_ patch: Patch) -> Patch { patch }
}
