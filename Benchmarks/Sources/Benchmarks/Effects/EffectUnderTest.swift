import AudioGraph
import CSynthFluidSynth
import SynthRealtime

/// A reverb or a chorus that is given a mono signal and gives what it makes of it, left and right, without the signal.
protocol EffectUnderTest {
  var name: String { get }
  /// What the effect makes of a signal from its beginning, and the same number of frames after it.
  func response(to signal: [Float]) throws -> [[Float]]
  /// Renders quanta in which the effect has noise to work on; and the same without the effect.
  func work() throws -> (with: Work, without: Work)
}

/// A node of the library.
struct NodeUnderTest: EffectUnderTest {
  let name: String
  let make: () -> any AudioNode

  func response(to signal: [Float]) throws -> [[Float]] {
    let engine = AudioEngine(sampleRate: Work.sampleRate)
    let played = Played(signal)
    let node = make()
    try engine.edit { graph in
      let output = try OutputNode(channelCount: 2)
      for node in [played.node, node, output] { try graph.attach(node) }
      try graph.connect(played.node, to: node)
      try graph.connect(node, to: output)
    }
    let buffer = try engine.render(frameCount: 2 * signal.count)
    return withExtendedLifetime(played) { buffer.channels.map(Array.init) }
  }

  func work() throws -> (with: Work, without: Work) {
    func work(_ node: any AudioNode) throws -> Work {
      try Work { graph in
        let source = noise()
        try graph.attach(source)
        try graph.attach(node)
        try graph.connect(source, to: node)
        return node
      }
    }
    return (try work(make()), try work(EmptyNode()))
  }
}

/// A signal as a node.
private final class Played {
  let node: SourceNode
  private let samples: UnsafeMutableBufferPointer<Float>

  init(_ signal: [Float]) {
    let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: signal.count)
    _ = samples.initialize(from: signal)
    self.samples = samples
    nonisolated(unsafe) let source = UnsafeBufferPointer(samples)
    node = SourceNode(format: .mono(Work.sampleRate)) { request in
      for frame in 0..<request.frameCount {
        let time = Int(request.sampleTime) + frame
        request.buffers[0][frame] = time < source.count ? source[time] : 0
      }
    }
  }

  deinit { samples.deallocate() }
}

/// FluidSynth's own, as it is unless somebody changes it.
struct FluidSynthUnderTest: EffectUnderTest {
  enum Effect { case reverb, chorus }

  let effect: Effect

  var name: String { "FluidSynth \(fluid_version_str().map { String(cString: $0) } ?? "")" }

  /// The attack of a note is over after so many frames, a whole number of quanta.
  private static let attack = 4800

  func response(to signal: [Float]) throws -> [[Float]] {
    let synth = try Synth(effect, isOn: true, signal: [Float](repeating: 0, count: Self.attack) + signal)
    fluid_synth_noteon(synth.handle, 0, 60, 127)
    synth.render(Self.attack / renderQuantum)
    var channels: [[Float]] = [[], []]
    for _ in 0..<2 * signal.count / renderQuantum {
      synth.render(1)
      for channel in 0..<2 { channels[channel] += synth.wet(channel) }
    }
    return channels
  }

  func work() throws -> (with: Work, without: Work) {
    let noise = (0..<1 << 20).map { _ in Float.random(in: -0.1...0.1) }
    let works = try [true, false].map { isOn in
      let synth = try Synth(effect, isOn: isOn, signal: noise)
      var quanta = 0
      return Work { quantumCount in
        for _ in 0..<quantumCount {
          if quanta % (noise.count / renderQuantum) == 0 { fluid_synth_noteon(synth.handle, 0, 60, 127) }
          quanta += 1
          synth.render(1)
        }
      }
    }
    return (works[0], works[1])
  }

  private final class Synth {
    let handle: OpaquePointer
    private let settings: OpaquePointer
    private let font: SampleFont
    private var buffer = AudioBuffer(
      format: AudioFormat(sampleRate: Work.sampleRate, channelCount: 6), frameCount: renderQuantum)
    private let firstWet: Int

    init(_ effect: Effect, isOn: Bool, signal: [Float]) throws {
      firstWet = effect == .reverb ? 2 : 4
      guard let settings = new_fluid_settings() else { throw Missing() }
      fluid_settings_setnum(settings, "synth.sample-rate", Work.sampleRate)
      fluid_settings_setnum(settings, "synth.gain", 1)
      fluid_settings_setint(settings, "synth.threadsafe-api", 0)
      fluid_settings_setint(settings, "synth.reverb.active", effect == .reverb && isOn ? 1 : 0)
      fluid_settings_setint(settings, "synth.chorus.active", effect == .chorus && isOn ? 1 : 0)
      guard let handle = new_fluid_synth(settings) else { throw Missing() }
      (self.settings, self.handle) = (settings, handle)
      font = SampleFont(signal, sampleRate: Work.sampleRate, to: effect == .reverb ? GEN_REVERBSEND : GEN_CHORUSSEND)
      font.add(to: handle)
    }

    deinit {
      delete_fluid_synth(handle)
      delete_fluid_settings(settings)
    }

    func render(_ quantumCount: Int) {
      buffer.withRenderSlice { slice in
        for _ in 0..<quantumCount {
          for channel in 0..<6 { slice.channels[channel].update(repeating: 0, count: renderQuantum) }
          var dry = (0..<2).map { Optional(slice.channels[$0]) }
          var wet = (2..<6).map { Optional(slice.channels[$0]) }
          fluid_synth_process(handle, Int32(renderQuantum), 4, &wet, 2, &dry)
        }
      }
    }

    func wet(_ channel: Int) -> AudioBuffer.Channel { buffer[firstWet + channel] }
  }

  struct Missing: Error, CustomStringConvertible {
    var description: String { "making a FluidSynth: it cannot be made; is there memory left?" }
  }
}
