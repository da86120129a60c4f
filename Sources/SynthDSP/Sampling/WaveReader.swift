import SynthRealtime

/// Where a voice is in its wave; reads the wave at another pitch, around its loop, to its end. [audio thread]
///
/// The edges are FluidSynth's. Before the first word the wave is taken as that word, behind the last as the last;
/// around a loop the words follow each other in a circle, on the left side only once the loop has been gone through.
/// Words outside the wave are never read.
public struct WaveReader: BitwiseCopyable, Sendable {
  /// The next frame's place in units of 2⁻³² words.
  public var position: UInt64
  /// Whether the end of the loop has been passed.
  public private(set) var hasLooped = false

  /// Words that are made numbers at a time: a quantum at ten times the wave's pitch.
  public static var windowSize: Int {
    @_noLocks get { 768 }
  }

  /// Begins at the wave's start.
  @_noLocks
  public init(_ wave: SampledWave) { position = UInt64(wave.start) << 32 }

  /// Words from one frame to the next, in the unit of `position`: from 2⁻³² to 4,096.
  @_noLocks
  public static func increment(_ ratio: Double) -> UInt64 {
    guard ratio > 2.4e-10 else { return 1 }
    return UInt64(min(ratio, 4096) * 4_294_967_296)
  }

  /// Writes the next frames, within ±1, and zeros behind the wave's end.
  ///
  /// - Parameters:
  ///   - increment: of the position from frame to frame.
  ///   - loops: whether the loop is gone round now; a wave that is looped until its release goes on to its end then.
  ///   - window: scratch memory for `windowSize` numbers, 64-byte aligned.
  /// - Returns: how many frames are from the wave; fewer than `count` where it has ended.
  @_noLocks
  public mutating func read(
    _ wave: SampledWave, into row: UnsafeMutablePointer<Float>, count: Int, increment: UInt64, loops: Bool,
    with interpolator: Interpolator, window: UnsafeMutablePointer<Float>
  ) -> Int {
    let table = interpolator.table(increment: increment)
    var done = 0
    while done < count {
      if loops { wrap(wave) }
      let frames = framesAtOnce(wave, wanted: count &- done, increment: increment, loops: loops, table.width)
      guard frames > 0 else { break }
      let first = Int(position >> 32) &- (table.tapCount / 2 &- 1)
      let part = position & 0xFFFF_FFFF
      let words = Int((part &+ UInt64(frames &- 1) &* increment) >> 32) &+ table.width
      fill(window, wave, from: first, count: words, loops: loops)
      table.read(window, at: part, increment: increment, into: row + done, count: frames)
      position &+= UInt64(frames) &* increment
      done &+= frames
    }
    for frame in done..<max(done, count) { row[frame] = 0 }
    if loops { wrap(wave) }
    return done
  }

  /// Goes on without reading.
  ///
  /// - Returns: whether anything of the wave is left.
  @_noLocks
  public mutating func skip(_ wave: SampledWave, count: Int, increment: UInt64, loops: Bool) -> Bool {
    position &+= UInt64(count) &* increment
    if loops { wrap(wave) }
    return loops || position < UInt64(wave.end) << 32
  }

  /// Goes back into the loop.
  @_noLocks
  private mutating func wrap(_ wave: SampledWave) {
    let beyond = Int(position >> 32) &- wave.loopEnd
    guard beyond >= 0 else { return }
    let length = wave.loopEnd &- wave.loopStart
    position &-= UInt64(length &* (beyond / length &+ 1)) << 32
    hasLooped = true
  }

  /// How many frames the window has room for, a quantum at most, up to the wave's end.
  @_noLocks
  private func framesAtOnce(
    _ wave: SampledWave, wanted: Int, increment: UInt64, loops: Bool, _ width: Int
  ) -> Int {
    var frames = min(wanted, renderQuantum)
    let room = UInt64(Self.windowSize &- width) << 32
    if UInt64(frames) &* increment > room { frames = min(frames, Int(room / increment) &+ 1) }
    if loops { return frames }
    let end = UInt64(wave.end) << 32
    guard position < end else { return 0 }
    let way = end &- position
    if UInt64(frames) &* increment > way { frames = min(frames, Int((way &- 1) / increment) &+ 1) }
    return frames
  }

  /// Writes words as the interpolation sees them, from an index that may lie before the wave or its loop.
  @_noLocks
  private func fill(
    _ window: UnsafeMutablePointer<Float>, _ wave: SampledWave, from first: Int, count: Int, loops: Bool
  ) {
    let low = hasLooped ? wave.loopStart : wave.start
    let high = loops ? wave.loopEnd : wave.end
    let length = wave.loopEnd &- wave.loopStart
    var index = first
    var done = 0
    while done < count {
      let left = count &- done
      let numbers = window + done
      var run = left
      if index < low {
        run = min(left, low &- index)
        if hasLooped {
          let source = wave.loopEnd &- 1 &- (low &- 1 &- index) % length
          run = min(run, wave.loopEnd &- source)
          wave.copy(source, count: run, into: numbers)
        } else {
          wave.repeatWord(low, count: run, into: numbers)
        }
      } else if index < high {
        run = min(left, high &- index)
        wave.copy(index, count: run, into: numbers)
      } else if loops {
        index = wave.loopStart &+ (index &- wave.loopStart) % length
        continue
      } else {
        wave.repeatWord(high &- 1, count: run, into: numbers)
      }
      index &+= run
      done &+= run
    }
  }
}
