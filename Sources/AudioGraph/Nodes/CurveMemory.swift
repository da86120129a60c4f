import DSP
import Realtime

/// Room for some curves: a value for each frame of a quantum, where scheduled changes make more of it than one straight
/// line. [audio thread]
struct CurveMemory: ~Copyable {
  private let values: UnsafeMutablePointer<Float>

  init(curveCount: Int) {
    let count = curveCount * renderQuantum
    // A cache line, which is also what the vectors of `scaleBlock` ask for.
    values = UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Float>.stride, alignment: 64)
      .initializeMemory(as: Float.self, repeating: 0, count: count)
  }

  deinit { values.deallocate() }

  subscript(curve: Int) -> UnsafeMutablePointer<Float> {
    @_noLocks get { values + curve &* renderQuantum }
  }
}

extension Ramp {
  /// Makes a curve the gains of a quantum: see `follow(_:from:restEnd:blocks:blockSize:)`. [audio thread]
  @_noLocks
  @discardableResult
  mutating func follow(_ curve: UnsafeMutablePointer<Float>, from start: CurveStart, blocks: Int) -> RampRest {
    follow(curve, from: start.value, restEnd: start.restEnd, blocks: blocks, blockSize: renderQuantum)
  }
}
