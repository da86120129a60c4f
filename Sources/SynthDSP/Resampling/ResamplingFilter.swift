import CSynthSampling

/// Reads windows of a stream through the weights of a table, or of a filter wider than its.
struct ResamplingFilter: ~Copyable {
  /// The most frames that are read at once.
  static var batchLength: Int {
    @_noLocks @_noAllocation get { 64 }
  }

  /// In frames of input, to either side.
  let reach: Int
  private let step: ResamplerStep
  private let channelCount: Int
  private let table: Unmanaged<ResamplingTable>
  private let rows: UnsafePointer<Float>
  private let phaseCount: Int
  private let places: UnsafeMutablePointer<resampler_place>
  /// Weights that no table has.
  private let row: UnsafeMutablePointer<Float>

  /// - Parameter longestReach: of the filters that are read through.
  init(_ step: ResamplerStep, channelCount: Int, longestReach: Int) {
    let table = ResamplingTable.shared(.init(stretch: step.stretch, phaseCount: step.phaseCount))
    self.step = step
    self.channelCount = channelCount
    self.table = .passRetained(table)
    rows = table.rows
    phaseCount = table.kind.phaseCount
    reach = table.tapCount / 2
    places = .allocate(capacity: Self.batchLength)
    places.initialize(repeating: resampler_place(), count: Self.batchLength)
    row = .allocate(capacity: 2 * longestReach)
    row.initialize(repeating: 0, count: 2 * longestReach)
  }

  deinit {
    row.deallocate()
    places.deallocate()
    table.release()
  }

  /// Writes up to `count` frames, a batch at most, as far as the history reaches: how many. [audio thread]
  @_noLocks @_noAllocation
  func read(
    _ history: borrowing ResamplerHistory, at position: inout ResamplerPosition,
    into output: UnsafeMutablePointer<Float>, count: Int, step: Double
  ) -> Int {
    let place = self.step.isSame(as: step) ? position.place(of: self.step.denominator) : -1
    let first = position.frame
    let end = history.end &- reach
    let made =
      place < 0
      ? findPlaces(&position, before: end, count, step) : findTabulatedPlaces(&position, place, before: end, count)
    guard made > 0 else { return 0 }
    let window = history.window(from: first &- reach &+ 1)
    if place < 0 {
      resampler_read_between(rows, 2 &* reach, places, made, window, history.stride, channelCount, row, output)
    } else {
      resampler_read(rows, 2 &* reach, places, made, window, history.stride, channelCount, output)
    }
    return made
  }

  /// Finds the places of frames between the table's rows: how many lie before the end.
  @_noLocks @_noAllocation
  private func findPlaces(
    _ position: inout ResamplerPosition, before end: Int, _ count: Int, _ step: Double
  ) -> Int {
    let first = position.frame
    var found = 0
    while found < count, position.frame < end {
      let phase = position.phase * Double(phaseCount)
      let nearest = Int32(phase + 0.5)
      places[found].frame = UInt32(truncatingIfNeeded: position.frame &- first)
      places[found].row = UInt32(bitPattern: nearest)
      places[found].beyond = Float(phase - Double(nearest))
      position.advance(by: step)
      found &+= 1
    }
    return found
  }

  /// The same where each frame's weights are a row of the table.
  @_noLocks @_noAllocation
  private func findTabulatedPlaces(
    _ position: inout ResamplerPosition, _ place: Int, before end: Int, _ count: Int
  ) -> Int {
    let (first, denominator) = (position.frame, step.denominator)
    let whole = step.numerator / denominator
    let part = step.numerator &- whole &* denominator
    let rowsPerPlace = phaseCount / denominator
    var place = place
    var found = 0
    while found < count, position.frame < end {
      places[found].frame = UInt32(truncatingIfNeeded: position.frame &- first)
      places[found].row = UInt32(truncatingIfNeeded: place &* rowsPerPlace &+ 1)
      place &+= part
      let isNext = place >= denominator
      if isNext { place &-= denominator }
      position.frame &+= isNext ? whole &+ 1 : whole
      found &+= 1
    }
    position.phase = Double(place) / Double(denominator)
    return found
  }

  /// `read` for steps whose filter is wider than the table's, which is that of equal rates. [audio thread]
  @_noLocks @_noAllocation
  func readStretched(
    _ history: borrowing ResamplerHistory, at position: inout ResamplerPosition,
    into output: UnsafeMutablePointer<Float>, count: Int, step: Double, reach: Int
  ) -> Int {
    var made = 0
    places[0] = resampler_place()
    while made < count, position.frame &+ reach < history.end {
      let first = Double(self.reach) - (Double(reach &- 1) + position.phase) / step
      resampler_stretch(rows, first, 1 / step, row, 2 &* reach)
      resampler_read(
        row, 2 &* reach, places, 1, history.window(from: position.frame &- reach &+ 1), history.stride, channelCount,
        output + made &* channelCount)
      position.advance(by: step)
      made &+= 1
    }
    return made
  }
}
