/// Ten sections in cascade with their memories, left and right side by side. [audio thread]
///
/// Double precision: in 32 bits the low bands err at −73 dB. One frame goes through all sections before the next, so
/// that the processor overlaps the sections of neighbouring frames; section by section is 3.5 times slower.
struct FilterBank: BitwiseCopyable {
  typealias Frame = SIMD2<Double>

  /// A section and its memory (direct form II transposed), coefficients repeated for both channels.
  struct Stage: BitwiseCopyable {
    var d1 = Frame.zero, d2 = Frame.zero, a1 = Frame.zero, a2 = Frame.zero
    var s1 = Frame.zero, s2 = Frame.zero
  }

  private var stages = InlineArray<10, Stage>(repeating: Stage())
  private var gain = Frame.one

  /// Whether the audio passes bit for bit, so that `run` need not be called.
  private(set) var isIdentity = true

  init() {}

  /// Takes on a setting, with empty memories.
  @_noLocks mutating func load(_ coefficients: UnsafePointer<EqualizerCoefficients>) {
    for k in 0..<10 {
      let section = coefficients.pointee.sections[k]
      stages[k] = Stage(
        d1: Frame(repeating: section.d1), d2: Frame(repeating: section.d2),
        a1: Frame(repeating: section.a1), a2: Frame(repeating: section.a2))
    }
    gain = Frame(repeating: coefficients.pointee.gain)
    isIdentity = coefficients.pointee.isIdentity
  }

  /// Filters frames in place.
  @_noLocks mutating func run(_ frames: UnsafeMutablePointer<Frame>, count: Int) {
    let gain = gain
    withUnsafeMutablePointer(to: &stages) { stages in
      let stage = UnsafeMutableRawPointer(stages).assumingMemoryBound(to: Stage.self)
      for n in 0..<count {
        var x = frames[n] * gain
        for k in 0..<10 {
          let s1 = stage[k].s1
          stage[k].s1 = (stage[k].d1 * x + stage[k].s2) - stage[k].a1 * s1
          stage[k].s2 = stage[k].d2 * x - stage[k].a2 * s1
          x += s1
        }
        frames[n] = x
      }
    }
  }

  /// Whether what would still come out is below 10⁻⁹ (−180 dB) when nothing more goes in.
  ///
  /// The lowest band can amplify what its memories hold a thousandfold, hence 10⁻¹².
  @_noLocks func isDecayed() -> Bool {
    let threshold = 1e-12
    for k in 0..<10 {
      let s1 = stages[k].s1
      let s2 = stages[k].s2
      // Written so that memories that are not numbers do not count as decayed.
      guard abs(s1.x) < threshold, abs(s1.y) < threshold, abs(s2.x) < threshold, abs(s2.y) < threshold else {
        return false
      }
    }
    return true
  }

  /// Empties the memories.
  @_noLocks mutating func reset() {
    for k in 0..<10 {
      stages[k].s1 = .zero
      stages[k].s2 = .zero
    }
  }
}
