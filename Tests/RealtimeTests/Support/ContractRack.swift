import AudioGraph
import Glibc
import SynthInstruments
import SynthMIDI
import SynthRealtime
import TestSupport
import Testing

/// An engine that is held to the contract: `EngineContractTests` play each alone in a rack.
enum ContractEngine: String, CaseIterable {
  case fluidSynth, native, oscillators, square

  func assignment(keys: ClosedRange<UInt8>) -> InstrumentAssignment {
    switch self {
    case .fluidSynth, .native: return InstrumentAssignment(.sampler, keys: keys)
    case .square: return InstrumentAssignment(SquareWave(amplitude: 0.5), keys: keys)
    case .oscillators:
      let patch = Patch(
        name: "sine", title: "Sine", description: "On and off at once", oscillators: [Patch.Oscillator(.sine)],
        amplitude: Patch.Envelope())
      return InstrumentAssignment(.patch(patch), keys: keys)
    }
  }
}

/// A rack with one engine, watched for violations, and its 16 buses added up.
final class ContractRack {
  let rack: RackNode
  private let engine: ContractEngine
  private let watched = WatchedEngine()
  private let sum = BusSumNode()
  private(set) var time: Int64 = 0

  init(_ engine: ContractEngine, keys: ClosedRange<UInt8> = 0...127, gain: Double = 0.25) throws {
    self.engine = engine
    rack = try RackNode(try Self.configuration(engine, keys: keys, gain: gain), sampleRate: 48000)
    let output = try OutputNode(channelCount: 2)
    try watched.engine.edit { [rack, sum] graph in
      for node in [rack, sum, output] as [any AudioNode] { try graph.attach(node) }
      for bus in 0..<16 { try graph.connect(rack, to: sum, fromBus: bus, toBus: bus) }
      try graph.connect(sum, to: output)
    }
    selectOrgan()
  }

  private static func configuration(
    _ engine: ContractEngine, keys: ClosedRange<UInt8>, gain: Double
  ) throws -> RackConfiguration {
    var sampler = SamplerConfiguration(soundFonts: [try TestFiles.soundFont], linearGain: gain)
    sampler.engine = engine == .fluidSynth ? .fluidSynth : .native
    return RackConfiguration(sampler: sampler, assignments: [engine.assignment(keys: keys)])
  }

  /// A preset of the soundfont that goes on while it is held, and ends soon when it is not.
  func selectOrgan() {
    for channel in UInt8(0)..<16 { play(.programChange(channel: channel, program: 16)) }
  }

  /// Another engine of the same kind takes this one's place.
  func exchange(gain: Double = 0.25) throws {
    try rack.exchange(try Self.configuration(engine, keys: 0...127, gain: gain))
  }

  func play(_ messages: MIDIMessage..., after frames: Int64 = 0) {
    for message in messages { #expect(rack.events.send(MIDIEvent(time: time + frames, message: message))) }
  }

  /// Sends a System Exclusive message, F0 and F7 left out.
  func play(systemExclusive bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { #expect(rack.events.send(systemExclusive: $0, time: time)) }
  }

  /// Starts over, at time 0.
  func reset() throws {
    try watched.engine.reset()
    time = 0
    selectOrgan()
  }

  /// The next frames, left and right.
  func render(_ frameCount: Int, sliceSize: Int = 64) -> [[Float]] {
    time += Int64(frameCount)
    let samples = watched.render(frameCount, sliceSize: sliceSize)
    #expect(watched.violations.isEmpty, "\(watched.violations)")
    #expect(sum.falselySilentCount == 0, "a bus that is marked as silent is not")
    return samples
  }

  /// Whether there is anything to hear, though notes may be held.
  func isAudible() -> Bool {
    _ = render(2400)
    return peak(render(4800).joined()) > 1e-4
  }

  /// Whether there is anything to hear, after what has been let go has had half a second to end.
  func isSounding() -> Bool {
    _ = render(24000)
    let peak = peak(render(4800).joined())
    // An engine that has fallen silent says so, and does not touch its buses.
    if peak == 0 { #expect(rack.activeVoiceCount == 0 && sum.soundingCount == 0) }
    return peak > 1e-4
  }
}

func peak(_ samples: some Sequence<Float>) -> Float { samples.reduce(0) { max($0, abs($1)) } }

/// The amplitude of a partial at the pitch of a key.
func partial(_ samples: [Float], key: Double) -> Double {
  let frequency = 440 * exp2((key - 69) / 12)
  var (real, imaginary) = (0.0, 0.0)
  for (index, sample) in samples.enumerated() {
    let angle = 2 * Double.pi * frequency * Double(index) / 48000
    let window = 1 - cos(2 * .pi * Double(index) / Double(samples.count))
    real += Double(sample) * window * cos(angle)
    imaginary += Double(sample) * window * sin(angle)
  }
  return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(samples.count)
}

/// Adds 16 stereo buses up, and looks whether those that are marked as silent are.
private final class BusSumNode: AudioNode {
  let name = "bus sum"
  let inputBusCount = 16
  let outputBusCount = 1
  private let kernel = Box(BusSumKernel())
  private let slot = KernelSlot<Int>()

  /// How many buses, in all quanta, were marked as silent and were not.
  var falselySilentCount: Int { kernel.pointer.pointee.falselySilentCount }
  /// How many buses of the last quantum were not marked as silent.
  var soundingCount: Int { kernel.pointer.pointee.soundingCount }

  func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] { [.stereo(sampleRate)] }

  func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: 0) { Kernel(kernel.pointer, retaining: [kernel], entry: BusSumKernel.entry) }
  }
}

private struct BusSumKernel {
  var falselySilentCount = 0
  var soundingCount = 0

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: UnsafeMutablePointer<BusSumKernel>.self).pointee.pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    soundingCount = 0
    let output = context.output(0)
    output.silence()
    output.isSilent = false
    for input in 0..<16 {
      let bus = context.input(input)
      var isZero = true
      for channel in 0..<2 {
        for frame in 0..<renderQuantum {
          output[channel][frame] += bus[channel][frame]
          if bus[channel][frame] != 0 { isZero = false }
        }
      }
      if bus.isSilent, !isZero { falselySilentCount &+= 1 }
      if !bus.isSilent { soundingCount &+= 1 }
    }
  }
}
