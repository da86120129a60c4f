import DSP
import Realtime

/// The control segments of a voice in a quantum, and the amplitude each goes to. [audio thread]
struct VoiceCourse: BitwiseCopyable {
  fileprivate private(set) var count = 0
  fileprivate private(set) var starts = SIMD8<Int32>(repeating: 0)
  fileprivate private(set) var targets = SIMD8<Float>(repeating: 0)

  @_noLocks
  init() {}

  /// - Parameter start: its first frame, behind that of the one before.
  @_noLocks
  mutating func add(start: Int32, target: Double) {
    guard count < 8 else { return }
    starts[count] = start
    targets[count] = Float(target)
    count &+= 1
  }
}

/// The courses of the voices of a batch. [audio thread]
struct BatchCourses: BitwiseCopyable {
  var lanes = InlineArray<8, VoiceCourse>(repeating: VoiceCourse())

  @_noLocks
  init() {}

  /// Lets the rows pass the filters, in stretches from one segment's start to the next one's.
  @_noLocks
  func process(_ rows: UnsafeMutablePointer<Float>, _ bank: UnsafeMutablePointer<ResonantBank>, laneCount: Int) {
    var starts: UInt64 = 1
    for lane in 0..<laneCount {
      for segment in 0..<lanes[lane].count { starts |= 1 &<< UInt64(lanes[lane].starts[segment] & 63) }
    }
    while starts != 0 {
      let first = starts.trailingZeroBitCount
      starts &= starts &- 1
      let end = starts == 0 ? renderQuantum : starts.trailingZeroBitCount
      for lane in 0..<laneCount { aim(lane, at: first, bank) }
      bank.pointee.process(rows, first: first, count: end &- first)
    }
  }

  /// Begins the segment of a lane that starts at a frame, if one does.
  @_noLocks
  private func aim(_ lane: Int, at frame: Int, _ bank: UnsafeMutablePointer<ResonantBank>) {
    let course = lanes[lane]
    for segment in 0..<course.count where Int(course.starts[segment]) == frame {
      let end = segment &+ 1 < course.count ? Int(course.starts[segment &+ 1]) : renderQuantum
      bank.pointee.aimAmplitude(lane, at: course.targets[segment], frames: end &- frame)
    }
  }
}
