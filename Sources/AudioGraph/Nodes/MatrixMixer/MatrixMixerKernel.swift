import SynthDSP
import SynthRealtime

/// The matrix mixer's render side. [audio thread]
struct MatrixMixerKernel: ~Copyable {
  private let inputs: UnsafeMutablePointer<MatrixInput>
  private let inputCount: Int
  private let outputs: UnsafeMutablePointer<MatrixGain>
  private let outputCount: Int
  private let rampBlocks: Int
  private let curves = MatrixCurves()

  init(_ inputs: [MatrixInput], outputs: [ParameterReader], sampleRate: Double) {
    inputCount = inputs.count
    self.inputs = .allocate(capacity: max(1, inputs.count))
    for (index, input) in inputs.enumerated() { (self.inputs + index).initialize(to: input) }
    outputCount = outputs.count
    self.outputs = .allocate(capacity: outputs.count)
    for (index, gain) in outputs.enumerated() { (self.outputs + index).initialize(to: MatrixGain(gain)) }
    rampBlocks = levelRampBlocks(sampleRate: sampleRate)
  }

  deinit {
    for index in 0..<inputCount { inputs[index].free() }
    inputs.deallocate()
    outputs.deallocate()
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: MatrixMixerKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  func render(_ context: RenderContext) {
    let mix = context.output(0)
    mix.silence()
    for bus in 0..<min(inputCount, context.inputBusCount) {
      if context.input(bus).isSilent {
        inputs[bus].rest()
      } else if context.hasChanges {
        inputs[bus].follow(context.input(bus), into: mix, curves, context, rampBlocks)
      } else {
        inputs[bus].mix(context.input(bus), into: mix, rampBlocks)
      }
    }
    for channel in 0..<outputCount { finish(channel, mix, context) }
  }

  @_noLocks
  private func finish(_ channel: Int, _ mix: Bus, _ context: RenderContext) {
    // What is silent cannot click: when there is sound again, its gain is at once what it has been set to.
    guard !mix.isSilent else { return outputs[channel].rest() }
    let samples = mix[channel]
    if context.hasChanges, outputs[channel].gain.follows(context) {
      let start = outputs[channel].gain.fill(curves.gain, in: context)
      outputs[channel].follow(curves.gain, from: start, rampBlocks)
      scaleBlock(samples, into: samples, gains: curves.gain, count: renderQuantum)
    } else {
      let gain = outputs[channel].next(scaledBy: 1, rampBlocks)
      guard gain.start != 1 || gain.step != 0 else { return }
      _ = scaleBlock(samples, into: samples, gain: gain, count: renderQuantum)
    }
  }
}

/// An input and its crosspoints, those of channel 0 first. [audio thread]
struct MatrixInput {
  private let gain: ParameterReader
  private let crosspoints: UnsafeMutablePointer<MatrixGain>
  private let crosspointCount: Int
  private var isResting = false

  /// Its memory lasts until `free` is called.
  init(_ gain: ParameterReader, _ crosspoints: [ParameterReader]) {
    self.gain = gain
    crosspointCount = crosspoints.count
    self.crosspoints = .allocate(capacity: crosspoints.count)
    for (index, gain) in crosspoints.enumerated() { (self.crosspoints + index).initialize(to: MatrixGain(gain)) }
  }

  func free() { crosspoints.deallocate() }

  /// Lets a quantum of silence pass.
  @_noLocks
  mutating func rest() {
    guard !isResting else { return }
    for index in 0..<crosspointCount { crosspoints[index].rest() }
    isResting = true
  }

  @_noLocks
  mutating func mix(_ input: Bus, into mix: Bus, _ rampBlocks: Int) {
    isResting = false
    let level = gain.renderValue
    var crosspoint = crosspoints
    for channel in 0..<input.channelCount {
      for output in 0..<mix.channelCount {
        add(input[channel], to: mix, output, crosspoint.pointee.next(scaledBy: level, rampBlocks))
        crosspoint += 1
      }
    }
  }

  /// As `mix`, in a quantum in which parameters follow scheduled changes.
  @_noLocks
  @inline(never)
  mutating func follow(
    _ input: Bus, into mix: Bus, _ curves: borrowing MatrixCurves, _ context: RenderContext, _ rampBlocks: Int
  ) {
    isResting = false
    let levelFollows = gain.follows(context)
    let level = gain.fill(curves.level, in: context)
    var crosspoint = crosspoints
    for channel in 0..<input.channelCount {
      for output in 0..<mix.channelCount {
        if levelFollows || crosspoint.pointee.gain.follows(context) {
          let start = crosspoint.pointee.gain.fill(curves.gain, in: context)
          scaleBlock(curves.gain, into: curves.gain, gains: curves.level, count: renderQuantum)
          let product = CurveStart(value: start.value * level.value, restEnd: min(start.restEnd, level.restEnd))
          crosspoint.pointee.follow(curves.gain, from: product, rampBlocks)
          scaleBlock(input[channel], into: curves.samples, gains: curves.gain, count: renderQuantum)
          add(curves.samples, to: mix, output, .unity)
        } else {
          add(input[channel], to: mix, output, crosspoint.pointee.next(scaledBy: level.value, rampBlocks))
        }
        crosspoint += 1
      }
    }
  }

  @_noLocks
  @inline(__always)
  private func add(_ samples: UnsafePointer<Float>, to mix: Bus, _ output: Int, _ gain: GainSegment) {
    guard !gain.isSilent else { return }
    addBlock(samples, into: mix[output], gain: gain, count: renderQuantum)
    mix.isSilent = false
  }
}

/// A gain on its way to what it is set to. [audio thread]
struct MatrixGain {
  let gain: ParameterReader
  private var ramp = Ramp()
  /// Whether the ramp has come to rest at 0.
  private var isOff = false

  init(_ gain: ParameterReader) { self.gain = gain }

  @_noLocks
  @inline(__always)
  mutating func next(scaledBy level: Float, _ rampBlocks: Int) -> GainSegment {
    let target = gain.renderValue * level
    if isOff, target == 0 { return GainSegment(start: 0, step: 0) }
    let line = ramp.next(toward: target, blocks: rampBlocks, blockSize: renderQuantum)
    isOff = line.isSilent
    return line
  }

  /// Makes a curve the gains of a quantum.
  @_noLocks
  mutating func follow(_ curve: UnsafeMutablePointer<Float>, from start: CurveStart, _ rampBlocks: Int) {
    ramp.follow(curve, from: start, blocks: rampBlocks)
    isOff = false
  }

  /// The next gain is reached at once.
  @_noLocks
  mutating func rest() { (ramp, isOff) = (Ramp(), false) }
}

/// A matrix mixer's room for what its parameters are at each frame of a quantum, one crosspoint at a time.
/// [audio thread]
struct MatrixCurves: ~Copyable {
  private let memory = CurveMemory(curveCount: 3)

  /// An input's gain, that of a crosspoint or an output, and samples times the two.
  var level: UnsafeMutablePointer<Float> { @_noLocks get { memory[0] } }
  var gain: UnsafeMutablePointer<Float> { @_noLocks get { memory[1] } }
  var samples: UnsafeMutablePointer<Float> { @_noLocks get { memory[2] } }
}
