/// A stream of interleaved frames read at a speed that may change from block to block, by any small amount.
///
/// Windowed sinc interpolation: of half the lower rate, flat up to 0.95 within 0.002 dB; images, aliases and rounding
/// lie 140 dB below a tone, but for tones between 0.95 and 1.05, whose images and aliases lie there too. Output frame n
/// lies on input position n · step, without a delay; the input has to be known some frames further, though. Frames do
/// not depend on how the stream is cut into blocks.
public struct StreamResampler: ~Copyable {
  private let channelCount: Int
  private let filter: ResamplingFilter
  /// Whether the filter widens as the step grows, or stays what one step needs.
  private let followsStep: Bool
  private var history: ResamplerHistory
  private var position = ResamplerPosition()

  /// A table serves steps that are greater than its by this part.
  private static let tolerance = 0.004

  /// For any step from 1/256 to 256. [control thread]
  ///
  /// Steps above 1 take several times as long as where they are known from the beginning. A channel takes 360 KB.
  public init(channelCount: Int) throws(ResamplerError) {
    try self.init(channelCount: channelCount, ResamplerStep(1), followsStep: true)
  }

  /// For one step from 1/256 to 256, and those near it: a clock that drifts. [control thread]
  ///
  /// With greater ones, more aliases.
  public init(channelCount: Int, step: Double) throws(ResamplerError) {
    try self.init(channelCount: channelCount, ResamplerStep(step), followsStep: false)
  }

  private init(channelCount: Int, _ nominal: ResamplerStep, followsStep: Bool) throws(ResamplerError) {
    guard (1...256).contains(channelCount) else { throw ResamplerError(reason: "\(channelCount) channels") }
    self.channelCount = channelCount
    self.followsStep = followsStep
    let longest = ResamplingKernel.reach(stretch: followsStep ? 256 : nominal.stretch)
    filter = ResamplingFilter(nominal, channelCount: channelCount, longestReach: longest)
    history = ResamplerHistory(
      channelCount: channelCount, capacity: 2 * longest + 4 * ResamplingFilter.batchLength)
  }

  /// How many input frames beyond its position a frame of output needs, at that many input frames per output frame: 80
  /// at equal rates, as many times more as the filter is wider where it has to cut more off.
  public static func lookahead(step: Double) -> Int {
    ResamplingKernel.reach(stretch: ResamplingKernel.stretch(step: step))
  }

  /// Clears the input: the next input frame is position 0. [audio thread]
  ///
  /// - Parameter position: where the next output frame lies, in input frames, not negative.
  @_noLocks @_noAllocation
  public mutating func reset(position: Double = 0) {
    history.reset()
    self.position = ResamplerPosition(position)
  }

  /// Writes up to `outputCount` frames, `step` input frames apart, as far as the input reaches: how many frames went
  /// in, all of which is not needed again, and how many came out. [audio thread]
  ///
  /// A step outside 1/256 to 256 is taken as the nearest.
  @_noLocks @_noAllocation
  public mutating func process(
    _ input: UnsafePointer<Float>, inputCount: Int, into output: UnsafeMutablePointer<Float>, outputCount: Int,
    step: Double
  ) -> (consumed: Int, produced: Int) {
    let step = ResamplerStep.bounded(step)
    let isStretched = followsStep && step > 1 + Self.tolerance
    let reach = isStretched ? ResamplingKernel.reach(stretch: step) : filter.reach
    var (consumed, produced) = (0, 0)
    while produced < outputCount {
      let wanted = min(ResamplingFilter.batchLength, outputCount &- produced)
      let taken = take(input + consumed &* channelCount, inputCount &- consumed, for: wanted, step: step, reach: reach)
      let target = output + produced &* channelCount
      let made =
        isStretched
        ? filter.readStretched(history, at: &position, into: target, count: wanted, step: step, reach: reach)
        : filter.read(history, at: &position, into: target, count: wanted, step: step)
      consumed &+= taken
      produced &+= made
      guard taken > 0 || made > 0 else { break }
    }
    return (consumed, produced)
  }

  /// Takes in what the next frames need, as far as it is there: how many frames.
  @_noLocks @_noAllocation
  private mutating func take(
    _ input: UnsafePointer<Float>, _ count: Int, for wanted: Int, step: Double, reach: Int
  ) -> Int {
    let last = position.frame &+ Int(position.phase + Double(wanted &- 1) * step)
    let oldest = position.frame &- reach &+ 1
    let room = min(history.capacity, history.capacity &- (history.end &- oldest))
    let taken = max(0, min(min(count, room), last &+ reach &+ 1 &- history.end))
    history.append(input, count: taken)
    return taken
  }
}

/// A resampler could not be made.
public struct ResamplerError: Error, Equatable, CustomStringConvertible {
  let reason: String

  public var description: String { "making a resampler: \(reason) — give it 1 to 256 channels" }
}
