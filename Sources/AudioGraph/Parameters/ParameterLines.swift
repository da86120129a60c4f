/// A scheduled change as it is drawn: from the value before it to the one that was asked for, by its curve.
struct ParameterLine: BitwiseCopyable {
  private(set) var change: ScheduledChange
  /// Its first frame, on the engine's clock; the first to differ from `start`.
  let time: Int64
  /// The value before it.
  private(set) var start: Float = 0
  /// Whether the parameter has been told.
  var hasBegun = false
  var next: UnsafeMutablePointer<ParameterLine>?

  @_noLocks
  init(_ change: ScheduledChange, time: Int64) {
    self.change = change
    self.time = time
  }

  /// - Parameter word: what the parameter has before it, or is on its way to; one that holds stays where it is.
  @_noLocks
  mutating func begin(from start: Float, _ word: ParameterWord) {
    self.start = start
    guard change.isHold else { return }
    change.word = word.renderValue == start ? word : ParameterWord(renderValue: start, change.scale)
  }

  /// The frame after its last.
  var end: Int64 {
    @_noLocks get { time &+ max(1, change.length) }
  }

  /// Whether nothing of it is left from a frame on, where no line comes after it or the next one has begun.
  @_noLocks
  func isOver(at frame: Int64) -> Bool {
    guard let next else { return end <= frame }
    return next.pointee.time <= frame
  }

  @_noLocks
  func value(at frame: Int64) -> Float { value(after: frame &- time &+ 1, of: change.length) }

  /// The value after so many of its frames.
  @_noLocks
  func value(after done: Int64, of length: Int64) -> Float {
    guard done > 0 else { return start }
    let target = change.word.renderValue
    guard done < length else { return target }
    return Float(change.curve.value(from: Double(start), to: Double(target), at: Double(done) / Double(length)))
  }
}

/// The lines of one parameter, in the order of time. [audio thread]
struct ParameterLines: BitwiseCopyable {
  let cell: UnsafeMutablePointer<ParameterCell>
  private(set) var first: UnsafeMutablePointer<ParameterLine>?
  private var last: UnsafeMutablePointer<ParameterLine>?
  /// What the parameter was told, or had, last.
  private var word: ParameterWord

  @_noLocks
  init(of cell: UnsafeMutablePointer<ParameterCell>, _ line: UnsafeMutablePointer<ParameterLine>) {
    self.cell = cell
    word = cell.pointee.load()
    insert(line)
  }

  /// Whether another thread has set the parameter since.
  var isOverruled: Bool {
    @_noLocks get { cell.pointee.load().bits != word.bits }
  }

  /// Forgets all lines; the parameter stays as it is.
  @_noLocks
  mutating func clear() {
    (first, last) = (nil, nil)
    word = cell.pointee.load()
  }

  /// Puts a line after those that begin no later.
  @_noLocks
  mutating func insert(_ line: UnsafeMutablePointer<ParameterLine>) {
    var before: UnsafeMutablePointer<ParameterLine>?
    if let last, last.pointee.time <= line.pointee.time {
      before = last
    } else {
      var next = first
      while let present = next, present.pointee.time <= line.pointee.time {
        (before, next) = (present, present.pointee.next)
      }
    }
    if let before {
      line.pointee.next = before.pointee.next
      before.pointee.next = line
      line.pointee.begin(from: before.pointee.value(at: line.pointee.time &- 1), before.pointee.change.word)
    } else {
      line.pointee.next = first
      line.pointee.begin(from: first?.pointee.start ?? word.renderValue, word)
      first = line
    }
    var present = line
    while let next = present.pointee.next {
      next.pointee.begin(from: present.pointee.value(at: next.pointee.time &- 1), present.pointee.change.word)
      present = next
    }
    last = present
  }

  /// Takes out the lines that begin at a frame or later: the first of them, with the others after it.
  @_noLocks
  mutating func takeLines(from time: Int64) -> UnsafeMutablePointer<ParameterLine>? {
    var line = first
    last = nil
    while let present = line, present.pointee.time < time { (last, line) = (present, present.pointee.next) }
    if let last { last.pointee.next = nil } else { first = nil }
    return line
  }

  @_noLocks
  mutating func removeFirst() -> UnsafeMutablePointer<ParameterLine>? {
    let removed = first
    first = removed?.pointee.next
    if first == nil { last = nil }
    return removed
  }

  /// Tells the parameter what it has at the frame before `end`: the value it goes to, and how far it is.
  @_noLocks
  mutating func begin(before end: Int64) {
    var begun: UnsafeMutablePointer<ParameterLine>?
    var line = first
    while let present = line, present.pointee.time < end {
      present.pointee.hasBegun = true
      (begun, line) = (present, present.pointee.next)
    }
    if let begun { tell(begun.pointee.change.word.rendered(as: begun.pointee.value(at: end &- 1))) }
  }

  /// Tells the parameter the end of what has begun.
  @_noLocks
  mutating func finish() {
    var begun: UnsafeMutablePointer<ParameterLine>?
    var line = first
    while let present = line, present.pointee.hasBegun { (begun, line) = (present, present.pointee.next) }
    if let begun { tell(begun.pointee.change.word) }
  }

  /// What another thread sets meanwhile is left alone.
  @_noLocks
  private mutating func tell(_ told: ParameterWord) {
    if told.bits != word.bits, cell.pointee.replace(word, with: told) { word = told }
  }
}
