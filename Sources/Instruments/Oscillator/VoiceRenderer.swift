import AudioGraph
import DSP
import MIDI
import Realtime

/// Plays messages on the voices of its parts, and renders them a quantum at a time. [audio thread]
struct VoiceRenderer: ~Copyable {
  var allocator: VoiceAllocator
  private let blocks: UnsafeMutablePointer<VoiceBlock>
  private let patches: PatchTable
  private let memory: RenderMemory
  /// What each channel's left and right gain were at the end of the last quantum.
  private let gains: UnsafeMutablePointer<SIMD2<Float>>
  private let gain: Float
  private let rate: RenderRate

  init(_ routing: RackRouting, polyphony: Int, gain: Double, sampleRate: Double) {
    allocator = VoiceAllocator(polyphony: polyphony, parts: routing.parts)
    patches = PatchTable(routing.patches, sampleRate: sampleRate)
    blocks = .allocate(capacity: allocator.capacity)
    blocks.initialize(repeating: VoiceBlock(), count: allocator.capacity)
    memory = RenderMemory(
      samples: .allocate(capacity: renderQuantum), left: .allocate(capacity: renderQuantum),
      right: .allocate(capacity: renderQuantum))
    gains = .allocate(capacity: 16)
    gains.initialize(repeating: SIMD2(repeating: .nan), count: 16)
    self.gain = Float(gain)
    rate = RenderRate(sampleRate: sampleRate)
  }

  deinit {
    blocks.deallocate()
    memory.samples.deallocate()
    memory.left.deallocate()
    memory.right.deallocate()
    gains.deallocate()
  }

  /// Voices that sound, those that fade left out.
  var voiceCount: Int {
    @_noLocks get { allocator.voiceCount }
  }

  /// Returns everything to what it is when made; what sounds ends.
  @_noLocks
  mutating func clear() {
    allocator.clear()
    for group in 0..<allocator.capacity { blocks[group] = VoiceBlock() }
    for channel in 0..<16 { gains[channel] = SIMD2(repeating: .nan) }
  }

  /// Plays a message at a frame of the next quantum to be rendered.
  @_noLocks
  mutating func play(_ message: MIDIMessage, frame: Int) {
    allocator.play(message, frame: UInt8(truncatingIfNeeded: min(max(frame, 0), renderQuantum &- 1)))
  }

  /// Adds a quantum to the buses, one a channel; one that is silent is written over.
  @_noLocks
  mutating func render(_ context: RenderContext) {
    guard allocator.groupCount > 0 else { return }
    for channel in 0..<min(context.outputBusCount, 16) {
      if sumVoices(UInt8(truncatingIfNeeded: channel)) {
        mix(channel, into: context.output(channel))
      } else {
        gains[channel] = SIMD2(repeating: .nan)
      }
    }
  }

  /// Renders the groups of a channel into the sums; false when there are none.
  @_noLocks
  private mutating func sumVoices(_ channel: UInt8) -> Bool {
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
      render(group, channel)
    }
    return hasVoices
  }

  @_noLocks
  private mutating func render(_ group: Int, _ channel: UInt8) {
    let slots = allocator.slots + group &* VoiceGroup.width
    let patch = patches[allocator.parts[Int(allocator.groups[group].part)].patch]
    let block = blocks + group
    let inputs = ChannelInputs(of: channel, allocator, patch.pointee, rate)
    let envelopes = EnvelopeShapes(patch.pointee, inputs)
    for lane in 0..<8 where slots[lane].isNew { block.pointee.start(lane, slots[lane], patch.pointee, envelopes) }
    let controls = block.pointee.advance(patch.pointee, envelopes, LaneInputs(slots), inputs)
    block.pointee.render(patch.pointee, controls, memory)
    for lane in 0..<8 where !slots[lane].isFree { follow(group, lane) }
  }

  /// Tells the allocator how loud a voice is, or that it is over.
  @_noLocks
  private mutating func follow(_ group: Int, _ lane: Int) {
    let index = group &* VoiceGroup.width &+ lane
    allocator.slots[index].isNew = false
    let level = blocks[group].amplitude.level[lane]
    let isRising = blocks[group].amplitude.isRising(lane)
    let isFaded = blocks[group].fade[lane] <= 0
    // Below −90 dB of its own height it is over, also if it is held and has died away.
    if isFaded || (level < 3.2e-5 && !isRising && !allocator.slots[index].isFading) {
      allocator.finish(index)
    } else {
      allocator.slots[index].level = (isRising ? 1 : level) * blocks[group].loudness[lane]
    }
  }

  /// Adds the sums of a channel to its bus, by volume, expression and pan.
  @_noLocks
  private func mix(_ channel: Int, into bus: Bus) {
    let target = gain(of: channel)
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

  /// Volume and expression as squares (GM2, 40·log₁₀), pan with constant power.
  @_noLocks
  private func gain(of channel: Int) -> SIMD2<Float> {
    let own = allocator.channels[channel]
    var level = own.volume * own.expression
    let master = Int(allocator.zones.master(of: UInt8(truncatingIfNeeded: channel)))
    if master != channel { level *= allocator.channels[master].volume * allocator.channels[master].expression }
    return SIMD2(squareRoot(1 - own.pan), squareRoot(own.pan)) * (gain * level * level)
  }
}
