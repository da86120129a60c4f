import SynthRealtime

/// An envelope of a voice: delay, attack, hold, decay to the sustain level, and release, in straight lines from 0 to 1.
/// [audio thread]
///
/// It advances by frames, so that a note may begin and end on any. Its times are whole quanta, as FluidSynth's.
struct VoiceEnvelope: BitwiseCopyable {
  enum Section: UInt8, BitwiseCopyable {
    case delay, attack, hold, decay, sustain, release, finished

    fileprivate var following: Section {
      @_noLocks get {
        switch self {
        case .delay: .attack
        case .attack: .hold
        case .hold: .decay
        case .decay: .sustain
        case .sustain: .release
        case .release, .finished: .finished
        }
      }
    }
  }

  private(set) var section = Section.delay
  private(set) var value = 0.0
  /// Frames since the section began.
  private var elapsed: Int32 = 0
  /// What the attack began with: above 1 only where a note goes on as another one.
  private var attackStart = 0.0
  /// The part of a section of that length which a quantum is.
  private var quantumShare = 0.0
  private var shareLength: Int32 = 0

  @_noLocks
  init() {}

  var isAttacking: Bool {
    @_noLocks get { if case .attack = section { true } else { false } }
  }

  @_noLocks
  func isDelaying(_ times: EnvelopeTimes) -> Bool {
    if case .delay = section { elapsed < times.delay } else { false }
  }

  /// Whether the delay, the attack or the hold lies ahead, at whose ends its line bends.
  var canBend: Bool {
    @_noLocks get { section.rawValue <= Section.hold.rawValue }
  }

  /// Frames until the first bend ahead; `Int32.max` if there is none.
  @_noLocks
  func framesToBend(_ times: EnvelopeTimes) -> Int32 {
    var (section, elapsed) = (section, elapsed)
    while true {
      switch section {
      case .delay, .attack, .hold:
        let left = times.length(of: section) &- elapsed
        if left > 0 { return left }
        (section, elapsed) = (section.following, 0)
      default: return .max
      }
    }
  }

  /// Goes on by some frames.
  @_noLocks
  mutating func advance(_ frames: Int32, _ times: EnvelopeTimes) {
    var left = frames
    while left > 0 {
      if isConstant { return }
      let length = times.length(of: section)
      if elapsed >= length {
        if case .decay = section { value = times.sustain }
        begin(section.following)
        continue
      }
      let count = min(left, length &- elapsed)
      left &-= count
      elapsed &+= count
      if length != shareLength { setShare(length) }
      let share = quantumShare * (Double(count) / Double(Int32(renderQuantum)))
      switch section {
      case .delay: value = 0
      case .attack: attack(share)
      case .hold: break
      case .decay:
        value -= share
        if value < times.sustain {
          value = times.sustain
          begin(.sustain)
        }
      case .release:
        value -= share
        if value < 0 {
          value = 0
          begin(.finished)
        }
      case .sustain, .finished: break
      }
    }
  }

  /// FluidSynth's steps are rounded to `Float`, which decides about whole cents and centibels.
  @_noLocks
  private mutating func setShare(_ length: Int32) {
    shareLength = length
    quantumShare = Double(1 / Float(length / Int32(renderQuantum)))
  }

  private var isConstant: Bool {
    @_noLocks get {
      switch section {
      case .sustain, .finished: true
      default: false
      }
    }
  }

  @_noLocks
  private mutating func attack(_ share: Double) {
    value += attackStart > 1 ? -attackStart * share : share
    let isDone = attackStart > 1 ? value < 1 : value > 1
    guard isDone else { return }
    value = 1
    begin(.hold)
  }

  @_noLocks
  private mutating func begin(_ new: Section) {
    section = new
    elapsed = 0
    attackStart = 0
  }

  /// Falls from a value to 0.
  @_noLocks
  mutating func release(from value: Double) {
    self.value = min(max(value, 0), 1)
    begin(.release)
  }

  /// Goes from a value to 1, whatever it did before.
  @_noLocks
  mutating func attack(from value: Double) {
    self.value = value
    begin(.attack)
    attackStart = value
  }
}

/// The times of an envelope in frames, and its sustain level.
struct EnvelopeTimes: BitwiseCopyable {
  var delay: Int32 = 0
  var attack: Int32 = 64
  var hold: Int32 = 0
  /// From 1 to 0.
  var decay: Int32 = 0
  /// 0 to 1.
  var sustain = 1.0
  /// From 1 to 0.
  var release: Int32 = 64

  @_noLocks
  init() {}

  @_noLocks
  fileprivate func length(of section: VoiceEnvelope.Section) -> Int32 {
    switch section {
    case .delay: delay
    case .attack: attack
    case .hold: hold
    case .decay: decay
    case .release: release
    case .sustain, .finished: .max
    }
  }
}

/// A triangle from −1 to 1 that begins at 0 after a delay. [audio thread]
struct VoiceLFO: BitwiseCopyable {
  private(set) var value = 0.0
  /// In a quantum, and as it was set.
  private var increment = 0.0
  private var speed = 0.0
  /// In frames: whole quanta.
  private var delay: Int32 = 0

  @_noLocks
  init() {}

  /// Where that changes it, it rises from now on, as FluidSynth's.
  ///
  /// - Parameter frequency: in hertz. Half a turn in a quantum is the fastest, 375 Hz at 48 kHz: `advance` turns back
  ///   once in a quantum.
  @_noLocks
  mutating func setFrequency(_ frequency: Double, sampleRate: Double) {
    let new = min(2, 4 * Double(Int32(renderQuantum)) * frequency / sampleRate)
    guard new != speed else { return }
    (speed, increment) = (new, new)
  }

  @_noLocks
  mutating func setDelay(frames: Double) {
    let quantum = Int32(renderQuantum)
    delay = (Int32(min(1e9, frames)) &+ quantum &- 1) / quantum &* quantum
  }

  /// - Parameter age: of the voice, in frames, before these.
  @_noLocks
  mutating func advance(_ frames: Int32, age: Int32) {
    let count = min(frames, age &+ frames &- delay)
    guard count > 0 else { return }
    value += increment * Double(count) / Double(Int32(renderQuantum))
    if value > 1 {
      increment = -increment
      value = 2 - value
    } else if value < -1 {
      increment = -increment
      value = -2 - value
    }
  }
}
