import AudioGraph
import Synchronization
import SynthMIDI
import SynthRealtime
import SynthSoundFonts

/// Plays a soundfont, or audio files as an instrument, by calls: what `AVAudioUnitSampler` is.
///
///     let piano = try SamplerNode(sampleRate: engine.sampleRate)
///     try piano.load("piano.sf2")
///     piano.noteOn(60)
///     piano.noteOff(60, at: 48000)
///
/// `load` takes a soundfont, an audio file or a folder of audio files, whose names or chunks say the keys
/// (docs/soundfonts.md). Notes and controllers come from any thread, and are played at the next quantum or at a time in
/// frames of the engine. A song or a `Sequencer` plays by `events`. `RackNode` has what this lacks: several instruments
/// side by side.
public final class SamplerNode: AudioNode, SequencerDestination {
  /// Which output buses a sampler has.
  public enum Outputs: String, Sendable, CaseIterable {
    /// One, with the sum of all channels.
    case stereo
    /// One for each of the 16 MIDI channels.
    case channels
  }

  public let name: String
  public let inputBusCount = 0
  /// 1, or 16 for `Outputs.channels`.
  public let outputBusCount: Int
  /// Of the whole, over 20 ms. At 0 dB a stereo sample is as loud as its file at velocity 127 and the volume that
  /// channels have at first, 100; a mono one has 3 dB less on either side.
  public let gain = Parameter("gain", unit: .decibels, range: -120...24, default: 0)
  /// What it renders at, in hertz; the graph converts where the engine has another rate.
  public let sampleRate: Double
  /// What plays soundfonts.
  public let engine: SamplerEngine
  let rack: RackNode
  let told = CheckedMutex(SamplerSettings())
  private let engineRate: Atomic<UInt64>
  private let lostCount = Atomic<Int>(0)
  private let slot = KernelSlot<Int>()

  /// A sampler that plays nothing until something is loaded. [control thread]
  ///
  /// - Parameters:
  ///   - sampleRate: in hertz, 8000 to 96000; best the engine's.
  ///   - engine: `native` begins each note on its frame.
  ///   - polyphony: how many voices may sound at once, 1 to 4096.
  /// - Throws: `InstrumentError.sampleRateOutOfRange`.
  public init(
    name: String = "sampler", sampleRate: Double = 48000, outputs: Outputs = .stereo, engine: SamplerEngine = .native,
    polyphony: Int = 256
  ) throws(InstrumentError) {
    // A channel's first volume is 3 dB below the highest; FluidSynth 2.3 adds 0.4 dB at the highest of all.
    let gain = 2.0.squareRoot() * (engine == .native ? 0.954_992_586 : 1)
    var configuration = SamplerConfiguration(soundFonts: [], polyphony: polyphony, linearGain: gain)
    configuration.engine = engine
    rack = try RackNode(configuration, sampleRate: sampleRate)
    outputBusCount = outputs == .stereo ? 1 : RackNode.channelCount
    engineRate = Atomic(sampleRate.bitPattern)
    (self.name, self.sampleRate, self.engine) = (name, sampleRate, engine)
  }

  public var parameters: [Parameter] { [gain] }

  /// What it plays, at times in frames of `sampleRate`: for songs and sequencers.
  public var events: EventInput { rack.events }

  /// How many voices sounded in the last quantum. [any thread]
  public var activeVoiceCount: Int { rack.activeVoiceCount }

  /// How many messages were lost, because 4096 waited already. [any thread]
  public var lostMessageCount: Int { lostCount.load(ordering: .relaxed) }

  /// Sends a message to be played at a frame of the engine; nil, or a time that has passed, is the next quantum. Those
  /// of one time are played in the order they were sent in. [any thread]
  ///
  /// - Returns: false if it was lost.
  @discardableResult
  public func send(_ message: MIDIMessage, at time: Int64? = nil) -> Bool {
    count(rack.events.send(MIDIEvent(time: rackTime(time), message: message)))
  }

  /// A System Exclusive message, without F0 and F7.
  func send(systemExclusive bytes: [UInt8]) {
    _ = count(bytes.withUnsafeBufferPointer { rack.events.send(systemExclusive: $0, time: 0) })
  }

  private func count(_ isSent: Bool) -> Bool {
    if !isSent { lostCount.wrappingAdd(1, ordering: .relaxed) }
    return isSent
  }

  private func rackTime(_ time: Int64?) -> Int64 {
    let rate = Double(bitPattern: engineRate.load(ordering: .relaxed))
    guard let time, rate != sampleRate else { return time ?? 0 }
    return BusTime(sampleRate: sampleRate, engineRate: rate).busFrame(of: time)
  }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] {
    engineRate.store(sampleRate.bitPattern, ordering: .relaxed)
    return Array(repeating: .stereo(self.sampleRate), count: outputBusCount)
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: 0) {
      let inner = InnerKernel(rack.kernel(for: formats), stereoBusCount: RackNode.channelCount)
      return Kernel(
        SamplerKernel(inner.renderer, gain.reader, sampleRate: sampleRate), retaining: [inner, gain],
        entry: SamplerKernel.entry)
    }
  }

  public func reset() {
    rack.reset()
    slot.reset()
    restore()
  }
}

private struct SamplerKernel {
  private let rack: InnerRenderer
  private let gain: ParameterReader
  private let rampBlocks: Int
  private var ramp = Ramp()

  init(_ rack: InnerRenderer, _ gain: ParameterReader, sampleRate: Double) {
    (self.rack, self.gain) = (rack, gain)
    rampBlocks = levelRampBlocks(sampleRate: sampleRate)
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: SamplerKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    rack.render(context)
    let gain = ramp.next(toward: gain.renderValue, blocks: rampBlocks, blockSize: renderQuantum)
    for bus in 0..<context.outputBusCount { context.output(bus).silence() }
    for channel in 0..<midiChannelCount {
      let source = rack.output(channel)
      guard !source.isSilent else { continue }
      let output = context.output(context.outputBusCount == 1 ? 0 : channel)
      for side in 0..<2 { addBlock(source[side], into: output[side], gain: gain, count: renderQuantum) }
      output.isSilent = false
    }
  }
}
