/// Convolution with impulse responses of any length, with no delay. [audio thread] Memory is allocated in `init`.
///
/// The first 2048 frames of a response are convolved in partitions of a block, the rest in partitions of 1024 frames,
/// whose work is shared out evenly among the blocks in which they are not needed yet. Sources: W. G. Gardner, Efficient
/// Convolution without Input-Output Delay, JAES 43 (1995); G. García, Optimal Filter Partition for Efficient
/// Convolution with Short Input/Output Delay, AES 113 (2002).
public struct Convolver: ~Copyable {
  /// Frames that are processed at a time.
  public static var blockLength: Int { @_noLocks get { 64 } }
  /// Frames of a response at most: 87 s at 48 kHz.
  public static let longest = 1 << 22

  /// The response that leads from an input to an output.
  public struct Path: Sendable {
    let input: Int
    let output: Int
    let response: [Float]

    /// - Parameters:
    ///   - input: from 0.
    ///   - output: from 0.
    ///   - response: finite samples, `longest` at most; more are left out.
    public init(from input: Int, to output: Int, _ response: [Float]) {
      (self.input, self.output) = (max(0, input), max(0, output))
      self.response = Array(response.prefix(Convolver.longest))
    }
  }

  private static var tailLength: Int { @_noLocks get { 1024 } }
  /// Blocks of a partition of the tail.
  private static var cycle: Int { @_noLocks get { tailLength / blockLength } }

  /// For how many frames there may be sound after the input has fallen silent; after as many it is as new.
  public let tail: Int
  /// How many inputs the responses have: the highest that a path begins at, and those before it.
  public let inputCount: Int
  /// Likewise of the outputs that paths end at.
  public let outputCount: Int
  private var head: PartitionedConvolution
  private var rest: PartitionedConvolution
  private let hasRest: Bool
  /// What the rest of the responses adds during a cycle, for each output, and what it will add in the next one.
  private var playing: UnsafeMutablePointer<Float>
  private var coming: UnsafeMutablePointer<Float>
  /// The block of the present cycle.
  private var place = 0

  public init(_ paths: [Path]) {
    let length = paths.map(\.response.count).max() ?? 0
    let headLength = 2 * Self.tailLength
    inputCount = 1 + (paths.map(\.input).max() ?? 0)
    outputCount = 1 + (paths.map(\.output).max() ?? 0)
    hasRest = length > headLength
    head = PartitionedConvolution(paths, frames: 0..<min(length, headLength), partition: Self.blockLength)
    rest = PartitionedConvolution(paths, frames: headLength..<max(headLength, length), partition: Self.tailLength)
    tail = length + 4 * Self.tailLength
    playing = alignedFloats(outputCount * Self.tailLength)
    coming = alignedFloats(outputCount * Self.tailLength)
  }

  deinit {
    playing.deallocate()
    coming.deallocate()
  }

  /// Takes the next block of an input. All inputs come before `process`.
  @_noLocks
  public mutating func take(_ input: Int, _ samples: UnsafePointer<Float>) {
    head.take(input, samples, at: 0, count: Self.blockLength)
    if hasRest { rest.take(input, samples, at: place &* Self.blockLength, count: Self.blockLength) }
  }

  /// Goes on by a block. What is read of the outputs then is of that block.
  @_noLocks
  public mutating func process() {
    head.begin()
    head.accumulate(part: 0, of: 1)
    guard hasRest else { return }
    // A partition that is complete is worked on while the next one comes in, and heard in the cycle after that.
    if place < Self.cycle &- 1 {
      rest.accumulate(part: place, of: Self.cycle &- 1)
    } else {
      for output in 0..<outputCount { rest.finish(output, into: coming + output &* Self.tailLength) }
    }
  }

  /// Writes a block of an output, after `process`.
  @_noLocks
  public mutating func give(_ output: Int, into samples: UnsafeMutablePointer<Float>) {
    head.finish(output, into: samples)
    guard hasRest else { return }
    let added = playing + (output &* Self.tailLength &+ place &* Self.blockLength)
    for frame in 0..<Self.blockLength { samples[frame] += added[frame] }
  }

  /// Ends the block, after all outputs were read.
  @_noLocks
  public mutating func advance() {
    guard hasRest else { return }
    place &+= 1
    guard place == Self.cycle else { return }
    place = 0
    swap(&playing, &coming)
    rest.begin()
  }
}
