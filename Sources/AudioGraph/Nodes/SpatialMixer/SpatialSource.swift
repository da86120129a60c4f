import SynthDSP
import SynthRealtime

/// One input of a spatial mixer as it renders. [audio thread]
///
///     input ─ occlusion ─┬─ gain, distance ─ obstruction ─ time of travel ─┬─ amplitude for each channel ─┬─ mix
///                        └─ gain ─ reverb                                  └─ delay, filter for each ear ─┘
struct SpatialSource: ~Copyable {
  private let controls: SpatialControls
  private let channelCount: Int
  private var occlusion = ObstacleFilter()
  private var obstruction = ObstacleFilter()
  private var direct = Ramp()
  private var send = Ramp()
  private var line: MovingDelay
  private var travel: TravelTime
  private let panGains: UnsafeMutablePointer<Float>
  private let panRamps: UnsafeMutablePointer<Ramp>
  private var binaural: BinauralFilter
  /// How long a sound rings in the filters and between the ears, in frames.
  private let ringing: Int
  private var quietFrames: Int

  init(_ input: SpatialInput, _ table: HRTFTable, channelCount: Int, sampleRate: Double) {
    controls = SpatialControls(input)
    self.channelCount = channelCount
    ringing = table.grid.tapCount + Int(table.grid.longestDelay) + 4 * renderQuantum
    travel = TravelTime(sampleRate: sampleRate)
    line = MovingDelay(longestDelay: Int(travel.longest) + ringing)
    binaural = BinauralFilter(table.grid)
    panGains = .allocate(capacity: channelCount)
    panGains.initialize(repeating: 0, count: channelCount)
    panRamps = .allocate(capacity: channelCount)
    panRamps.initialize(repeating: Ramp(), count: channelCount)
    quietFrames = line.capacity
  }

  deinit {
    panGains.deallocate()
    panRamps.deallocate()
  }

  @_noLocks
  mutating func render(_ input: Bus, into mix: Bus, _ scene: inout SpatialScene) {
    let level = controls.level
    // What is off is silent once it has faded; a ramp that has not begun has no value.
    let isQuiet = input.isSilent || (level == 0 && !(direct.value > 0) && !(send.value > 0))
    quietFrames = isQuiet ? min(line.capacity, quietFrames &+ renderQuantum) : 0
    guard quietFrames < line.capacity else { return rest(isOff: level == 0) }
    let samples = scene.samples
    if isQuiet {
      samples.update(repeating: 0, count: renderQuantum)
    } else {
      copySamples(from: input[0], to: samples, count: renderQuantum)
    }

    let offset = controls.place - (controls.isHeadLocked ? SIMD3(0, 0, 0) : scene.position)
    let seen = controls.isHeadLocked ? offset : scene.rotation.seen(offset)
    let distance = length(seen)
    let direction = distance > 1e-6 ? seen / distance : SIMD3(0, 0, -1)

    let (occluded, obstructed, blend) = (controls.occlusion, controls.obstruction, controls.blend)
    occlusion.process(samples, toward: occluded.smoothing(sampleRate: scene.sampleRate), blocks: scene.rampBlocks)
    let sent = level * occluded.amplitude
    addToSend(samples, sent * blend, &scene)
    obstruction.process(samples, toward: obstructed.smoothing(sampleRate: scene.sampleRate), blocks: scene.rampBlocks)
    let heard = sent * (1 - blend) * obstructed.amplitude * controls.attenuation.amplitude(at: distance)
    let gain = direct.next(toward: heard, blocks: scene.rampBlocks, blockSize: renderQuantum)
    _ = scaleBlock(samples, into: samples, gain: gain, count: renderQuantum)
    line.write(samples)

    let start = travel.next(distance: distance, factor: controls.doppler, blocks: scene.rampBlocks)
    // Nothing of what was heard last is under way any more; only the line has to be emptied.
    guard quietFrames < ringing &+ Int(travel.value) else { return forget(isOff: level == 0) }
    pan(direction, from: start, into: mix, scene)
    listen(direction, from: start, into: mix, scene)
  }

  @_noLocks
  private mutating func rest(isOff: Bool) {
    forget(isOff: isOff)
    travel.reset()
  }

  /// What is silent cannot click: the next sound finds everything as it is set then. Only what is off fades in.
  @_noLocks
  private mutating func forget(isOff: Bool) {
    direct = isOff ? Ramp(at: 0) : Ramp()
    send = direct
    occlusion.reset()
    obstruction.reset()
    for channel in 0..<channelCount { panRamps[channel] = Ramp() }
    binaural.reset()
  }

  @_noLocks
  private mutating func addToSend(
    _ samples: UnsafePointer<Float>, _ target: Float, _ scene: inout SpatialScene
  ) {
    let gain = send.next(toward: target, blocks: scene.rampBlocks, blockSize: renderQuantum)
    guard !gain.isSilent else { return }
    addBlock(samples, into: scene.send, gain: gain, count: renderQuantum)
    scene.isSendSilent = false
  }

  /// By an amplitude for each channel.
  @_noLocks
  private mutating func pan(
    _ direction: SIMD3<Float>, from start: Double, into mix: Bus, _ scene: borrowing SpatialScene
  ) {
    switch controls.algorithm {
    case .equalPower:
      panGains.update(repeating: 0, count: channelCount)
      (panGains[0], panGains[1]) = equalPowerAmplitudes(direction)
    case .hrtf: panGains.update(repeating: 0, count: channelCount)
    case .vectorBase: scene.panner.pan(direction, into: panGains)
    }
    var isRead = false
    for channel in 0..<channelCount {
      let gain = panRamps[channel].next(
        toward: panGains[channel], blocks: scene.rampBlocks, blockSize: renderQuantum)
      guard !gain.isSilent else { continue }
      if !isRead {
        line.read(into: scene.arrived, from: start, to: travel.delay, scene.sinc)
        isRead = true
      }
      addBlock(scene.arrived, into: mix[channel], gain: gain, count: renderQuantum)
    }
    if isRead { mix.isSilent = false }
  }

  /// By a delay and a filter for each ear.
  @_noLocks
  private mutating func listen(
    _ direction: SIMD3<Float>, from start: Double, into mix: Bus, _ scene: borrowing SpatialScene
  ) {
    switch controls.algorithm {
    case .hrtf: binaural.turn(to: direction, blocks: scene.rampBlocks)
    case .equalPower, .vectorBase: binaural.turn(to: nil, blocks: scene.rampBlocks)
    }
    guard !binaural.isSilent else { return }
    binaural.process(
      line, from: start, to: travel.delay, left: mix[0], right: mix[1], blocks: scene.rampBlocks, scene.sinc)
    mix.isSilent = false
  }
}

/// How long sound is on its way, in frames. [audio thread]
///
/// It grows by at most half a frame with each frame, and shrinks by one: the pitch stays between half and twice.
struct TravelTime {
  /// Of sound, in metres a second.
  private static var speed: Float { @_noLocks get { 343 } }

  private let sampleRate: Float
  /// A second.
  let longest: Double
  /// At the last frame.
  private(set) var value: Double = 0
  private var isSet = false

  init(sampleRate: Double) {
    self.sampleRate = Float(sampleRate)
    longest = sampleRate
  }

  /// At the last frame, with what reading between samples needs.
  var delay: Double { @_noLocks get { value + Double(MovingDelay.shortestDelay) } }

  /// Moves on by a quantum, and gives the delay at the frame before it.
  @_noLocks
  mutating func next(distance: Float, factor: Float, blocks: Int) -> Double {
    let target = min(Double(distance * factor / Self.speed * sampleRate), longest)
    if !isSet { (value, isSet) = (target, true) }
    let start = delay
    let quantum = Double(renderQuantum)
    let step = min(max((target - value) / Double(blocks), -quantum), quantum / 2)
    // At the end of an approach the rest is too little to be heard.
    value = abs(target - value) < 1e-3 ? target : value + step
    return start
  }

  @_noLocks
  mutating func reset() { (value, isSet) = (0, false) }
}

/// The parameters of an input as its source reads them. [audio thread]
private struct SpatialControls {
  private let gain, isEnabled, azimuth, elevation, distance, headLock, algorithmIndex: ParameterReader
  private let model, reference, maximum, rolloff: ParameterReader
  private let occlusionAmount, obstructionAmount, reverbBlend, dopplerFactor: ParameterReader

  init(_ input: SpatialInput) {
    (gain, isEnabled) = (input.gain.reader, input.isEnabled.reader)
    (azimuth, elevation) = (input.azimuth.reader, input.elevation.reader)
    (distance, headLock) = (input.distance.reader, input.isHeadLocked.reader)
    (algorithmIndex, model) = (input.algorithm.reader, input.distanceModel.reader)
    (reference, maximum) = (input.referenceDistance.reader, input.maximumDistance.reader)
    (rolloff, dopplerFactor) = (input.rolloff.reader, input.doppler.reader)
    (occlusionAmount, obstructionAmount) = (input.occlusion.reader, input.obstruction.reader)
    reverbBlend = input.reverbBlend.reader
  }

  var level: Float { @_noLocks get { isEnabled.isOn ? gain.renderValue : 0 } }
  var isHeadLocked: Bool { @_noLocks get { headLock.isOn } }
  var occlusion: Obstacle { @_noLocks get { Obstacle(occlusionAmount.renderValue) } }
  var obstruction: Obstacle { @_noLocks get { Obstacle(obstructionAmount.renderValue) } }
  var blend: Float { @_noLocks get { reverbBlend.renderValue } }
  var doppler: Float { @_noLocks get { dopplerFactor.renderValue } }

  var place: SIMD3<Float> {
    @_noLocks get {
      PolarPosition(
        azimuth: azimuth.renderValue, elevation: elevation.renderValue, distance: distance.renderValue
      ).vector
    }
  }

  var algorithm: SpatialAlgorithm {
    @_noLocks get {
      switch Int32(algorithmIndex.renderValue) {
      case 0: .equalPower
      case 1: .hrtf
      default: .vectorBase
      }
    }
  }

  var attenuation: DistanceAttenuation {
    @_noLocks get {
      let law: DistanceModel =
        switch Int32(model.renderValue) {
        case 0: .inverse
        case 1: .linear
        default: .exponential
        }
      return DistanceAttenuation(
        law, reference: reference.renderValue, maximum: maximum.renderValue, rolloff: rolloff.renderValue)
    }
  }
}
