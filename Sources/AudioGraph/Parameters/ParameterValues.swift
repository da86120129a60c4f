import SynthDSP
import SynthRealtime

/// What some parameters have at each frame of a quantum. [audio thread]
struct ParameterValues: ~Copyable {
  private struct Entry {
    let reader: ParameterReader
    /// How many quanta a change takes that is set at once; 0 is a jump.
    let rampBlocks: Int
    var ramp = Ramp()
  }

  /// The values of a quantum, `renderQuantum` for each parameter.
  struct Quantum: BitwiseCopyable {
    let first: UnsafePointer<Float>?
    let count: Int

    @_noLocks init(first: UnsafePointer<Float>? = nil, count: Int = 0) {
      self.first = first
      self.count = count
    }
  }

  private let entries: UnsafeMutablePointer<Entry>
  private let count: Int
  private let curves: CurveMemory

  /// - Parameter parameters: must outlive it.
  init(_ parameters: [Parameter], sampleRate: Double) {
    count = parameters.count
    curves = CurveMemory(curveCount: count)
    entries = .allocate(capacity: count)
    for (index, parameter) in parameters.enumerated() {
      let blocks = (parameter.rampDuration * sampleRate / Double(renderQuantum)).rounded(.up)
      (entries + index).initialize(to: Entry(reader: parameter.reader, rampBlocks: Int(blocks)))
    }
  }

  deinit { entries.deallocate() }

  @_noLocks
  func draw(_ context: RenderContext) -> Quantum {
    for index in 0..<count {
      let entry = entries + index
      if entry.pointee.rampBlocks > 0 {
        entry.pointee.ramp.draw(
          curves[index], toward: entry.pointee.reader, blocks: entry.pointee.rampBlocks, context)
      } else {
        _ = entry.pointee.reader.fill(curves[index], in: context)
      }
    }
    return Quantum(first: UnsafePointer(curves[0]), count: count)
  }
}
