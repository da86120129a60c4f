import SynthDSP
import SynthRealtime

/// What a send effect hears: its first input, and shares of those after it, ramped over 20 ms; then its onset.
/// [audio thread]
///
/// Inputs of which nothing is heard cost a look at their share.
struct EffectInputs: ~Copyable {
  private struct Way {
    let share: ParameterReader
    var ramp = Ramp()
  }

  private let ways: UnsafeMutablePointer<Way>
  private let wayCount: Int
  private let rampBlocks: Int
  private let sum = CurveMemory(curveCount: 2)
  private var onset: EffectOnset

  /// - Parameters:
  ///   - shares: of the inputs from the second on, as `parameters` makes them.
  ///   - onset: all inputs pass it.
  init(_ shares: [Parameter], _ onset: consuming EffectOnset, sampleRate: Double) {
    self.onset = onset
    wayCount = shares.count
    ways = .allocate(capacity: max(1, wayCount))
    for (index, share) in shares.enumerated() { (ways + index).initialize(to: Way(share: share.reader)) }
    rampBlocks = levelRampBlocks(sampleRate: sampleRate)
  }

  deinit { ways.deallocate() }

  /// The shares of the inputs after the first, 0 at first; 1 is all, 2 twice as much.
  static func parameters(count: Int) -> [Parameter] {
    (1...count).map { bus in
      Parameter("input \(bus) share", unit: .ratio, range: 0...2, default: 0, of: .input(bus), shortName: "share")
    }
  }

  /// What comes in in a quantum, two sides.
  @_noLocks
  mutating func read(_ context: RenderContext) -> EffectInput { onset.apply(sum(context), context) }

  @_noLocks
  private mutating func sum(_ context: RenderContext) -> EffectInput {
    let first = EffectInput(context.input(0))
    var hasMore = false
    for index in 0..<wayCount {
      let bus = context.input(index &+ 1)
      guard !bus.isSilent else {
        // What is silent cannot click.
        ways[index].ramp = Ramp()
        continue
      }
      let share = ways[index].share.renderValue
      let gain = ways[index].ramp.next(toward: share, blocks: rampBlocks, blockSize: renderQuantum)
      guard !gain.isSilent else { continue }
      if !hasMore { copy(first) }
      hasMore = true
      addBlock(bus[0], into: sum[0], gain: gain, count: renderQuantum)
      addBlock(bus[bus.channelCount &- 1], into: sum[1], gain: gain, count: renderQuantum)
    }
    return hasMore ? EffectInput(left: sum[0], right: sum[1], isSilent: false) : first
  }

  @_noLocks
  private func copy(_ input: EffectInput) {
    copySamples(from: input.left, to: sum[0], count: renderQuantum)
    copySamples(from: input.right, to: sum[1], count: renderQuantum)
  }
}

/// Two sides of a quantum, which may be the same memory.
struct EffectInput: BitwiseCopyable {
  let left: UnsafeMutablePointer<Float>
  let right: UnsafeMutablePointer<Float>
  let isSilent: Bool

  @_noLocks
  init(left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, isSilent: Bool) {
    self.left = left
    self.right = right
    self.isSilent = isSilent
  }

  /// Where nothing is connected, the shared silence serves as both sides.
  @_noLocks
  init(_ bus: Bus) {
    left = bus[0]
    right = bus[max(0, bus.channelCount &- 1)]
    isSilent = bus.isSilent
  }
}
