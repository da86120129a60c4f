import Synchronization

/// Where a parameter's value lies. Both its forms are one word, so that of two threads that set it one wins altogether.
@usableFromInline struct ParameterCell: ~Copyable {
  @usableFromInline let bits: Atomic<UInt64>

  init(_ word: ParameterWord) { bits = Atomic(word.bits) }

  func load() -> ParameterWord { ParameterWord(bits: bits.load(ordering: .relaxed)) }

  @_noLocks
  func store(_ word: ParameterWord) { bits.store(word.bits, ordering: .relaxed) }
}

/// A value in its unit, and as kernels calculate with it. The conversion happens on the control side: it needs `pow`.
struct ParameterWord: BitwiseCopyable, Sendable {
  /// The value in the upper half, the render value in the lower.
  let bits: UInt64

  @_noLocks
  init(bits: UInt64) { self.bits = bits }

  init(_ value: Float, unit: ParameterUnit) {
    bits = UInt64(value.bitPattern) << 32 | UInt64(unit.renderValue(value).bitPattern)
  }

  var value: Float { Float(bitPattern: UInt32(truncatingIfNeeded: bits >> 32)) }
}
