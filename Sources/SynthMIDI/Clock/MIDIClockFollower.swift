/// Tells tempo and position of another machine by the MIDI clock that it sends.
///
///     try source.start { event in
///       guard case .received(.clock(let message), _, let time) = event else { return }
///       follower.withLock { $0.receive(message, at: time) }
///     }
///
/// The tempo is that of the line of least squares through the clocks of the last four seconds: where each comes up to
/// 1 ms early or late, it is steady within 0.1 quarter notes per minute. When eight clocks together leave the line by 3
/// ms, the tempo has changed, and the line begins with them.
public struct MIDIClockFollower: Sendable {
  /// Whether the other machine plays; its clock may run while it does not.
  public private(set) var isRunning = false
  /// Quarter notes per minute; nil before eight clocks have come.
  public private(set) var tempo: Double?

  /// When the latest clocks came, in seconds.
  private var times: [Double] = []
  /// The line, once there is a tempo.
  private var line: Line?
  /// The number in the song of the clock that comes next.
  private var next = 0
  /// The number of the first clock since the machine began to play.
  private var first = 0

  private static let window = 4.0
  private static let fewest = 8
  /// In seconds: how far the last clocks may lie from the line through those before them.
  private static let tolerance = 0.003
  /// In seconds: five quarter notes per minute are slower than any music, so there was a pause.
  private static let longestInterval = 0.5

  /// Nothing is known yet.
  public init() {}

  /// Takes a message.
  ///
  /// - Parameter hostTime: when it was sent, in nanoseconds of the monotonic clock.
  public mutating func receive(_ message: MIDIClockMessage, at hostTime: UInt64) {
    switch message {
    case .start: (isRunning, next, first) = (true, 0, 0)
    case .continue: (isRunning, first) = (true, next)
    case .stop: isRunning = false
    case .songPosition(let position):
      next = Int(position) * MIDIClockMessage.clocksPerPosition
      first = next
    case .clock:
      take(Double(hostTime) / 1e9)
      if isRunning { next += 1 }
    }
  }

  private mutating func take(_ time: Double) {
    if let last = times.last, !(0...Self.longestInterval).contains(time - last) { times = [] }
    times.append(time)
    times.removeFirst(times.firstIndex { $0 >= time - Self.window } ?? 0)
    if times.count >= 4 * Self.fewest {
      let former = Line(times.dropLast(Self.fewest))
      let distances = times.suffix(Self.fewest).enumerated().map {
        $1 - former.time(at: Double(times.count - Self.fewest + $0))
      }
      if abs(distances.reduce(0, +)) > Self.tolerance * Double(Self.fewest) {
        times.removeFirst(times.count - Self.fewest)
      }
    }
    guard times.count >= Self.fewest else { return (tempo, line) = (nil, nil) }
    let line = Line(times[...])
    self.line = line
    tempo = line.interval > 0 ? 60 / (line.interval * Double(MIDIClockMessage.clocksPerBeat)) : nil
  }

  /// Where the song is, in quarter notes from its beginning. Between clocks it goes on at the tempo, for a quarter note
  /// if no other comes; where nothing plays, it is the place to go on from.
  ///
  /// - Parameter hostTime: in nanoseconds of the monotonic clock.
  public func beat(at hostTime: UInt64) -> Double {
    let perBeat = Double(MIDIClockMessage.clocksPerBeat)
    guard isRunning, next > first else { return Double(next) / perBeat }
    guard let line, line.interval > 0 else { return Double(next - 1) / perBeat }
    let passed = (Double(hostTime) / 1e9 - line.time(at: Double(times.count - 1))) / line.interval
    return max(Double(next - 1) + min(passed, perBeat), Double(first)) / perBeat
  }

  /// The line of least squares through times that are numbered from 0.
  private struct Line {
    let start: Double
    let interval: Double

    init(_ times: ArraySlice<Double>) {
      let middle = Double(times.count - 1) / 2
      // Times of the monotonic clock may be large; their differences are not.
      let origin = times.first ?? 0
      var (sum, products, squares) = (0.0, 0.0, 0.0)
      for (number, time) in times.enumerated() {
        let distance = Double(number) - middle
        sum += time - origin
        products += distance * (time - origin)
        squares += distance * distance
      }
      interval = squares > 0 ? products / squares : 0
      start = origin + sum / Double(max(times.count, 1)) - interval * middle
    }

    func time(at number: Double) -> Double { start + interval * number }
  }
}
