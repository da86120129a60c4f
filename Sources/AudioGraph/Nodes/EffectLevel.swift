import DSP
import Realtime

/// The level at which a send effect returns, ramped over 20 ms. [audio thread]
struct EffectLevel {
  private let level: ParameterReader
  private let rampBlocks: Int
  private var ramp = Ramp()

  init(_ level: Parameter, sampleRate: Double) {
    self.level = level.reader
    rampBlocks = levelRampBlocks(sampleRate: sampleRate)
  }

  @_noLocks
  mutating func apply(to bus: Bus) {
    let gain = ramp.next(toward: level.renderValue, blocks: rampBlocks, blockSize: renderQuantum)
    guard !bus.isSilent, gain.start != 1 || gain.step != 0 else { return }
    _ = scaleBlock(bus[0], into: bus[0], gain: gain, count: renderQuantum)
    _ = scaleBlock(bus[1], into: bus[1], gain: gain, count: renderQuantum)
  }
}

/// What send effects have in common as to formats: mono or stereo in, stereo out.
enum EffectFormat {
  static func stereoOutput(
    of effect: String, for input: AudioFormat?, sampleRate: Double
  ) throws(FormatRefusal) -> AudioFormat {
    let format = input ?? .stereo(sampleRate)
    guard (1...2).contains(format.channelCount) else {
      throw FormatRefusal(
        bus: 0, reason: "the \(effect) takes mono or stereo, not \(format.channelCount) channels",
        remedy: "put a converter between them")
    }
    guard (8000...768_000).contains(format.sampleRate) else {
      throw FormatRefusal(
        bus: 0, reason: "the \(effect) cannot run at \(format.sampleRate) Hz", remedy: "put a converter before it")
    }
    return .stereo(format.sampleRate)
  }
}
