import SynthDSP
import SynthRealtime

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

  /// Draws the way of a parameter through a quantum, set at once or scheduled. [audio thread]
  @_noLocks
  mutating func draw(
    _ curve: UnsafeMutablePointer<Float>, toward parameter: ParameterReader, blocks: Int, _ context: RenderContext
  ) {
    if context.hasChanges, parameter.follows(context) {
      follow(curve, from: parameter.fill(curve, in: context), blocks: blocks)
    } else {
      draw(curve, toward: parameter.renderValue, blocks: blocks)
    }
  }

  /// Draws the way to a target through a quantum. [audio thread]
  @_noLocks
  mutating func draw(_ curve: UnsafeMutablePointer<Float>, toward target: Float, blocks: Int) {
    let line = next(toward: target, blocks: blocks, blockSize: renderQuantum)
    for frame in 0..<renderQuantum { curve[frame] = line.start + line.step * Float(Int32(frame &+ 1)) }
  }
}
