import SynthDSP
import SynthRealtime

/// The control segments of a voice in a quantum, and the amplitude each goes to. [audio thread]
struct VoiceCourse: BitwiseCopyable {
  fileprivate private(set) var count = 0
  fileprivate private(set) var starts = InlineArray<8, Int32>(repeating: 0)
  fileprivate private(set) var targets = InlineArray<8, Float>(repeating: 0)

  /// How many frames of the quantum it has: behind the end of a wave not even the filter rings on.
  fileprivate private(set) var frameCount = Int32(renderQuantum)

  @_noLocks
  init() {}

  /// Forgets the last quantum.
  @_noLocks
  mutating func begin() {
    count = 0
    frameCount = Int32(renderQuantum)
    isHeard = false
  }

  /// Whether anything of the wave is read, and the place in the stereo image followed: not during the delay.
  private(set) var isHeard = false

  /// Ends the voice before a frame.
  @_noLocks
  mutating func end(before frame: Int32) { frameCount = frame }

  /// Adds a segment in which the wave is read.
  ///
  /// - Parameter start: its first frame, behind that of the one before.
  @_noLocks
  mutating func add(start: Int32, target: Double) {
    isHeard = true
    append(start, target)
  }

  /// Adds a segment without a sound.
  @_noLocks
  mutating func addSilence(start: Int32) { append(start, 0) }

  @_noLocks
  private mutating func append(_ start: Int32, _ target: Double) {
    guard count < 8 else { return }
    starts[count] = start
    targets[count] = Float(target)
    count &+= 1
  }
}

/// The courses of the voices of a batch, one after the other. [audio thread]
struct BatchCourses {
  private let lanes: UnsafeMutablePointer<VoiceCourse>
  private let laneCount: Int

  @_noLocks
  init(_ lanes: UnsafeMutablePointer<VoiceCourse>, laneCount: Int) {
    self.lanes = lanes
    self.laneCount = laneCount
  }

  /// Lets the rows pass the filters, in stretches from one segment's start to the next one's.
  ///
  /// - Parameter banks: one for each eight lanes.
  @_noLocks
  func process(_ rows: UnsafeMutablePointer<Float>, _ banks: UnsafeMutablePointer<ResonantBank>) {
    var starts: UInt64 = 1
    for lane in 0..<laneCount {
      for segment in 0..<lanes[lane].count { starts |= 1 &<< UInt64(lanes[lane].starts[segment] & 63) }
    }
    while starts != 0 {
      let first = starts.trailingZeroBitCount
      starts &= starts &- 1
      let end = starts == 0 ? renderQuantum : starts.trailingZeroBitCount
      for lane in 0..<laneCount { aim(lane, at: first, banks + lane / VoicePool.laneCount) }
      if laneCount > VoicePool.laneCount {
        ResonantBank.processTwo(banks, rows, first: first, count: end &- first)
      } else {
        banks.pointee.process(rows, first: first, count: end &- first)
      }
    }
    for lane in 0..<laneCount {
      for frame in Int(lanes[lane].frameCount)..<renderQuantum { rows[lane &* renderQuantum &+ frame] = 0 }
    }
  }

  /// Begins the segment of a lane that starts at a frame, if one does.
  @_noLocks
  private func aim(_ lane: Int, at frame: Int, _ bank: UnsafeMutablePointer<ResonantBank>) {
    let count = lanes[lane].count
    for segment in 0..<count where Int(lanes[lane].starts[segment]) == frame {
      let end = segment &+ 1 < count ? Int(lanes[lane].starts[segment &+ 1]) : renderQuantum
      bank.pointee.aimAmplitude(
        lane % VoicePool.laneCount, at: lanes[lane].targets[segment], frames: end &- frame)
    }
  }
}
