import SynthDSP
import SynthRealtime

/// One input of the mixer as it renders: the way from a bus into the mix and the sends. [audio thread]
///
/// The output buses of each quantum say how many sends there are: those that are added meanwhile are for the next plan.
struct MixerStrip: ~Copyable {
  let fader: Fader
  private let meters: FaderMeters
  private let destination: ParameterReader
  /// The output bus that it goes to, and the gains there.
  private var bus = 0
  private var left = Ramp()
  private var right = Ramp()
  /// The bus that it went to before, where that fades.
  private var leaving: LeftBus?
  private let sends: UnsafeMutablePointer<SendStrip>
  /// Those that are there for the plan that is made. [control thread]
  private var preparedCount = 0
  /// Whether the input has been silent for so long that nothing is left to do.
  private var isResting = false
  /// The count of parameter changes at which the silent input's ways had all arrived; -1 where they have not.
  private var idleCount: Int64 = -1

  init(_ input: MixerInput, _ sends: [MixerSend], of mixer: MixerNode, sampleRate: Double) {
    fader = Fader(input)
    meters = FaderMeters(before: input.inputMeter, after: input.meter, of: mixer, sampleRate: sampleRate)
    destination = input.destination.reader
    self.sends = .allocate(capacity: MixerNode.mostSends)
    addSends(of: input, sends)
  }

  deinit { sends.deallocate() }

  /// Prepares the sends that are not there yet, behind those that are rendered. [control thread]
  mutating func addSends(of input: MixerInput, _ sends: [MixerSend]) {
    while preparedCount < sends.count {
      let send = SendStrip(
        share: input.sends[preparedCount].reader, isEnabled: sends[preparedCount].isEnabled.reader)
      (self.sends + preparedCount).initialize(to: send)
      preparedCount += 1
    }
  }

  /// Adds an input to its destination, at first the mix, which is output bus 0, and to the sends, the buses after it.
  ///
  /// - Parameter anySolo: whether any input of the mixer is soloed.
  @_noLocks
  @inline(__always)
  mutating func render(_ input: Bus, to context: RenderContext, _ anySolo: Bool, _ rampBlocks: Int) {
    let gains = fader.gains(isMono: input.channelCount == 1, anySolo)
    if input.isSilent { rest() } else { mix(input, to: context, gains, rampBlocks) }
    if context.outputBusCount > 1 { send(input, gains, to: context, rampBlocks) }
  }

  // Kept out of line, so that a mixer without sends does not pay for them: 5 % of its instructions.
  @_noLocks
  @inline(never)
  private func send(_ input: Bus, _ gains: StereoGain, to context: RenderContext, _ rampBlocks: Int) {
    for index in 0..<context.outputBusCount &- 1 {
      sends[index].add(input, input.correction(ofSend: index), gains, to: context.output(index &+ 1), rampBlocks)
    }
  }

  /// Whether another quantum of silence changes nothing as long as no parameter is set.
  @_noLocks
  func isIdle(at changeCount: UInt32) -> Bool { idleCount == Int64(changeCount) }

  /// After a quantum of silence, for which parameters were read at that count.
  @_noLocks
  mutating func settle(at changeCount: UInt32, sendCount: Int) {
    guard isResting else { return }
    for index in 0..<sendCount where !sends[index].hasArrived { return }
    idleCount = Int64(changeCount)
  }

  /// Whether the way into the mix or to a send follows scheduled changes.
  @_noLocks
  func follows(_ context: RenderContext) -> Bool {
    if fader.follows(context) { return true }
    for index in 0..<context.outputBusCount &- 1 where sends[index].follows(context) { return true }
    return false
  }

  /// As `render`, with gains for each frame.
  ///
  /// - Parameter anySolo: that of the frame before.
  @_noLocks
  @inline(never)
  mutating func follow(
    _ input: Bus, to context: RenderContext, _ curves: borrowing MixerCurves, _ anySolo: Float, _ rampBlocks: Int
  ) {
    idleCount = -1
    let start = fader.fill(curves, isMono: input.channelCount == 1, anySolo, context)
    for index in 0..<context.outputBusCount &- 1 {
      sends[index].follow(
        input, input.correction(ofSend: index), curves, from: start, to: context.output(index &+ 1), context,
        rampBlocks)
    }
    guard !input.isSilent else { return rest() }
    isResting = false
    let mix = target(input, context, rampBlocks)
    meters.measure(input)
    left.follow(curves.left, from: start.left, blocks: rampBlocks)
    right.follow(curves.right, from: start.right, blocks: rampBlocks)
    scaleBlock(input[0], into: curves.samples, gains: curves.left, count: renderQuantum)
    add(curves.samples, to: mix[0], .unity, channel: 0)
    scaleBlock(input[input.channelCount &- 1], into: curves.samples, gains: curves.right, count: renderQuantum)
    add(curves.samples, to: mix[1], .unity, channel: 1)
    mix.isSilent = false
  }

  /// The output bus that takes the input now. One that took it before fades.
  @_noLocks
  @inline(__always)
  private mutating func target(_ input: Bus, _ context: RenderContext, _ rampBlocks: Int) -> Bus {
    let wanted = Int(destination.renderValue)
    if leaving != nil || wanted != bus { change(to: wanted, input, context, rampBlocks) }
    return context.output(bus < context.outputBusCount ? bus : 0)
  }

  @_noLocks
  @inline(never)
  private mutating func change(to wanted: Int, _ input: Bus, _ context: RenderContext, _ rampBlocks: Int) {
    if wanted != bus, wanted < context.outputBusCount, leaving == nil {
      // What has been silent has nothing that could fade.
      if !left.value.isNaN {
        leaving = LeftBus(number: bus, left: left, right: right)
        (left, right) = (Ramp(at: 0), Ramp(at: 0))
      }
      bus = wanted
    }
    leaving?.fade(input, context, rampBlocks)
    if leaving?.hasFaded ?? false { leaving = nil }
  }

  /// Lets a quantum of silence pass.
  ///
  /// What is silent cannot click: when there is sound again, its gain is at once what it has been set to.
  @_noLocks
  mutating func rest() {
    guard !isResting else { return }
    left = Ramp()
    right = Ramp()
    leaving = nil
    let isLeftQuiet = meters.recordSilence(channel: 0)
    let isRightQuiet = meters.recordSilence(channel: 1)
    isResting = isLeftQuiet && isRightQuiet
  }

  @_noLocks
  @inline(__always)
  private mutating func mix(_ input: Bus, to context: RenderContext, _ gains: StereoGain, _ rampBlocks: Int) {
    isResting = false
    idleCount = -1
    let mix = target(input, context, rampBlocks)
    meters.measure(input)
    let leftGain = left.next(toward: gains.left, blocks: rampBlocks, blockSize: renderQuantum)
    let rightGain = right.next(toward: gains.right, blocks: rampBlocks, blockSize: renderQuantum)
    guard !(leftGain.isSilent && rightGain.isSilent) else {
      meters.record(.silent, of: input[0], .unity, channel: 0)
      meters.record(.silent, of: input[0], .unity, channel: 1)
      return
    }
    add(input[0], to: mix[0], leftGain, channel: 0)
    add(input[input.channelCount &- 1], to: mix[1], rightGain, channel: 1)
    mix.isSilent = false
  }

  @_noLocks
  private func add(
    _ source: UnsafeMutablePointer<Float>, to destination: UnsafeMutablePointer<Float>, _ gain: GainSegment,
    channel: Int
  ) {
    let level = mixBlock(source, into: destination, gain: gain, count: renderQuantum)
    meters.record(level, of: source, gain, channel: channel)
  }
}

/// A bus that a strip has left, until it has faded. [audio thread]
private struct LeftBus {
  let number: Int
  var left: Ramp
  var right: Ramp

  var hasFaded: Bool {
    @_noLocks get { left.hasArrived && right.hasArrived }
  }

  @_noLocks
  mutating func fade(_ input: Bus, _ context: RenderContext, _ rampBlocks: Int) {
    let left = left.next(toward: 0, blocks: rampBlocks, blockSize: renderQuantum)
    let right = right.next(toward: 0, blocks: rampBlocks, blockSize: renderQuantum)
    let output = context.output(number < context.outputBusCount ? number : 0)
    addBlock(input[0], into: output[0], gain: left, count: renderQuantum)
    addBlock(input[input.channelCount &- 1], into: output[1], gain: right, count: renderQuantum)
    output.isSilent = false
  }
}

/// The way from one input to one send.
private struct SendStrip {
  private let share: ParameterReader
  private let isEnabled: ParameterReader
  private var left = Ramp()
  private var right = Ramp()
  /// Whether nothing was sent in the last quantum, and nothing is on its way.
  private var isResting = false

  init(share: ParameterReader, isEnabled: ParameterReader) {
    self.share = share
    self.isEnabled = isEnabled
  }

  var hasArrived: Bool {
    @_noLocks get { left.hasArrived && right.hasArrived }
  }

  @_noLocks
  mutating func add(
    _ input: Bus, _ correction: UnsafeMutablePointer<Float>?, _ gains: StereoGain, to send: Bus, _ rampBlocks: Int
  ) {
    let share = isEnabled.isOn ? share.renderValue : 0
    // Most channels send nothing to most effects.
    if share == 0, isResting { return }
    let left = left.next(toward: gains.left * share, blocks: rampBlocks, blockSize: renderQuantum)
    let right = right.next(toward: gains.right * share, blocks: rampBlocks, blockSize: renderQuantum)
    isResting = share == 0 && left.isSilent && right.isSilent
    guard !input.isSilent, !(left.isSilent && right.isSilent) else { return }
    addBlock(input[0], into: send[0], gain: left, count: renderQuantum)
    addBlock(input[input.channelCount &- 1], into: send[1], gain: right, count: renderQuantum)
    if let correction {
      addBlock(correction, into: send[0], gain: left, count: renderQuantum)
      addBlock(correction + renderQuantum, into: send[1], gain: right, count: renderQuantum)
    }
    send.isSilent = false
  }

  @_noLocks
  func follows(_ context: RenderContext) -> Bool { share.follows(context) || isEnabled.follows(context) }

  /// As `add`, with gains for each frame: the curves `left` and `right`.
  @_noLocks
  mutating func follow(
    _ input: Bus, _ correction: UnsafeMutablePointer<Float>?, _ curves: borrowing MixerCurves,
    from start: (left: CurveStart, right: CurveStart), to send: Bus, _ context: RenderContext, _ rampBlocks: Int
  ) {
    isResting = false
    // The fader is done with these two.
    let (shares, gains) = (curves.gain, curves.pan)
    let (shareStart, switchStart) = (share.fill(shares, in: context), isEnabled.fill(curves.enabled, in: context))
    scaleBlock(shares, into: shares, gains: curves.enabled, count: renderQuantum)
    let shareBefore = shareStart.value * switchStart.value
    let restEnd = min(start.left.restEnd, min(shareStart.restEnd, switchStart.restEnd))

    scaleBlock(curves.left, into: gains, gains: shares, count: renderQuantum)
    left.follow(gains, from: CurveStart(value: start.left.value * shareBefore, restEnd: restEnd), blocks: rampBlocks)
    add(input, 0, correction, gains, to: send, curves.samples)

    scaleBlock(curves.right, into: gains, gains: shares, count: renderQuantum)
    right.follow(gains, from: CurveStart(value: start.right.value * shareBefore, restEnd: restEnd), blocks: rampBlocks)
    add(input, 1, correction.map { $0 + renderQuantum }, gains, to: send, curves.samples)
  }

  @_noLocks
  private func add(
    _ input: Bus, _ side: Int, _ correction: UnsafeMutablePointer<Float>?, _ gains: UnsafePointer<Float>, to send: Bus,
    _ samples: UnsafeMutablePointer<Float>
  ) {
    guard !input.isSilent else { return }
    scaleBlock(input[min(side, input.channelCount &- 1)], into: samples, gains: gains, count: renderQuantum)
    addBlock(samples, into: send[side], gain: .unity, count: renderQuantum)
    if let correction {
      scaleBlock(correction, into: samples, gains: gains, count: renderQuantum)
      addBlock(samples, into: send[side], gain: .unity, count: renderQuantum)
    }
    send.isSilent = false
  }
}
