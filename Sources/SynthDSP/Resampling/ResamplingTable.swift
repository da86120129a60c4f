import SynthRealtime

/// The weights of a resampling filter for places between two frames of input, which all resamplers of a kind share.
///
/// 384 places at equal rates: 272 KB, made in 2 ms.
final class ResamplingTable: Sendable {
  struct Kind: Hashable {
    var stretch: Double
    /// How many places.
    var phaseCount: Int
  }

  let kind: Kind
  /// Weights of a row: the input frames that a frame of output is made of.
  let tapCount: Int
  /// A row for each place, one for the place before them and two for those after them.
  nonisolated(unsafe) let rows: UnsafePointer<Float>

  /// The table of this kind, made unless there is one. [control thread]
  static func shared(_ kind: Kind) -> ResamplingTable {
    tables.withLock { tables in
      if let table = tables[kind]?.table { return table }
      let table = ResamplingTable(kind)
      tables = tables.filter { $0.value.table != nil }
      tables[kind] = Reference(table: table)
      return table
    }
  }

  private struct Reference {
    weak var table: ResamplingTable?
  }
  private static let tables = CheckedMutex<[Kind: Reference]>([:])

  private init(_ kind: Kind) {
    self.kind = kind
    let (reach, phaseCount) = (ResamplingKernel.reach(stretch: kind.stretch), kind.phaseCount)
    tapCount = 2 * reach
    let count = (phaseCount + 3) * tapCount
    let memory = UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Float>.stride, alignment: 64)
      .initializeMemory(as: Float.self, repeating: 0, count: count)
    for phase in -1...phaseCount / 2 {
      let row = memory + (phase + 1) * tapCount
      // The places after the middle see the same from the other side.
      let mirrored = memory + (phaseCount - phase + 1) * tapCount
      for tap in 0..<tapCount {
        let distance = Double(tap - reach + 1) - Double(phase) / Double(phaseCount)
        row[tap] = Float(ResamplingKernel.weight(at: distance, stretch: kind.stretch))
        mirrored[tapCount - 1 - tap] = row[tap]
      }
    }
    rows = UnsafePointer(memory)
  }

  deinit { rows.deallocate() }
}
