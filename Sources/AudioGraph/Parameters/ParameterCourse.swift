import SynthRealtime

/// What scheduled changes make of a parameter in one quantum: straight lines, on a curve one to each frame. [audio
/// thread]
///
///     if let course = rate.course(in: context) {
///       var pieces = course.pieces
///       while let piece = pieces.next() { render(piece.frames, from: piece.start, to: piece.end) }
///     } else {
///       render(0..<renderQuantum, rate.renderValue)
///     }
public struct ParameterCourse {
  private let first: UnsafeMutablePointer<ParameterLine>
  private let quantum: UnsafePointer<GroupQuantum>

  @_noLocks
  fileprivate init(_ first: UnsafeMutablePointer<ParameterLine>, _ quantum: UnsafePointer<GroupQuantum>) {
    self.first = first
    self.quantum = quantum
  }

  /// The render value at the frame before the quantum.
  public var before: Float {
    @_noLocks get { pieces.valueBefore }
  }

  /// All of the quantum's frames, piece by piece.
  public var pieces: Pieces {
    @_noLocks get { Pieces(first, quantum) }
  }

  /// A stretch of frames on which the render value goes in a straight line.
  public struct Piece {
    /// Within the quantum.
    public let frames: Range<Int>
    /// The value from which the first of the frames is a step away; the end's where all have the same.
    public let start: Float
    /// The value of the last of the frames.
    public let end: Float
  }

  /// The pieces of a quantum, from the first to the last.
  public struct Pieces {
    private let quantum: UnsafePointer<GroupQuantum>
    /// The line that has begun, and the one after it.
    private var present: UnsafeMutablePointer<ParameterLine>?
    private var following: UnsafeMutablePointer<ParameterLine>?
    /// The value before the first line.
    private let start: Float
    private var frame = 0
    /// Where the first of the lines that begin in the quantum ends; what moved the value before has ended there too.
    fileprivate private(set) var restEnd = Int.max

    @_noLocks
    fileprivate init(_ first: UnsafeMutablePointer<ParameterLine>, _ quantum: UnsafePointer<GroupQuantum>) {
      self.quantum = quantum
      following = first
      start = first.pointee.start
      begin(until: -1)
    }

    fileprivate var valueBefore: Float {
      @_noLocks get {
        guard let present else { return start }
        let begin = place(of: present.pointee.time)
        return present.pointee.value(after: Int64(-begin), of: Int64(length(of: present)))
      }
    }

    /// nil after the last.
    @_noLocks
    public mutating func next() -> Piece? {
      guard frame < renderQuantum else { return nil }
      begin(until: frame)
      let first = frame
      frame = following.map { min(place(of: $0.pointee.time), renderQuantum) } ?? renderQuantum
      guard let present else { return Piece(frames: first..<frame, start: start, end: start) }
      let line = present.pointee
      let (begin, length) = (place(of: line.time), max(1, length(of: present)))
      if begin >= 0 { restEnd = min(restEnd, begin &+ length) }
      // One frame is a jump, and lies on the level line that follows.
      guard length > 1, first < begin &+ length else {
        return Piece(frames: first..<frame, start: line.change.word.renderValue, end: line.change.word.renderValue)
      }
      // A curve is straight from frame to frame.
      frame = line.change.curve.isStraight ? min(frame, begin &+ length) : first &+ 1
      return Piece(
        frames: first..<frame, start: line.value(after: Int64(first &- begin), of: Int64(length)),
        end: line.value(after: Int64(frame &- begin), of: Int64(length)))
    }

    @_noLocks
    private mutating func begin(until frame: Int) {
      while let next = following, place(of: next.pointee.time) <= frame {
        (present, following) = (next, next.pointee.next)
      }
    }

    /// The frame of the quantum that is the first of the node's not before an engine's.
    @_noLocks
    private func place(of time: Int64) -> Int {
      Int(quantum.pointee.framesPerFrame.ceiling(of: time) &- quantum.pointee.sampleTime)
    }

    @_noLocks
    private func length(of line: UnsafeMutablePointer<ParameterLine>) -> Int {
      place(of: line.pointee.time &+ line.pointee.change.length) &- place(of: line.pointee.time)
    }
  }
}

extension ParameterReader {
  /// What scheduled changes make of the parameter in this quantum; nil where there are none, and `renderValue` counts.
  @_noLocks
  public func course(in context: RenderContext) -> ParameterCourse? {
    guard let changes = context.quantum.pointee.changes, let first = changes.pointee.first(of: cell) else {
      return nil
    }
    return ParameterCourse(first, context.quantum)
  }

  /// Whether the parameter has a course in this quantum. Out of line, because most quanta have no changes at all.
  @_noLocks
  @inline(never)
  func follows(_ context: RenderContext) -> Bool { course(in: context) != nil }

  /// Writes down the render value of each frame of a quantum.
  @_noLocks
  func fill(_ values: UnsafeMutablePointer<Float>, in context: RenderContext) -> CurveStart {
    guard let course = course(in: context) else {
      let value = renderValue
      values.update(repeating: value, count: renderQuantum)
      return CurveStart(value: value, restEnd: .max)
    }
    var pieces = course.pieces
    while let piece = pieces.next() {
      let step = (piece.end - piece.start) / Float(Int32(truncatingIfNeeded: piece.frames.count))
      for frame in piece.frames {
        values[frame] = piece.start + step * Float(Int32(truncatingIfNeeded: frame &- piece.frames.lowerBound &+ 1))
      }
      values[piece.frames.upperBound &- 1] = piece.end
    }
    return CurveStart(value: course.before, restEnd: pieces.restEnd)
  }
}

/// How a parameter comes into a quantum.
struct CurveStart {
  /// At the frame before.
  let value: Float
  /// After how many frames nothing may be left of what moved it before.
  let restEnd: Int

  @_noLocks
  init(value: Float, restEnd: Int) {
    self.value = value
    self.restEnd = restEnd
  }
}
