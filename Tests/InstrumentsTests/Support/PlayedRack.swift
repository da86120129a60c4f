import AudioGraph
import Glibc
import SynthInstruments
import SynthMIDI
import Testing

/// A rack and a mixer, pulled by hand, with a gain of 1.
final class PlayedRack {
  let rack: RackNode
  private let engine: AudioEngine
  private let mixer = MixerNode(inputBusCount: 16)
  private var time: Int64 = 0

  init(_ configuration: RackConfiguration, effects: EffectControls? = nil, sampleRate: Double = 48000) throws {
    engine = AudioEngine(sampleRate: sampleRate)
    rack = try RackNode(configuration, sampleRate: sampleRate, effects: effects)
    let output = try OutputNode(channelCount: 2)
    try engine.edit { [rack, mixer] graph in
      for node in [rack, mixer, output] as [any AudioNode] { try graph.attach(node) }
      for bus in 0..<16 { try graph.connect(rack, to: mixer, fromBus: bus, toBus: bus) }
      try graph.connect(mixer, to: output)
    }
  }

  convenience init(
    _ assignments: [InstrumentAssignment], soundFonts: [String] = [], polyphony: Int = 64,
    engine: SamplerEngine = .fluidSynth, effects: EffectControls? = nil
  ) throws {
    var sampler = SamplerConfiguration(soundFonts: soundFonts, linearGain: 1)
    sampler.engine = engine
    try self.init(
      RackConfiguration(sampler: sampler, assignments: assignments, polyphony: polyphony), effects: effects)
  }

  convenience init(_ patch: Patch, polyphony: Int = 64) throws {
    try self.init([InstrumentAssignment(.patch(patch))], polyphony: polyphony)
  }

  /// Has channel 1 on the left alone, and channel 2 on the right.
  func separateFirstChannels() {
    mixer.inputs[0].pan.value = -1
    mixer.inputs[1].pan.value = 1
  }

  /// Sends messages for a frame after those rendered so far.
  func play(_ messages: MIDIMessage..., after frames: Int64 = 0) {
    for message in messages { _ = rack.events.send(MIDIEvent(time: time + frames, message: message)) }
  }

  /// Sends a System Exclusive message, F0 and F7 left out.
  func play(systemExclusive bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { #expect(rack.events.send(systemExclusive: $0, time: time)) }
  }

  /// Starts over, at time 0.
  func reset() throws {
    try engine.reset()
    time = 0
  }

  /// The frame of the song that is rendered next.
  var songFrame: Double { rack.events.clock.songFrame(at: Double(time)) }

  /// The next frames of the left channel.
  func render(_ frameCount: Int) -> [Float] { renderStereo(frameCount).left }

  func renderStereo(_ frameCount: Int) -> (left: [Float], right: [Float]) {
    let buffer = SampleBuffer(channelCount: 2, frameCapacity: frameCount)
    do { try engine.render(buffer.slice(frameCount: frameCount)) } catch { Issue.record(error) }
    time += Int64(frameCount)
    return (Array(buffer.channel(0, frameCount: frameCount)), Array(buffer.channel(1, frameCount: frameCount)))
  }
}

extension Patch {
  /// One oscillator, on and off at once.
  static func bare(_ wave: Waveform = .sine) -> Patch {
    Patch(
      name: "bare", title: "Bare", description: "One oscillator", oscillators: [Oscillator(wave)],
      amplitude: Envelope())
  }
}

/// The root of the mean square.
func rms(_ samples: some Collection<Float>) -> Double {
  (samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(samples.count, 1))).squareRoot()
}

/// The amplitude of a partial.
func amplitude(_ samples: some Collection<Float>, _ frequency: Double) -> Double {
  var (real, imaginary, weight) = (0.0, 0.0, 0.0)
  for (index, sample) in samples.enumerated() {
    let angle = 2 * Double.pi * frequency * Double(index) / 48000
    let window = 1 - cos(2 * .pi * Double(index) / Double(samples.count))
    real += Double(sample) * window * cos(angle)
    imaginary += Double(sample) * window * sin(angle)
    weight += window
  }
  return 2 * (real * real + imaginary * imaginary).squareRoot() / weight
}

/// Rounded to one decimal, for printing.
func tenth(_ value: Double) -> Double { (value * 10).rounded() / 10 }
