import CSynthFluidSynth
import Glibc
import SynthMIDI
import SynthRealtime

/// libfluidsynth without our graph: due events, then `fluid_synth_process`, quantum by quantum.
final class BareFluidSynth {
  private let settings: OpaquePointer
  private let synth: OpaquePointer
  private let samples: UnsafeMutablePointer<Float>
  private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  private let outputCount: Int

  /// - Parameter pairCount: 1 mixes all channels in FluidSynth, as its own program does; 16 keeps them apart, as the
  ///   sampler node does.
  init(font: String, pairCount: Int) throws {
    guard let settings = new_fluid_settings() else { throw Failure(font: font) }
    fluid_settings_setnum(settings, "synth.sample-rate", Work.sampleRate)
    for (name, value) in [
      ("audio-channels", pairCount), ("audio-groups", pairCount), ("threadsafe-api", 0), ("reverb.active", 0),
      ("chorus.active", 0),
    ] {
      fluid_settings_setint(settings, "synth.\(name)", Int32(value))
    }
    guard let synth = new_fluid_synth(settings), fluid_synth_sfload(synth, font, 1) != FLUID_FAILED else {
      throw Failure(font: font)
    }
    self.settings = settings
    self.synth = synth
    outputCount = 2 * pairCount
    samples = .allocate(capacity: outputCount * renderQuantum)
    outputs = .allocate(capacity: outputCount)
    for output in 0..<outputCount { (outputs + output).initialize(to: samples + output * renderQuantum) }
  }

  deinit {
    delete_fluid_synth(synth)
    delete_fluid_settings(settings)
    samples.deallocate()
    outputs.deallocate()
  }

  var activeVoiceCount: Int { Int(fluid_synth_get_active_voice_count(synth)) }

  func reset() { fluid_synth_system_reset(synth) }

  /// Renders the next quantum.
  func render() {
    samples.update(repeating: 0, count: outputCount * renderQuantum)
    fluid_synth_process(synth, Int32(renderQuantum), 0, nil, Int32(outputCount), outputs)
  }

  /// A frame of the last quantum, all pairs added up.
  func mix(channel: Int, frame: Int) -> Float {
    stride(from: channel, to: outputCount, by: 2).reduce(0) { $0 + samples[$1 * renderQuantum + frame] }
  }

  func play(_ event: MIDIEvent) {
    let message = event.message
    let channel = Int32(message.channel)
    switch message.kind {
    case .noteOn: fluid_synth_noteon(synth, channel, Int32(message.note), Int32(message.velocity7))
    case .noteOff: fluid_synth_noteoff(synth, channel, Int32(message.note))
    case .polyPressure: fluid_synth_key_pressure(synth, channel, Int32(message.note), Int32(message.value7))
    case .channelPressure: fluid_synth_channel_pressure(synth, channel, Int32(message.value7))
    case .pitchBend: fluid_synth_pitch_bend(synth, channel, Int32(message.bend14))
    case .controlChange: fluid_synth_cc(synth, channel, Int32(message.controller.rawValue), Int32(message.value7))
    case .programChange: fluid_synth_program_change(synth, channel, Int32(message.program))
    case .systemExclusive:
      event.payload.withMemoryRebound(to: CChar.self) { bytes in
        _ = fluid_synth_sysex(synth, bytes.baseAddress, Int32(bytes.count), nil, nil, nil, 0)
      }
    default: break
    }
  }

  struct Failure: Error, CustomStringConvertible {
    let font: String
    var description: String { "loading soundfont \(font): FluidSynth cannot; give an .sf2 or .sf3 file" }
  }
}
