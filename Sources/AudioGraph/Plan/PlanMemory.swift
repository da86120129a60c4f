import SynthRealtime

/// The memory of one plan: samples, bus buffers, the table of buses, the steps, and what those of a rate share.
final class PlanMemory {
  let quanta: UnsafeMutablePointer<GroupQuantum>
  let steps: UnsafeMutablePointer<RenderStep>
  let busTable: UnsafeMutablePointer<UnsafeMutablePointer<BusBuffer>>
  let buses: UnsafeMutablePointer<BusBuffer>
  let samples: UnsafeMutableRawPointer

  /// A cache line; every channel begins on one, 64 frames being four of them.
  private static let alignment = 64

  init(groupCount: Int, stepCount: Int, tableCount: Int, busCount: Int, channelCount: Int) {
    quanta = .allocate(capacity: groupCount)
    steps = .allocate(capacity: stepCount)
    busTable = .allocate(capacity: tableCount)
    buses = .allocate(capacity: busCount)
    let byteCount = channelCount * renderQuantum * MemoryLayout<Float>.stride
    samples = .allocate(byteCount: byteCount, alignment: Self.alignment)
    samples.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
  }

  deinit {
    samples.deallocate()
    buses.deallocate()
    busTable.deallocate()
    steps.deallocate()
    quanta.deallocate()
  }

  /// The samples of a buffer whose first channel is number `channel` of the whole memory.
  func samples(atChannel channel: Int) -> UnsafeMutablePointer<Float> {
    samples.assumingMemoryBound(to: Float.self) + channel * renderQuantum
  }
}
