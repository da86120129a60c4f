/// Where a frame of output lies in a resampler's input.
struct ResamplerPosition: BitwiseCopyable {
  /// The input frame that it lies on or after.
  var frame = 0
  /// How far after it, 0 to 1.
  var phase = 0.0

  init() {}

  /// In input frames; one that is negative, beyond 2³¹ or not a number is 0.
  @_noLocks @_noAllocation
  init(_ position: Double) {
    guard position > 0 && position < 0x1p31 else { return }
    frame = Int(position)
    phase = position - Double(frame)
  }

  /// Goes on by a number of input frames.
  @_noLocks @_noAllocation
  mutating func advance(by step: Double) {
    let sum = phase + step
    let whole = Int(sum)
    frame &+= whole
    phase = sum - Double(whole)
  }

  /// Which of equally distant places between two frames it is, if it is one of them; −1 if not. One that is less than
  /// 10⁻⁷ of their distance beside a place is on it, which moves a sine's samples by less than −150 dB.
  @_noLocks @_noAllocation
  mutating func place(of count: Int) -> Int {
    guard count > 0 else { return -1 }
    let scaled = phase * Double(count)
    let nearest = Int(scaled + 0.5)
    guard abs(scaled - Double(nearest)) < 1e-7 else { return -1 }
    guard nearest == count else { return nearest }
    frame &+= 1
    phase = 0
    return 0
  }
}
