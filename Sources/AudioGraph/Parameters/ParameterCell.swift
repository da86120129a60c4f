import Synchronization

/// Where a parameter's value lies. Both its forms are one word, so that of two threads that set it one wins altogether.
@usableFromInline struct ParameterCell: ~Copyable {
  @usableFromInline let bits: Atomic<UInt64>
  /// Its place among an engine's `ActiveChanges` while it has one there; `ActiveChanges` checks.
  let place = Atomic<Int>(0)
  /// As the bits of a Double.
  let rampDuration: Atomic<UInt64>
  private let changes = ParameterChangeCount.ofAll

  init(_ word: ParameterWord, rampDuration: Double) {
    bits = Atomic(word.bits)
    self.rampDuration = Atomic(rampDuration.bitPattern)
  }

  var rampDurationInSeconds: Double {
    @_noLocks get { Double(bitPattern: rampDuration.load(ordering: .relaxed)) }
  }

  @_noLocks
  func load() -> ParameterWord { ParameterWord(bits: bits.load(ordering: .relaxed)) }

  @_noLocks
  func store(_ word: ParameterWord) {
    bits.store(word.bits, ordering: .relaxed)
    changes.raise()
  }

  /// Stores a word where the one that is expected is still there; false where another thread was faster.
  @_noLocks
  func replace(_ expected: ParameterWord, with word: ParameterWord) -> Bool {
    let isReplaced = bits.compareExchange(expected: expected.bits, desired: word.bits, ordering: .relaxed).exchanged
    changes.raise()
    return isReplaced
  }
}

/// How often any parameter of the process has been set. What reads many parameters and finds the count as it was need
/// not read them again.
struct ParameterChangeCount: BitwiseCopyable, @unchecked Sendable {
  // Unchecked because of the pointer, which is never freed.

  static let ofAll = ParameterChangeCount()
  private let count = UnsafeMutablePointer<Atomic<UInt32>>.allocate(capacity: 1)

  private init() { count.initialize(to: Atomic(0)) }

  /// The values that belong to it are read after it. [audio thread]
  var value: UInt32 {
    @_noLocks get { count.pointee.load(ordering: .acquiring) }
  }

  /// After a value was stored. [any thread]
  @_noLocks
  func raise() { count.pointee.wrappingAdd(1, ordering: .releasing) }
}

/// A value in its unit, and as kernels calculate with it. The conversion happens on the control side: it needs `pow`.
struct ParameterWord: BitwiseCopyable, Sendable {
  /// The value in the upper half, the render value in the lower.
  let bits: UInt64

  @_noLocks
  init(bits: UInt64) { self.bits = bits }

  init(_ value: Float, unit: ParameterUnit) {
    // The amplitude of 800 dB is beyond a float.
    let renderValue = min(unit.renderValue(value), .greatestFiniteMagnitude)
    bits = UInt64(value.bitPattern) << 32 | UInt64(renderValue.bitPattern)
  }

  /// Both forms of what a kernel has come to.
  @_noLocks
  init(renderValue: Float, _ scale: RenderScale) {
    bits = UInt64(scale.value(of: renderValue).bitPattern) << 32 | UInt64(renderValue.bitPattern)
  }

  var value: Float { Float(bitPattern: UInt32(truncatingIfNeeded: bits >> 32)) }

  var renderValue: Float {
    @_noLocks get { Float(bitPattern: UInt32(truncatingIfNeeded: bits)) }
  }

  /// The same value with another render value, which is on its way there.
  @_noLocks
  func rendered(as renderValue: Float) -> ParameterWord {
    ParameterWord(bits: bits & 0xFFFF_FFFF_0000_0000 | UInt64(renderValue.bitPattern))
  }
}
