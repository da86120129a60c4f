import SynthDSP
import SynthRealtime

/// A delay time on its way to what it is set to, in frames: over 200 ms, or as scheduled. [audio thread]
struct DelayCourse: ~Copyable {
  /// How long a change takes that is set at once, in seconds.
  private static let duration = 0.2

  /// For each frame of the quantum that was drawn last.
  let delays: UnsafeMutablePointer<Double>
  private let time: ParameterReader
  private var ramp = Ramp()
  private let curve = CurveMemory(curveCount: 1)
  private let blocks: Int
  private let sampleRate: Double
  private let longestDelay: Double

  /// - Parameters:
  ///   - time: as `parameter` makes it.
  ///   - longestDelay: in frames.
  init(_ time: Parameter, longestDelay: Int, sampleRate: Double) {
    self.time = time.reader
    self.sampleRate = sampleRate
    self.longestDelay = Double(longestDelay)
    blocks = max(1, Int((Self.duration * sampleRate / Double(renderQuantum)).rounded(.up)))
    delays = .allocate(capacity: renderQuantum)
    delays.initialize(repeating: 1, count: renderQuantum)
  }

  deinit { delays.deallocate() }

  /// A time up to `longest`, in seconds.
  static func parameter(_ name: String, longest: Float, default seconds: Float) -> Parameter {
    Parameter(
      name, unit: .seconds, range: 0...longest, default: seconds, precision: .frame, rampDuration: duration)
  }

  /// Lets the next quantum begin with the time that is set then: nothing sounds.
  @_noLocks
  mutating func rest() { ramp = Ramp() }

  /// Draws the next quantum.
  @_noLocks
  mutating func draw(_ context: RenderContext) {
    if context.hasChanges, time.follows(context) {
      ramp.follow(curve[0], from: time.fill(curve[0], in: context), blocks: blocks)
      for frame in 0..<renderQuantum { delays[frame] = frames(Double(curve[0][frame])) }
    } else {
      let line = ramp.next(toward: time.renderValue, blocks: blocks, blockSize: renderQuantum)
      for frame in 0..<renderQuantum {
        delays[frame] = frames(Double(line.start) + Double(line.step) * Double(frame &+ 1))
      }
    }
  }

  /// A time in frames. Whole ones are whole although the parameter rounds seconds to 24 bits.
  @_noLocks
  private func frames(_ seconds: Double) -> Double {
    let frames = min(max(1, seconds * sampleRate), longestDelay)
    let whole = Double(Int(frames + 0.5))
    return abs(frames - whole) < 1e-4 + frames * 1.2e-7 ? whole : frames
  }
}
