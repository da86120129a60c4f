import CSynthFluidSynth
import SynthMIDI
import SynthRealtime
import TestSupport

@testable import SynthFluidSynth
@testable import SynthInstruments

/// FluidSynth as an engine, and the performance it follows; all keys are for it.
final class PlayedSampler {
  let synth: FluidSynth
  private let box = Box(Performance())
  private let requests = RingBuffer<PresetRequest>(minimumCapacity: 1)
  private var engine: FluidSynthEngine

  init(_ font: String) throws {
    let configuration = SamplerConfiguration(soundFonts: [font])
    synth = try FluidSynth(configuration, sampleRate: 48000)
    engine = FluidSynthEngine(synth, configuration, requests)
  }

  private var performance: UnsafeMutablePointer<Performance> { box.pointer }

  func play(_ messages: MIDIMessage...) {
    for message in messages { engine.play(EngineEvent(message, followedBy: performance)) }
  }

  func play(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer {
      let event = EngineEvent(.systemExclusive, SystemExclusive($0), followedBy: performance)
      if case .reset(let message) = event.systemExclusive {
        engine.reset(EngineReset(UnsafePointer(performance), isComplete: false, message: message))
      } else {
        engine.play(event)
      }
    }
  }

  func reset() {
    performance.pointee.reset()
    engine.reset(EngineReset(UnsafePointer(performance), isComplete: false))
  }

  /// Bank and program of a channel.
  func program(of channel: Int32) -> [Int32] {
    var (font, bank, program): (Int32, Int32, Int32) = (0, 0, 0)
    fluid_synth_get_program(synth.handle, channel, &font, &bank, &program)
    return [bank, program]
  }

  func bend(of channel: Int32) -> Int32 {
    var value: Int32 = 0
    fluid_synth_get_pitch_bend(synth.handle, channel, &value)
    return value
  }

  func bendRange(of channel: Int32) -> Int32 {
    var value: Int32 = 0
    fluid_synth_get_pitch_wheel_sens(synth.handle, channel, &value)
    return value
  }
}
