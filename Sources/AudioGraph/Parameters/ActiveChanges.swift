import SynthRealtime

/// The scheduled changes whose time has come, as lines, until each is drawn to its end. [audio thread]
///
/// The renderer advances it before a quantum. During the quantum it stays as it is, so that every kernel sees the same.
struct ActiveChanges: ~Copyable {
  // First for ThreadSanitizer's sake, as in `ScheduledChanges`.
  private let parameters: UnsafeMutablePointer<ParameterLines>
  private let done: RingBuffer<UInt>.Producer
  /// How many parameters have lines.
  private(set) var count = 0
  private let memory: UnsafeMutablePointer<ParameterLine>
  /// How many places of the memory were ever in use, and those of them that are not: the first `freeCount`.
  private var usedCount = 0
  private let free: UnsafeMutablePointer<UnsafeMutablePointer<ParameterLine>>
  private var freeCount = 0

  /// - Parameters:
  ///   - capacity: how many lines there may be at a time.
  ///   - done: takes the parameters of lines that have ended; has room for all.
  init(capacity: Int, done: RingBuffer<UInt>.Producer) {
    self.done = done
    parameters = .allocate(capacity: capacity)
    memory = .allocate(capacity: capacity)
    free = .allocate(capacity: capacity)
  }

  deinit {
    for index in 0..<count {
      var line = parameters[index].first
      while let present = line {
        ScheduledChange.release(present.pointee.change.parameter)
        line = present.pointee.next
      }
    }
    parameters.deallocate()
    free.deallocate()
    memory.deallocate()
  }

  /// The first line of a parameter; nil where it has none.
  @_noLocks
  func first(of cell: UnsafeMutablePointer<ParameterCell>) -> UnsafeMutablePointer<ParameterLine>? {
    if let place = place(of: cell) { parameters[place].first } else { nil }
  }

  /// Takes a change over. There is room: the control side counts what is on its way.
  @_noLocks
  mutating func insert(_ change: ScheduledChange, noEarlierThan start: Int64) {
    let line = freePlace()
    line.initialize(to: ParameterLine(change, time: max(change.time, start)))
    if let place = place(of: change.cell) { return parameters[place].insert(line) }
    (parameters + count).initialize(to: ParameterLines(of: change.cell, line))
    change.cell.pointee.place.store(count, ordering: .relaxed)
    count &+= 1
  }

  @_noLocks
  private mutating func freePlace() -> UnsafeMutablePointer<ParameterLine> {
    guard freeCount == 0 else {
      freeCount &-= 1
      return free[freeCount]
    }
    usedCount &+= 1
    return memory + (usedCount &- 1)
  }

  /// Ends what is over, and gives every parameter the value it has at the end of a quantum.
  @_noLocks
  mutating func advance(to quantum: Range<Int64>) {
    var place = 0
    while place < count {
      let lines = parameters + place
      // Who sets a parameter at once overrules what has begun.
      if lines.pointee.isOverruled { remove(lines) { $0.hasBegun } }
      while let first = lines.pointee.first, first.pointee.isOver(at: quantum.lowerBound) { removeFirst(of: lines) }
      guard lines.pointee.first != nil else {
        forget(place)
        continue
      }
      lines.pointee.begin(before: quantum.upperBound)
      place &+= 1
    }
  }

  /// Drops what was asked for no later than `order`; what had begun is at its end at once.
  @_noLocks
  mutating func discard(through order: UInt64) {
    var place = 0
    while place < count {
      parameters[place].finish()
      remove(parameters + place) { $0.hasBegun || $0.change.order <= order }
      // A parameter without lines may be released.
      if parameters[place].first == nil { forget(place) } else { place &+= 1 }
    }
  }

  /// Drops what a parameter has from a frame on.
  @_noLocks
  mutating func cancel(_ cell: UnsafeMutablePointer<ParameterCell>, from time: Int64) {
    guard let place = place(of: cell) else { return }
    var rest = parameters[place].takeLines(from: time)
    while let line = rest {
      rest = line.pointee.next
      end(line)
    }
    if parameters[place].first == nil { forget(place) }
  }

  @_noLocks
  private func place(of cell: UnsafeMutablePointer<ParameterCell>) -> Int? {
    let place = cell.pointee.place.load(ordering: .relaxed)
    return place < count && parameters[place].cell == cell ? place : nil
  }

  @_noLocks
  private mutating func forget(_ place: Int) {
    count &-= 1
    guard place < count else { return }
    parameters[place] = parameters[count]
    parameters[place].cell.pointee.place.store(place, ordering: .relaxed)
  }

  @_noLocks
  private mutating func remove(
    _ lines: UnsafeMutablePointer<ParameterLines>, where isUnwanted: (ParameterLine) -> Bool
  ) {
    var rest = lines.pointee.first
    lines.pointee.clear()
    while let line = rest {
      rest = line.pointee.next
      if isUnwanted(line.pointee) { end(line) } else { lines.pointee.insert(line) }
    }
  }

  @_noLocks
  private mutating func removeFirst(of lines: UnsafeMutablePointer<ParameterLines>) {
    if let first = lines.pointee.removeFirst() { end(first) }
  }

  /// Sends a line's parameter home.
  @_noLocks
  private mutating func end(_ line: UnsafeMutablePointer<ParameterLine>) {
    _ = done.push(line.pointee.change.parameter)
    free[freeCount] = line
    freeCount &+= 1
  }
}
