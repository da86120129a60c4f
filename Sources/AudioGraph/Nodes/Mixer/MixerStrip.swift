import DSP
import Realtime

/// One input of the mixer as it renders: the way from a bus into the mix.
struct MixerStrip {
  let fader: Fader
  private let meter: MeterWriter
  private var left = Ramp()
  private var right = Ramp()
  /// Whether the input has been silent for so long that there is nothing left to do.
  private var isResting = false

  init(_ input: MixerInput, sampleRate: Double) {
    fader = Fader(input)
    meter = input.meter.writer(sampleRate: sampleRate)
  }

  /// Lets a quantum of silence pass. [audio thread]
  ///
  /// What is silent cannot click: when there is sound again, its gain is at once what it has been set to.
  @_noLocks
  mutating func rest() {
    guard !isResting else { return }
    left = Ramp()
    right = Ramp()
    let isLeftQuiet = meter.record(.silent, channel: 0)
    let isRightQuiet = meter.record(.silent, channel: 1)
    isResting = isLeftQuiet && isRightQuiet
  }

  /// Adds an input that is not silent to the mix; false when its gain made nothing of it. [audio thread]
  @_noLocks
  mutating func mix(_ input: Bus, into mix: Bus, _ anySolo: Bool, _ rampBlocks: Int) -> Bool {
    isResting = false
    let target = fader.gains(isMono: input.channelCount == 1, anySolo)
    let leftGain = left.next(toward: target.left, blocks: rampBlocks, blockSize: renderQuantum)
    let rightGain = right.next(toward: target.right, blocks: rampBlocks, blockSize: renderQuantum)
    guard !(leftGain.isSilent && rightGain.isSilent) else {
      meter.record(.silent, channel: 0)
      meter.record(.silent, channel: 1)
      return false
    }
    add(input[0], to: mix[0], leftGain, channel: 0)
    add(input[input.channelCount &- 1], to: mix[1], rightGain, channel: 1)
    return true
  }

  @_noLocks
  private func add(
    _ source: UnsafeMutablePointer<Float>, to destination: UnsafeMutablePointer<Float>, _ gain: GainSegment,
    channel: Int
  ) {
    let level = mixBlock(source, into: destination, gain: gain, count: renderQuantum)
    meter.record(level, channel: channel)
    if level.peak > 1 {
      meter.recordClips(clippedCount(source, scaledBy: gain, count: renderQuantum), channel: channel)
    }
  }
}
