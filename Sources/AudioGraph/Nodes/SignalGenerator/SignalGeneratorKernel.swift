import DSP
import Realtime
import Synchronization

/// The signal generator's render side.
struct SignalGeneratorKernel: ~Copyable {
  private let frequency: ParameterReader
  private let level: ParameterReader
  private let cell: UnsafeMutablePointer<SignalGeneratorCell>
  private let sampleRate: Double
  private var frequencyRamp = Ramp()
  private var levelRamp = Ramp()
  private var phase: UInt64 = 0

  /// What plays, and what takes its place in a fade from 0 to 1.
  private var present: Oscillator
  private var next: Oscillator
  private var fade = Ramp()
  /// Which tables `next` reads.
  private var address: UInt
  /// One quantum of `next`, as long as it fades in.
  private let incoming: UnsafeMutablePointer<Float>

  init(_ node: SignalGeneratorNode, _ cell: UnsafeMutablePointer<SignalGeneratorCell>, sampleRate: Double) {
    frequency = node.frequency.reader
    level = node.level.reader
    self.cell = cell
    self.sampleRate = sampleRate
    address = cell.pointee.tables.load(ordering: .acquiring)
    next = Oscillator(WaveTables(address: address))
    present = next
    incoming = .allocate(capacity: renderQuantum)
  }

  deinit { incoming.deallocate() }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: SignalGeneratorKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let output = context.output(0)
    let ramp = nextPhaseRamp()
    let gain = levelRamp.next(toward: level.renderValue, blocks: rampBlocks, blockSize: renderQuantum)
    phase = ramp.phase(after: renderQuantum)
    let isFading = adoptWaveform()
    guard !gain.isSilent else { return output.silence() }
    let samples = output[0]
    present.render(into: samples, along: ramp, count: renderQuantum)
    if isFading { fadeIn(over: samples, along: ramp) }
    _ = scaleBlock(samples, into: samples, gain: gain, count: renderQuantum)
    for channel in 1..<output.channelCount {
      copySamples(from: samples, to: output[channel], count: renderQuantum)
    }
  }

  @_noLocks
  private mutating func nextPhaseRamp() -> PhaseRamp {
    let segment = frequencyRamp.next(toward: frequency.renderValue, blocks: rampBlocks, blockSize: renderQuantum)
    return PhaseRamp(
      phase: phase, from: Double(segment.start) / sampleRate, to: Double(frequencyRamp.value) / sampleRate,
      frameCount: renderQuantum)
  }

  /// Begins a fade where the waveform has changed; a change amid a fade waits for its end. True as long as one lasts.
  @_noLocks
  private mutating func adoptWaveform() -> Bool {
    if fade.value == 1 {
      present = next
      fade = Ramp()
    }
    guard fade.value.isNaN else { return true }
    let address = cell.pointee.tables.load(ordering: .acquiring)
    guard address != self.address else { return false }
    self.address = address
    next = Oscillator(WaveTables(address: address))
    _ = fade.next(toward: 0, blocks: 1, blockSize: renderQuantum)
    return true
  }

  @_noLocks
  private mutating func fadeIn(over samples: UnsafeMutablePointer<Float>, along ramp: PhaseRamp) {
    next.render(into: incoming, along: ramp, count: renderQuantum)
    let segment = fade.next(toward: 1, blocks: rampBlocks, blockSize: renderQuantum)
    var share = segment.start
    for frame in 0..<renderQuantum {
      share += segment.step
      samples[frame] += (incoming[frame] - samples[frame]) * share
    }
  }

  private var rampBlocks: Int {
    @_noLocks get {
      let duration = Double(bitPattern: cell.pointee.rampDuration.load(ordering: .relaxed))
      return max(1, Int(duration * sampleRate / Double(Int32(truncatingIfNeeded: renderQuantum)) + 0.5))
    }
  }
}

/// What a signal generator's control side tells its kernel.
struct SignalGeneratorCell: ~Copyable {
  /// Of the waveform's tables; 0 for noise.
  let tables = Atomic<UInt>(0)
  /// In seconds, as the bits of a Double.
  let rampDuration = Atomic<UInt64>(0.1.bitPattern)
}
