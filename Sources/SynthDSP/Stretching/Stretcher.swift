import CSynthRealtime

/// Reads a sound faster or slower, higher or lower, each by itself.
///
/// Where rate and step are equal it is read as it stands, at step 1 bit for bit. Where they are not, it is read at the
/// step, and every 60 ms or sooner another grain takes over in a fade of 12 ms: of those near the place where the sound
/// ought to be, the one most like what would have come. Where that leaves something out, no onset is: a grain begins
/// before it, or goes on until it has sounded (see `OnsetSearch`), up to a tenth of a second late. Slower, an onset may
/// be heard twice.
public struct Stretcher: ~Copyable {
  /// The longest step, and the highest rate.
  public static var longestStep: Double {
    @_noLocks get { SincReader.longestStep }
  }

  private let reader = SincReader()
  private let search: GrainSearch
  private let onsets: OnsetSearch
  /// In frames of output.
  private let fadeLength: Int
  private let window: UnsafeMutablePointer<Float>
  private let faded: UnsafeMutablePointer<Float>
  /// Where the present grain goes on, in frames of the sound; NaN before the first.
  private var place = Double.nan
  /// Where the grain before it goes on, while it is faded.
  private var formerPlace: Double = 0
  private var formerStep: Double = 1
  private var fadeLeft = 0
  private var framesLeft = 0
  /// Whether it is to go to its place once the fade is over.
  private var isMoving = false
  /// How far grains are looked for, in frames of the sound.
  private var range = 0
  /// Frames that were asked for and were not there.
  public private(set) var missingCount = 0

  /// Allocates all memory. [control thread]
  ///
  /// - Parameter sampleRate: of the output, in hertz, 1 to 1,000,000, to which it is clamped.
  public init(sampleRate: Double) {
    let sampleRate = clampedRate(sampleRate)
    fadeLength = Self.fadeLength(sampleRate)
    search = GrainSearch(
      longestRange: Int(Double(fadeLength) * Self.longestStep), longest: Int(Double(fadeLength) * Self.longestStep))
    onsets = OnsetSearch(longest: Int(Double(fadeLength) * Self.longestStep) / Self.fadeMilliseconds + 1)
    window = .allocate(capacity: Self.windowLength)
    window.initialize(repeating: 0, count: Self.windowLength)
    faded = .allocate(capacity: Self.blockLength)
    faded.initialize(repeating: 0, count: Self.blockLength)
  }

  deinit {
    window.deallocate()
    faded.deallocate()
  }

  /// The most frames that are rendered at a time.
  public static var blockLength: Int {
    @_noLocks get { Int(RENDER_QUANTUM) }
  }

  /// Of a fade, in seconds, and of what is searched to each side.
  private static let fade = 0.012
  private static let fadeMilliseconds = 12
  private static let windowLength =
    Int(Double(blockLength) * longestStep) + 2 * SincReader.reach(step: longestStep) + 8

  private static func fadeLength(_ sampleRate: Double) -> Int { max(16, Int(fade * clampedRate(sampleRate))) }

  /// How many frames of the sound behind its place rendering looks at, in sounds of the output's rate.
  public static func lookahead(rate: Double, step: Double, sampleRate: Double) -> Int {
    let fade = fadeLength(sampleRate)
    let reach = SincReader.reach(step: step) + 2
    guard rate != step else { return reach + Int((Double(Self.blockLength) * step).rounded(.up)) }
    let grain = Double(grainLength(fade, rate, step))
    let (drift, read) = (abs(rate - step) * grain / 2, (Double(fade) + Double(2 * Self.blockLength)) * step)
    return Int((drift + read + abs(rate - step) * Double(2 * Self.blockLength)).rounded(.up)) + fade + reach
  }

  /// How many frames a grain sounds before the next one fades in: the fewer, the faster it leaves its place.
  @_noLocks
  private static func grainLength(_ fade: Int, _ rate: Double, _ step: Double) -> Int {
    Int(Double(fade) * max(2, 5 / max(1, abs(rate - step))))
  }

  /// Goes on from another place at once, or in another sound.
  ///
  /// - Parameter ratio: the sound's sample rate by that of the output.
  @_noLocks
  public mutating func begin(at position: Double, ratio: Double) {
    (place, fadeLeft, framesLeft, isMoving) = (position, 0, 0, false)
    range = Int(Double(fadeLength) * min(ratio, Self.longestStep))
  }

  /// Goes on from another place in a fade, which begins once one that is under way is over.
  @_noLocks
  public mutating func fade(to position: Double) {
    guard fadeLeft == 0 else { return isMoving = true }
    (formerPlace, place) = (place, position)
    (fadeLeft, framesLeft, isMoving) = (fadeLength, 0, false)
  }

  /// Goes on from another place to the frame, where no fade is under way: else as `fade`.
  @_noLocks
  public mutating func jump(to position: Double) {
    if fadeLeft == 0 { place = position } else { isMoving = true }
  }

  /// Renders frames of all channels, which lie `blockLength` samples apart. [audio thread]
  ///
  /// - Parameters:
  ///   - position: the frame of the sound that the first one stands for.
  ///   - rate: how many frames of the sound a frame of output stands for.
  ///   - step: how many frames of the sound lie between two of output.
  ///   - count: up to `blockLength`.
  @_noLocks
  public mutating func render(
    _ pages: FramePages, at position: Double, rate: Double, step: Double,
    into output: UnsafeMutablePointer<Float>, count: Int
  ) {
    if place.isNaN { begin(at: position, ratio: 1) }
    if rate == step {
      framesLeft = 0
      if abs(place - position) < 1e-3 { place = position } else if fadeLeft == 0 { fade(to: position) }
    } else if fadeLeft == 0, isMoving {
      fade(to: position)
    } else if fadeLeft == 0, framesLeft <= 0 {
      change(pages, at: position, rate, step)
    }
    if fadeLeft == fadeLength { formerStep = step }
    for channel in 0..<pages.channelCount {
      let target = output + channel &* Self.blockLength
      read(pages, channel, at: place, step, into: target, count)
      guard fadeLeft > 0 else { continue }
      read(pages, channel, at: formerPlace, formerStep, into: faded, count)
      for frame in 0..<count {
        let part = max(0, Float(Int32(truncatingIfNeeded: fadeLeft &- frame))) / Float(Int32(fadeLength))
        target[frame] += part * (faded[frame] - target[frame])
      }
    }
    place += step * Double(count)
    formerPlace += formerStep * Double(count)
    fadeLeft = max(0, fadeLeft &- count)
    framesLeft &-= count
  }

  /// Chooses the next grain.
  @_noLocks
  private mutating func change(_ pages: FramePages, at position: Double, _ rate: Double, _ step: Double) {
    framesLeft = Self.grainLength(fadeLength, rate, step)
    let middle = position + (rate - step) * Double(framesLeft) / 2
    var (wanted, range) = (Int(middle - place), self.range)
    if rate > step, let onset = onset(pages, at: position, rate, step, before: wanted) {
      framesLeft = Int(Double(onset) / step) + fadeLength
      // A grain that begins here has faded in 2 ms before the onset.
      let latest = onset - Int(Double(fadeLength) * step) - range / 6
      range = Int(Double(range) * min(1, step) / 2)
      // One that begins here has it in time.
      let exact = Double(onset) - step * (place + Double(onset) - position) / rate
      wanted = min(Int(exact), latest - range)
      guard wanted > range else { return }
      framesLeft -= Int(Double(wanted - range) / step)
    }
    let frame = Self.floor(place)
    let count = Int(Double(fadeLength) * step)
    let shift = search.shift(of: frame, wanted: wanted, range: range, count: count, in: pages)
    guard shift != 0 else { return }
    let left = framesLeft
    fade(to: place + Double(shift))
    framesLeft = left
  }

  /// How far from the place the first onset is that a grain, shifted by `wanted`, would leave out; nil without one, and
  /// where the place is so late that it has to move on.
  @_noLocks
  private func onset(
    _ pages: FramePages, at position: Double, _ rate: Double, _ step: Double, before wanted: Int
  ) -> Int? {
    let twoGrains = (rate - step) * Double(2 * Self.grainLength(fadeLength, rate, step))
    guard position - place < min(max(twoGrains, Double(3 * range)), Double(8 * range)) else { return nil }
    let (frame, fade) = (Self.floor(place), Int(Double(fadeLength) * step))
    // What has begun a moment ago is not to be faded out yet.
    let (first, last) = (frame &- Int64(2 * fade / 3), frame &+ Int64(wanted &+ range &+ fade))
    let onset = onsets.first(from: first, to: last, millisecond: range / Self.fadeMilliseconds, in: pages)
    return onset.map { Int($0 &- frame) }
  }

  @_noLocks
  private mutating func read(
    _ pages: FramePages, _ channel: Int, at place: Double, _ step: Double,
    into target: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let reach = SincReader.reach(step: step)
    let first = Self.floor(place) &- Int64(reach)
    let length = Int(Double(count) * step) &+ 2 &* reach &+ 2
    let missing = pages.copy(channel, from: first, count: length, to: window)
    if channel == 0 { missingCount &+= missing }
    reader.read(window, at: place - Double(first), step: step, into: target, count: count)
  }

  @_noLocks
  private static func floor(_ value: Double) -> Int64 {
    let whole = Int64(value)
    return Double(whole) > value ? whole &- 1 : whole
  }
}
