import SynthRealtime

/// The latest frames of a stream, found by their number; what was never written is silence. [audio thread]
///
/// It is the memory of nodes that take their input at another moment than they render. Frames are numbered by sample
/// time, so that neither side keeps a position that could run away from the other's.
struct FrameHistory: ~Copyable {
  let channelCount: Int
  /// The first frame of the present run of frames; all before are silent.
  private(set) var start: Int64 = 0
  /// The frame after the last.
  private(set) var end: Int64 = 0
  /// A power of two, and a multiple of the quantum.
  private let capacity: Int
  private let samples: UnsafeMutablePointer<Float>

  /// - Parameter frameCount: how far back the history reaches, at least.
  init(channelCount: Int, frameCount: Int) {
    self.channelCount = channelCount
    var capacity = renderQuantum
    while capacity < frameCount { capacity *= 2 }
    self.capacity = capacity
    samples = .allocate(capacity: capacity * channelCount)
    samples.initialize(repeating: 0, count: capacity * channelCount)
  }

  deinit { samples.deallocate() }

  /// Forgets everything; the next frame is number `frame`.
  @_noLocks
  mutating func restart(at frame: Int64) { (start, end) = (frame, frame) }

  /// Appends frames whose channels lie `renderQuantum` samples apart; at most `renderQuantum` frames.
  @_noLocks
  mutating func append(_ planar: UnsafePointer<Float>, count: Int) {
    let place = Int(truncatingIfNeeded: end) & (capacity &- 1)
    let first = min(count, capacity &- place)
    for channel in 0..<channelCount {
      let ring = samples + channel &* capacity
      let source = planar + channel &* renderQuantum
      copySamples(from: source, to: ring + place, count: first)
      copySamples(from: source + first, to: ring, count: count &- first)
    }
    end &+= Int64(count)
  }

  /// Appends a quantum of silence.
  @_noLocks
  mutating func appendSilence() {
    let place = Int(truncatingIfNeeded: end) & (capacity &- 1)
    let first = min(renderQuantum, capacity &- place)
    for channel in 0..<channelCount {
      let ring = samples + channel &* capacity
      (ring + place).update(repeating: 0, count: first)
      ring.update(repeating: 0, count: renderQuantum &- first)
    }
    end &+= Int64(renderQuantum)
  }

  /// Whether the quantum that begins with `frame` is all zero, as what was never written is.
  ///
  /// The samples themselves are looked at: silence that has been written and silence that was left out or forgotten
  /// must not differ, or the output would depend on how far ahead the input is. Sound ends the search at once.
  @_noLocks
  func isSilent(from frame: Int64) -> Bool {
    var next = max(frame, start)
    let last = min(frame &+ Int64(renderQuantum), end)
    while next < last {
      let place = Int(truncatingIfNeeded: next) & (capacity &- 1)
      for channel in 0..<channelCount where samples[channel &* capacity &+ place] != 0 { return false }
      next &+= 1
    }
    return true
  }

  /// Copies the quantum that begins with `frame`, its channels `renderQuantum` samples apart.
  @_noLocks
  func copy(from frame: Int64, to planar: UnsafeMutablePointer<Float>) {
    let quantum = Int64(renderQuantum)
    let head = Int(truncatingIfNeeded: min(max(start &- frame, 0), quantum))  // frames before the start
    let tail = Int(truncatingIfNeeded: min(max(frame &+ quantum &- end, 0), quantum))  // frames not written yet
    let count = max(0, renderQuantum &- head &- tail)
    let place = Int(truncatingIfNeeded: frame &+ Int64(head)) & (capacity &- 1)
    let first = min(count, capacity &- place)
    for channel in 0..<channelCount {
      let ring = samples + channel &* capacity
      let target = planar + channel &* renderQuantum
      target.update(repeating: 0, count: head)
      copySamples(from: ring + place, to: target + head, count: first)
      copySamples(from: ring, to: target + head + first, count: count &- first)
      (target + head + count).update(repeating: 0, count: renderQuantum &- head &- count)
    }
  }
}
