import CSynthSampling

/// A reverb, stereo in and out, wet only: a feedback delay network of sixteen modulated lines.
///
/// Every line holds a path through the room. What comes out of the lines has lost what the walls absorb, and is mixed
/// by a Hadamard matrix into all of them again (M. Puckette, J. Stautner, 1982; J.-M. Jot, 1991). The input enters each
/// line after another time, so that sixteen first reflections become 256 and then 4096. Two rows of the matrix,
/// orthogonal, are left and right. The work is done a block at a time, line by line. Lives in raw memory that a node
/// owns; making and destroying are for the control thread, all else for the audio thread.
public struct ReverbProcessor: ~Copyable {
  private static let lineCount = 16
  /// The transform adds up sixteen lines; this keeps their energy.
  private static let mixGain: Float = 0.25
  /// Blocks in which the sound fades before a change of the room, and comes back after it: 21 ms at 48 kHz.
  private static let fadeBlocks = 16
  /// Where the magnitudes of a block add up to less, -140 dB, it counts as silent.
  private static let silence: Float = 1e-7

  private let sampleRate: Float
  private let geometries: UnsafeMutablePointer<ReverbGeometry>
  private var geometry: ReverbGeometry
  private var room: ReverbRoom
  private var wantedRoom: ReverbRoom
  private var absorption = ReverbAbsorption()
  private var modulation: ReverbModulation

  private let lines: UnsafeMutablePointer<BlockDelay>
  private var leftInput: BlockDelay
  private var rightInput: BlockDelay
  /// A block of each line, one after the other.
  private let block: UnsafeMutablePointer<Float>
  /// Where each line is read: a whole number of frames, and the weights of `reverb_read`.
  private let wholes: UnsafeMutablePointer<Int32>
  private let weights: UnsafeMutablePointer<Float>

  private var fade: Float = 1
  private var silentBlocks: Int32
  /// As many silent blocks as the longest line has: then there is nothing left in any.
  private let lastingBlocks: Int32

  /// - Parameter sampleRate: in hertz, 1000 to 768,000, to which it is clamped.
  public init(type: ReverbType = .largeHall, sampleRate: Double) {
    let sampleRate = clampedRate(sampleRate, to: 1000...768_000)
    self.sampleRate = Float(sampleRate)
    geometries = .allocate(capacity: ReverbType.allCases.count)
    for (index, type) in ReverbType.allCases.enumerated() {
      (geometries + index).initialize(to: ReverbGeometry(type, sampleRate: sampleRate))
    }
    room = ReverbRoom(type, time: type.standardTime)
    wantedRoom = room
    geometry = geometries[Int(room.index)]
    modulation = ReverbModulation(sampleRate: sampleRate, blockSize: blockSize)
    let capacity = ReverbGeometry.capacity(sampleRate: sampleRate)
    lines = .allocate(capacity: Self.lineCount)
    for line in 0..<Self.lineCount { (lines + line).initialize(to: BlockDelay(longest: capacity)) }
    leftInput = BlockDelay(longest: capacity)
    rightInput = BlockDelay(longest: capacity)
    let byteCount = Self.lineCount * blockSize * MemoryLayout<Float>.stride
    block = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
      .initializeMemory(as: Float.self, repeating: 0, count: Self.lineCount * blockSize)
    wholes = .allocate(capacity: Self.lineCount)
    weights = .allocate(capacity: 8 * Self.lineCount)
    lastingBlocks = Int32(capacity / blockSize + 2)
    silentBlocks = lastingBlocks
    absorption.set(geometry, time: room.time, sampleRate: self.sampleRate, gain: Self.mixGain)
  }

  deinit {
    for line in 0..<Self.lineCount { lines[line].deallocate() }
    lines.deallocate()
    leftInput.deallocate()
    rightInput.deallocate()
    geometries.deallocate()
    block.deallocate()
    wholes.deallocate()
    weights.deallocate()
  }

  /// Asks for another room; what sounds fades for it. The present one asked for again changes nothing.
  @_noLocks
  public mutating func set(_ room: ReverbRoom) { wantedRoom = room }

  /// Gives a block of reverberation; an output may be the same memory as its input.
  ///
  /// Tell by `inputIsSilent` that the input is all zero. Returns true when the output is all zero too: once the last
  /// tail has died, it costs next to nothing.
  @_noLocks
  public mutating func process(
    left: UnsafePointer<Float>, right: UnsafePointer<Float>, leftOutput: UnsafeMutablePointer<Float>,
    rightOutput: UnsafeMutablePointer<Float>, inputIsSilent: Bool
  ) -> Bool {
    if inputIsSilent, silentBlocks >= lastingBlocks {
      if silentBlocks == lastingBlocks { clear() }
      changeRoom()
      leftOutput.update(repeating: 0, count: blockSize)
      rightOutput.update(repeating: 0, count: blockSize)
      return true
    }
    leftInput.write(left)
    rightInput.write(right)
    readLines()
    absorption.filter(block)
    // The energy becomes sixteen times as much; `mixGain` takes that away.
    reverb_mix(block)
    fadeForChange()
    writeLines()
    deliver(leftOutput, rightOutput, inputIsSilent: inputIsSilent)
    return false
  }

  /// What arrives at the end of each line, and what enters there from the input.
  ///
  /// Between the samples runs Lagrange's cubic through four of them, whose weights are drawn in a straight line from
  /// the first frame's to the last's: the length moves by less than a tenth of a sample in a block.
  @_noLocks
  private mutating func readLines() {
    let before = modulation.sine
    modulation.advance()
    var (lengths, start, end) = (geometry.lengths, before, modulation.sine)
    reverb_aim(&lengths, geometry.swing, &start, &end, wholes, weights)
    for line in 0..<Self.lineCount {
      let input = line & 1 == 0 ? leftInput : rightInput
      reverb_read(
        lines[line].window(Int(wholes[line]) &+ 2), weights + 8 &* line,
        // The input's block has been taken over already, so it lies a block further back.
        input.window(Int(geometry.entries[line]) &+ blockSize), block + line &* blockSize)
    }
  }

  @_noLocks
  private func writeLines() {
    for line in 0..<Self.lineCount { lines[line].write(block + line &* blockSize) }
  }

  /// Fades what goes into the lines and out where the room is about to change, or has just changed.
  @_noLocks
  private mutating func fadeForChange() {
    let start = fade
    let step: Float = 1 / Float(Int32(Self.fadeBlocks))
    fade = wantedRoom == room ? min(1, fade + step) : max(0, fade - step)
    guard start < 1 || fade < 1 else { return }
    let slope = (fade - start) / Float(Int32(blockSize))
    for line in 0..<Self.lineCount {
      let samples = block + line &* blockSize
      for n in 0..<blockSize { samples[n] *= start + slope * Float(Int32(n &+ 1)) }
    }
  }

  /// Two rows of the matrix are left and right.
  @_noLocks
  private mutating func deliver(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, inputIsSilent: Bool
  ) {
    let (first, second) = (block + 5 &* blockSize, block + 10 &* blockSize)
    var sum: Float = 0
    reverb_deliver(first, second, geometry.gain, left, right, &sum)
    // One bad frame from upstream would otherwise circulate for good.
    if !(sum < .infinity) {
      clear()
      left.update(repeating: 0, count: blockSize)
      right.update(repeating: 0, count: blockSize)
    }
    silentBlocks = inputIsSilent && sum < Self.silence ? silentBlocks &+ 1 : 0
    if fade == 0 { changeRoom() }
  }

  @_noLocks
  private mutating func changeRoom() {
    if wantedRoom == room { return }
    if wantedRoom.index != room.index { clearLines() }
    room = wantedRoom
    geometry = geometries[Int(room.index)]
    absorption.set(geometry, time: room.time, sampleRate: sampleRate, gain: Self.mixGain)
  }

  @_noLocks
  private mutating func clearLines() {
    for line in 0..<Self.lineCount { lines[line].clear() }
    absorption.clear()
  }

  @_noLocks
  private mutating func clear() {
    clearLines()
    leftInput.clear()
    rightInput.clear()
    silentBlocks = lastingBlocks &+ 1
  }
}
