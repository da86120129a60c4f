import SynthDSP
import SynthRealtime

/// The spatial mixer's render side. [audio thread]
struct SpatialMixerKernel: ~Copyable {
  private let sources: UnsafeMutablePointer<SpatialSource>
  private let sourceCount: Int
  private let scene: UnsafeMutablePointer<SpatialScene>
  private var reverb: ReverbProcessor
  private let reverbType: ParameterReader
  private let reverbTime: ParameterReader
  private let reverbLevel: ParameterReader
  private var reverbRamp = Ramp()
  private let outputGain: ParameterReader
  private var outputRamp = Ramp()

  init(_ node: SpatialMixerNode, _ table: HRTFTable, _ sinc: SincTable, sampleRate: Double) {
    sourceCount = node.inputs.count
    sources = .allocate(capacity: sourceCount)
    for (bus, input) in node.inputs.enumerated() {
      (sources + bus).initialize(
        to: SpatialSource(input, table, channelCount: node.layout.channelCount, sampleRate: sampleRate))
    }
    scene = .allocate(capacity: 1)
    scene.initialize(to: SpatialScene(node.listener, node.layout, sinc, sampleRate: sampleRate))
    reverb = ReverbProcessor(type: .mediumRoom, sampleRate: sampleRate)
    (reverbType, reverbTime) = (node.reverbType.reader, node.reverbTime.reader)
    (reverbLevel, outputGain) = (node.reverbLevel.reader, node.outputGain.reader)
  }

  deinit {
    sources.deinitialize(count: sourceCount)
    sources.deallocate()
    scene.deinitialize(count: 1)
    scene.deallocate()
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: SpatialMixerKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let mix = context.output(0)
    mix.silence()
    scene.pointee.begin()
    for bus in 0..<min(sourceCount, context.inputBusCount) {
      sources[bus].render(context.input(bus), into: mix, &scene.pointee)
    }
    addReverb(to: mix)
    let gain = outputRamp.next(
      toward: outputGain.renderValue, blocks: scene.pointee.rampBlocks, blockSize: renderQuantum)
    guard !mix.isSilent, gain.start != 1 || gain.step != 0 else { return }
    for channel in 0..<mix.channelCount {
      _ = scaleBlock(mix[channel], into: mix[channel], gain: gain, count: renderQuantum)
    }
  }

  @_noLocks
  private mutating func addReverb(to mix: Bus) {
    reverb.set(ReverbRoom(index: Int32(reverbType.renderValue), time: reverbTime.renderValue))
    let (send, left, right) = (scene.pointee.send, scene.pointee.reverbLeft, scene.pointee.reverbRight)
    let isSilent = reverb.process(
      left: send, right: send, leftOutput: left, rightOutput: right, inputIsSilent: scene.pointee.isSendSilent)
    let gain = reverbRamp.next(
      toward: reverbLevel.renderValue, blocks: scene.pointee.rampBlocks, blockSize: renderQuantum)
    guard !isSilent, !gain.isSilent else { return }
    addBlock(left, into: mix[0], gain: gain, count: renderQuantum)
    addBlock(right, into: mix[1], gain: gain, count: renderQuantum)
    mix.isSilent = false
  }
}

/// What the sources of a spatial mixer have in common: the listener, the loudspeakers, and room to work in.
/// [audio thread]
struct SpatialScene: ~Copyable {
  let sampleRate: Float
  let rampBlocks: Int
  let panner: VectorBasePanner
  let sinc: SincRows
  private let memory = CurveMemory(curveCount: 5)
  private let place: (ParameterReader, ParameterReader, ParameterReader)
  private let angles: (ParameterReader, ParameterReader, ParameterReader)
  /// The listener, as it is in this quantum.
  private(set) var position = SIMD3<Float>(0, 0, 0)
  private(set) var rotation = HeadRotation(yaw: 0, pitch: 0, roll: 0)
  var isSendSilent = true

  /// - Parameter sinc: the caller keeps it alive.
  init(_ listener: SpatialListener, _ layout: SpeakerLayout, _ sinc: SincTable, sampleRate: Double) {
    self.sampleRate = Float(sampleRate)
    rampBlocks = levelRampBlocks(sampleRate: sampleRate)
    panner = VectorBasePanner(layout)
    self.sinc = sinc.rows
    place = (listener.x.reader, listener.y.reader, listener.z.reader)
    angles = (listener.yaw.reader, listener.pitch.reader, listener.roll.reader)
  }

  /// What goes to the reverb, what comes from it, and a source's samples on their way.
  var send: UnsafeMutablePointer<Float> { @_noLocks get { memory[0] } }
  var reverbLeft: UnsafeMutablePointer<Float> { @_noLocks get { memory[1] } }
  var reverbRight: UnsafeMutablePointer<Float> { @_noLocks get { memory[2] } }
  var samples: UnsafeMutablePointer<Float> { @_noLocks get { memory[3] } }
  var arrived: UnsafeMutablePointer<Float> { @_noLocks get { memory[4] } }

  /// Takes over where the listener is, and empties what goes to the reverb.
  @_noLocks
  mutating func begin() {
    position = SIMD3(place.0.renderValue, place.1.renderValue, place.2.renderValue)
    rotation = HeadRotation(
      yaw: angles.0.renderValue, pitch: angles.1.renderValue, roll: angles.2.renderValue)
    if !isSendSilent { send.update(repeating: 0, count: renderQuantum) }
    isSendSilent = true
  }
}
