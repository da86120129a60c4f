import CSynthRealtime

/// A set of head-related transfer functions at one rate, on a grid of 5° by 5°: plain memory for the audio thread.
public final class HRTFTable: @unchecked Sendable {
  /// What the audio thread reads; valid while the table lives.
  public let grid: HRTFGrid

  init(tapCount: Int) { grid = HRTFGrid(tapCount: tapCount) }

  deinit { grid.free() }

  func set(_ cell: Int, taps: UnsafePointer<Float>, delays: (Float, Float)) {
    grid.set(cell, taps: taps, delays: delays)
  }
}

/// The memory of an `HRTFTable`, which keeps it alive. [audio thread]
public struct HRTFGrid: @unchecked Sendable {
  /// In degrees.
  private static var step: Float { @_noLocks get { 5 } }
  /// From -180° to 180°, with both ends.
  private static var columnCount: Int { @_noLocks get { 73 } }
  /// From -90° to 90°.
  private static var rowCount: Int { @_noLocks get { 37 } }

  /// Of one ear; a multiple of eight.
  public let tapCount: Int
  /// For each cell the left ear's taps, then the right ear's.
  private let taps: UnsafeMutablePointer<Float>
  /// For each cell the left ear's delay and the right ear's, in frames; none is below 0.
  private let delays: UnsafeMutablePointer<Float>

  fileprivate init(tapCount: Int) {
    self.tapCount = tapCount
    let count = Self.rowCount * Self.columnCount
    taps = UnsafeMutableRawPointer.allocate(
      byteCount: count * 2 * tapCount * MemoryLayout<Float>.stride, alignment: 64
    ).initializeMemory(as: Float.self, repeating: 0, count: count * 2 * tapCount)
    delays = .allocate(capacity: 2 * count)
    delays.initialize(repeating: 0, count: 2 * count)
  }

  fileprivate func free() {
    taps.deallocate()
    delays.deallocate()
  }

  var cells: Range<Int> { 0..<Self.rowCount * Self.columnCount }

  func place(of cell: Int) -> PolarPosition {
    PolarPosition(
      azimuth: Float(cell % Self.columnCount) * Self.step - 180,
      elevation: Float(cell / Self.columnCount) * Self.step - 90)
  }

  fileprivate func set(_ cell: Int, taps: UnsafePointer<Float>, delays: (Float, Float)) {
    (self.taps + cell * 2 * tapCount).update(from: taps, count: 2 * tapCount)
    (self.delays[2 * cell], self.delays[2 * cell + 1]) = delays
  }

  /// The longest delay, in frames.
  public var longestDelay: Float { cells.reduce(0) { max($0, delays[2 * $1], delays[2 * $1 + 1]) } }

  /// Writes the taps for a direction, those of the left ear first, and gives the delays in frames: linear between the
  /// four cells around it. [audio thread]
  ///
  /// - Parameters:
  ///   - direction: from the listener, of length 1: x to the right, y up, z to the back.
  ///   - result: room for twice `tapCount`, 32-byte aligned.
  @_noLocks
  public func read(_ direction: SIMD3<Float>, into result: UnsafeMutablePointer<Float>) -> SIMD2<Float> {
    let place = PolarPosition(direction)
    let x = max(0, (place.azimuth + 180) / Self.step)
    let y = max(0, (place.elevation + 90) / Self.step)
    let (column, row) = (min(Self.columnCount &- 2, Int(x)), min(Self.rowCount &- 2, Int(y)))
    let (across, up) = (x - Float(Int32(column)), y - Float(Int32(row)))
    let cell = row &* Self.columnCount &+ column
    let above = cell &+ Self.columnCount
    let weights = SIMD4<Float>(
      (1 - across) * (1 - up), across * (1 - up), (1 - across) * up, across * up)
    let first = UnsafeRawPointer(taps + cell &* 2 &* tapCount)
    let second = UnsafeRawPointer(taps + (cell &+ 1) &* 2 &* tapCount)
    let third = UnsafeRawPointer(taps + above &* 2 &* tapCount)
    let fourth = UnsafeRawPointer(taps + (above &+ 1) &* 2 &* tapCount)
    let output = UnsafeMutableRawPointer(result)
    for offset in stride(from: 0, to: 2 &* tapCount &* 4, by: 32) {
      var sum = first.load(fromByteOffset: offset, as: SIMD8<Float>.self) * weights.x
      sum += second.load(fromByteOffset: offset, as: SIMD8<Float>.self) * weights.y
      sum += third.load(fromByteOffset: offset, as: SIMD8<Float>.self) * weights.z
      sum += fourth.load(fromByteOffset: offset, as: SIMD8<Float>.self) * weights.w
      output.storeBytes(of: sum, toByteOffset: offset, as: SIMD8<Float>.self)
    }
    return delay(cell) * weights.x + delay(cell &+ 1) * weights.y + delay(above) * weights.z
      + delay(above &+ 1) * weights.w
  }

  @_noLocks
  @inline(__always)
  private func delay(_ cell: Int) -> SIMD2<Float> { SIMD2(delays[2 &* cell], delays[2 &* cell &+ 1]) }
}
