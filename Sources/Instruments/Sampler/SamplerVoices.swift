import AudioGraph
import CFluidSynth
import Realtime

/// FluidSynth rendered into channel buses. Owned by a kernel. [audio thread]
struct SamplerVoices: ~Copyable {
  /// FluidSynth's list of outputs: left and right of each channel.
  private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

  init() {
    outputs = .allocate(capacity: 2 * SamplerNode.channelCount)
    outputs.initialize(repeating: nil, count: 2 * SamplerNode.channelCount)
  }

  deinit { outputs.deallocate() }

  /// Clears away what the last song left behind, so that the next one sounds as it does on a new synth.
  @_noLocks
  func reset(_ synth: OpaquePointer, channelCount: Int) {
    fluid_synth_system_reset(synth)
    // The reset leaves voices sounding, and starts those anew that were turned off just before it.
    for channel in 0..<channelCount { fluid_synth_all_sounds_off(synth, Int32(channel)) }
  }

  /// Adds a quantum to silent buses, one a channel, and tells how many voices sound in it.
  @_noLocks
  func render(_ synth: OpaquePointer, _ context: RenderContext) -> Int {
    let voiceCount = Int(fluid_synth_get_active_voice_count(synth))
    guard voiceCount > 0 else { return 0 }
    for channel in 0..<context.outputBusCount {
      outputs[2 &* channel] = context.output(channel)[0]
      outputs[2 &* channel &+ 1] = context.output(channel)[1]
    }
    fluid_synth_process(synth, Int32(renderQuantum), 0, nil, Int32(2 &* context.outputBusCount), outputs)
    for channel in 0..<context.outputBusCount {
      let bus = context.output(channel)
      bus.isSilent = isSilent(bus[0], count: 2 &* renderQuantum)
    }
    return voiceCount
  }
}

/// Whether all samples are zero. FluidSynth does not say which channels sound.
@_noLocks
private func isSilent(_ samples: UnsafeMutablePointer<Float>, count: Int) -> Bool {
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
