/// The render side of the ten-band equalizer: filters one or two channels and changes its setting without a click.
///
/// A change runs the old and the new filters side by side and fades from one to the other. Each is a stable filter with
/// constant coefficients, so the fade cannot ring or run away; and as each keeps input within ±1 within ±1, so does
/// every mixture of the two. The fade is a smooth step (3p² − 2p³), because the corner at the ends of a straight one
/// would be louder than the curvature of a bass note. Of the settings that are set or chosen during a fade the latest
/// follows after it. Lives in raw memory that a node owns; methods are for the audio thread, making and destroying for
/// the control thread.
public struct EqualizerProcessor: ~Copyable {
  /// How long a change takes unless said otherwise, in seconds.
  public static let defaultFadeDuration = 0.1

  /// Which setting is wanted: 0 is the one that was set, n the n-th of the bank. Numbers beyond the bank are ignored.
  public var choice = 0

  private var setting: UnsafePointer<EqualizerCoefficients>
  private var isSettingNew = false
  private let bank: UnsafePointer<EqualizerCoefficients>?
  private let bankCount: Int
  /// The choice that has been followed.
  private var followed = 0
  private var current = FilterBank()
  private var incoming = FilterBank()
  private var fadePosition = 0
  private var isFading = false
  /// Whether nothing has gone in since the memories were emptied.
  private var isResting = true
  private let fadeLength: Int

  /// Room for one chunk through the old filters and one through the new.
  private let scratch: UnsafeMutablePointer<FilterBank.Frame>

  /// - Parameters:
  ///   - setting: the first setting; its memory stays valid and unchanged until another is set.
  ///   - bank: more settings to choose from; must outlive the processor.
  ///   - fadeDuration: in seconds; 0 changes at once.
  public init(
    setting: UnsafePointer<EqualizerCoefficients>, bank: EqualizerBank? = nil, sampleRate: Double,
    fadeDuration: Double = defaultFadeDuration
  ) {
    self.setting = setting
    self.bank = bank?.settings
    bankCount = bank?.count ?? 0
    let frames = sampleRate * fadeDuration
    fadeLength = frames >= 1 ? Int(min(frames, 1e9)) : 0
    scratch = .allocate(capacity: 2 * blockSize)
    scratch.initialize(repeating: .zero, count: 2 * blockSize)
    current.load(setting)
  }

  deinit {
    scratch.deallocate()
  }

  /// Changes the setting, which is heard while `choice` is 0. Its memory stays valid and unchanged until another is
  /// set.
  @_noLocks public mutating func set(_ setting: UnsafePointer<EqualizerCoefficients>) {
    self.setting = setting
    isSettingNew = true
  }

  /// Filters one channel; `input` and `output` may be the same memory.
  ///
  /// Tell by `inputIsSilent` that the input is all zero. Returns true when the output is all zero too, with nothing
  /// left to come: until there is input again, the call may be left out.
  @_noLocks public mutating func process(
    input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>, frameCount: Int, inputIsSilent: Bool
  ) -> Bool {
    process(
      left: input, right: input, leftOutput: output, rightOutput: output, frameCount: frameCount,
      inputIsSilent: inputIsSilent)
  }

  /// Filters two channels; an output may be the same memory as its input. Silence is told as for one channel.
  @_noLocks public mutating func process(
    left: UnsafePointer<Float>, right: UnsafePointer<Float>,
    leftOutput: UnsafeMutablePointer<Float>, rightOutput: UnsafeMutablePointer<Float>,
    frameCount: Int, inputIsSilent: Bool
  ) -> Bool {
    adoptNewSetting()
    if !isFading {
      // Looking at forty memories takes 100 ns, so it is not done again while nothing goes in.
      if inputIsSilent, isResting || current.isDecayed() {
        if !isResting { current.reset() }
        isResting = true
        leftOutput.update(repeating: 0, count: frameCount)
        rightOutput.update(repeating: 0, count: frameCount)
        return true
      }
      isResting = false
      if current.isIdentity {
        for n in 0..<frameCount {
          leftOutput[n] = left[n]
          rightOutput[n] = right[n]
        }
        return false
      }
    }
    var done = 0
    while done < frameCount {
      let count = min(blockSize, frameCount - done)
      filter(
        left: left + done, right: right + done, leftOutput: leftOutput + done, rightOutput: rightOutput + done,
        count: count)
      done += count
    }
    return false
  }

  /// Clears the filters' memories, as after a seek; a fade ends at its goal.
  @_noLocks public mutating func reset() {
    if isFading { finishFade() }
    current.reset()
    isResting = true
  }

  /// While the filter is silent a change needs no fade.
  @_noLocks private mutating func adoptNewSetting() {
    guard !isFading, let next = newSetting() else { return }
    if current.isIdentity, next.pointee.isIdentity { return }
    guard !isResting else { return current.load(next) }
    incoming.load(next)
    fadePosition = 0
    isFading = true
    if fadeLength == 0 { finishFade() }
  }

  /// The setting that is wanted, if it is another than at the last call.
  @_noLocks private mutating func newSetting() -> UnsafePointer<EqualizerCoefficients>? {
    guard choice != 0 else {
      defer { (followed, isSettingNew) = (0, false) }
      return isSettingNew || followed != 0 ? setting : nil
    }
    guard let bank, choice != followed, choice > 0, choice <= bankCount else { return nil }
    followed = choice
    return bank + (choice &- 1)
  }

  @_noLocks private mutating func finishFade() {
    current = incoming
    isFading = false
  }

  @_noLocks private mutating func filter(
    left: UnsafePointer<Float>, right: UnsafePointer<Float>,
    leftOutput: UnsafeMutablePointer<Float>, rightOutput: UnsafeMutablePointer<Float>, count: Int
  ) {
    let frames = scratch
    for n in 0..<count { frames[n] = FilterBank.Frame(Double(left[n]), Double(right[n])) }
    if isFading {
      fade(count: count)
    } else {
      current.run(frames, count: count)
    }
    for n in 0..<count {
      leftOutput[n] = Float(frames[n].x)
      rightOutput[n] = Float(frames[n].y)
    }
    // One bad frame from upstream would otherwise circulate in the memories for good.
    let last = frames[count - 1]
    if !last.x.isFinite || !last.y.isFinite {
      current.reset()
      incoming.reset()
    }
  }

  /// Filters the scratch with the old and with the new setting, and leaves the mixture in it.
  @_noLocks private mutating func fade(count: Int) {
    let frames = scratch
    let other = scratch + blockSize
    for n in 0..<count { other[n] = frames[n] }
    current.run(frames, count: count)
    incoming.run(other, count: count)
    let step = 1 / Double(fadeLength)
    for n in 0..<count {
      let p = min(Double(fadePosition + n + 1) * step, 1)
      let weight = FilterBank.Frame(repeating: p * p * (3 - 2 * p))
      // Not old + weight · (new − old), which would end a rounding error beside the new.
      frames[n] = frames[n] * (FilterBank.Frame.one - weight) + other[n] * weight
    }
    fadePosition += count
    if fadePosition >= fadeLength { finishFade() }
  }
}
