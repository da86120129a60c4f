import Realtime

/// What one tap has caught and was not read yet: a ring for each format there was, the oldest first.
final class TapQueue: Sendable {
  /// Frames that fit, in quanta.
  let capacity: Int
  private let state = CheckedMutex(State())

  private struct State: Sendable {
    var rings: [TapRing] = []
    /// Of rings that are gone.
    var droppedFrameCount = 0

    mutating func dropRings(where isDone: (TapRing) -> Bool) {
      droppedFrameCount += rings.filter(isDone).reduce(0) { $0 + $1.droppedFrameCount }
      rings.removeAll(where: isDone)
    }
  }

  /// What is handed over at a time, at most.
  static let longestBlock = 64 * renderQuantum

  /// - Parameter frameCapacity: brought into the range of 16384 to 67108864.
  init(frameCapacity: Int) {
    let frames = min(max(frameCapacity, 4 * Self.longestBlock), 1 << 26)
    capacity = (frames + renderQuantum - 1) / renderQuantum
  }

  /// Half a gigabyte, or up to one, since a ring is a power of two.
  private static let mostSamples = 1 << 27

  func hasMemory(for format: AudioFormat) -> Bool {
    capacity * renderQuantum * format.channelCount <= Self.mostSamples
  }

  /// A ring for what is rendered from now on. [control thread]
  func addRing(for format: AudioFormat) -> TapRing {
    let ring = TapRing(format: format, capacity: capacity)
    state.withLock { state in
      state.dropRings { $0.isAbandoned && $0.count == 0 }
      state.rings.append(ring)
    }
    return ring
  }

  /// [any thread]
  var droppedFrameCount: Int {
    state.withLock { state in state.rings.reduce(state.droppedFrameCount) { $0 + $1.droppedFrameCount } }
  }

  /// Whether half of the capacity is free. [any thread]
  var hasRoom: Bool {
    state.withLock { $0.rings.allSatisfy { $0.count <= capacity / 2 } }
  }

  /// Hands over all there is. [any thread], one at a time
  func read(_ take: (TapBlock) throws -> Void) rethrows {
    while let ring = oldest() {
      let block = SampleBuffer(channelCount: ring.format.channelCount, frameCapacity: Self.longestBlock)
      var first = TapHeader()
      while case let quanta = ring.take(into: block, first: &first), quanta > 0 {
        try take(
          TapBlock(
            sampleTime: first.sampleTime, hostTime: first.hostTime, format: ring.format,
            frameCount: quanta * renderQuantum, channels: block.channels))
      }
      guard retire(ring) else { return }
    }
  }

  private func oldest() -> TapRing? { state.withLock { $0.rings.first } }

  /// Drops an empty ring that is not written any more; false if it may be.
  ///
  /// A later ring that has something proves it: plans are adopted in the order in which they were made.
  private func retire(_ ring: TapRing) -> Bool {
    state.withLock { state in
      guard ring.isAbandoned || state.rings.contains(where: { $0 !== ring && $0.count > 0 }) else { return false }
      // Between the last look and the proof more may have come.
      guard ring.count == 0 else { return true }
      state.dropRings { $0 === ring }
      return true
    }
  }
}
