import Synchronization
import SynthDSP
import SynthRealtime

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
  private let curves = CurveMemory(curveCount: 2)

  init(_ node: SignalGeneratorNode, _ cell: UnsafeMutablePointer<SignalGeneratorCell>, sampleRate: Double) {
    frequency = node.frequency.reader
    level = node.level.reader
    self.cell = cell
    self.sampleRate = sampleRate
    address = cell.pointee.tables.load(ordering: .acquiring)
    next = Oscillator(WaveTables(address: address))
    present = next
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: SignalGeneratorKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let output = context.output(0)
    let samples = output[0]
    if context.hasChanges, frequency.follows(context) || level.follows(context) {
      follow(samples, context)
      return copy(output)
    }
    let segment = frequencyRamp.next(toward: frequency.renderValue, blocks: rampBlocks, blockSize: renderQuantum)
    let ramp = phaseRamp(from: segment.start, to: frequencyRamp.value, frameCount: renderQuantum)
    let gain = levelRamp.next(toward: level.renderValue, blocks: rampBlocks, blockSize: renderQuantum)
    phase = ramp.phase(after: renderQuantum)
    let isFading = adoptWaveform()
    guard !gain.isSilent else { return output.silence() }
    present.render(into: samples, along: ramp, count: renderQuantum)
    if isFading {
      next.render(into: incoming, along: ramp, count: renderQuantum)
      fadeIn(over: samples)
    }
    _ = scaleBlock(samples, into: samples, gain: gain, count: renderQuantum)
    copy(output)
  }

  /// Renders a channel as scheduled changes have it.
  @_noLocks
  @inline(never)
  private mutating func follow(_ samples: UnsafeMutablePointer<Float>, _ context: RenderContext) {
    let isFading = adoptWaveform()
    if let course = frequency.course(in: context) {
      let start = frequency.fill(curves[0], in: context)
      let rest = frequencyRamp.follow(curves[0], from: start, blocks: rampBlocks)
      var pieces = course.pieces
      while let piece = pieces.next() {
        let (first, end) = (piece.frames.lowerBound, piece.frames.upperBound)
        render(
          piece.frames, of: samples, from: piece.start + rest.value(at: first),
          to: piece.end + rest.value(at: end &- 1), isFading: isFading)
      }
    } else {
      let segment = frequencyRamp.next(toward: frequency.renderValue, blocks: rampBlocks, blockSize: renderQuantum)
      render(0..<renderQuantum, of: samples, from: segment.start, to: frequencyRamp.value, isFading: isFading)
    }
    if isFading { fadeIn(over: samples) }
    levelRamp.follow(curves[0], from: level.fill(curves[0], in: context), blocks: rampBlocks)
    scaleBlock(samples, into: samples, gains: curves[0], count: renderQuantum)
  }

  /// Renders some frames of what plays, and of what fades in, along one straight piece of the frequency.
  @_noLocks
  private mutating func render(
    _ frames: Range<Int>, of samples: UnsafeMutablePointer<Float>, from start: Float, to end: Float, isFading: Bool
  ) {
    let ramp = phaseRamp(from: start, to: end, frameCount: frames.count)
    phase = ramp.phase(after: frames.count)
    present.render(into: samples + frames.lowerBound, along: ramp, count: frames.count)
    if isFading { next.render(into: incoming + frames.lowerBound, along: ramp, count: frames.count) }
  }

  /// One quantum of `next`, as long as it fades in.
  private var incoming: UnsafeMutablePointer<Float> {
    @_noLocks get { curves[1] }
  }

  @_noLocks
  private func copy(_ output: Bus) {
    for channel in 1..<output.channelCount {
      copySamples(from: output[0], to: output[channel], count: renderQuantum)
    }
  }

  @_noLocks
  private func phaseRamp(from start: Float, to end: Float, frameCount: Int) -> PhaseRamp {
    PhaseRamp(phase: phase, from: Double(start) / sampleRate, to: Double(end) / sampleRate, frameCount: frameCount)
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
    fade = Ramp(at: 0)
    return true
  }

  @_noLocks
  private mutating func fadeIn(over samples: UnsafeMutablePointer<Float>) {
    let segment = fade.next(toward: 1, blocks: rampBlocks, blockSize: renderQuantum)
    var share = segment.start
    for frame in 0..<renderQuantum {
      share += segment.step
      samples[frame] += (incoming[frame] - samples[frame]) * share
    }
  }

  private var rampBlocks: Int {
    @_noLocks get {
      max(1, Int(frequency.rampDuration * sampleRate / Double(Int32(truncatingIfNeeded: renderQuantum)) + 0.5))
    }
  }
}

/// What a signal generator's control side tells its kernel.
struct SignalGeneratorCell: ~Copyable {
  /// Of the waveform's tables; 0 for noise.
  let tables = Atomic<UInt>(0)
}
