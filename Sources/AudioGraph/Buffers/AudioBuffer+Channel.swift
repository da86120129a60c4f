extension AudioBuffer {
  /// The samples of one channel of a buffer, which it shares the memory of. [any thread]
  ///
  /// It compares with array literals (`buffer[0] == [0, 1]`), and `Array(buffer[0])` copies it.
  public struct Channel: RandomAccessCollection, Sendable {
    // The memory is not changed as long as it is shared.
    private let memory: SampleBuffer
    private nonisolated(unsafe) let samples: UnsafeMutablePointer<Float>
    public let endIndex: Int

    init(_ memory: SampleBuffer, _ samples: UnsafeMutablePointer<Float>, count: Int) {
      self.memory = memory
      self.samples = samples
      endIndex = count
    }

    /// 0.
    public var startIndex: Int { 0 }

    /// The sample of a frame, from 0.
    public subscript(frame: Int) -> Float {
      precondition(
        frame >= 0 && frame < endIndex,
        "reading a buffer: there is no frame \(frame); it has \(endIndex), numbered from 0")
      return withExtendedLifetime(memory) { samples[frame] }
    }

    public func withContiguousStorageIfAvailable<Result>(
      _ body: (UnsafeBufferPointer<Float>) throws -> Result
    ) rethrows -> Result? {
      try withExtendedLifetime(memory) { try body(UnsafeBufferPointer(start: samples, count: endIndex)) }
    }

    /// The largest absolute sample; 0 without any.
    public var peak: Float { reduce(0) { Swift.max($0, abs($1)) } }

    /// The root of the mean square; 0 without any samples.
    public var rms: Float {
      guard !isEmpty else { return 0 }
      return Float((reduce(Double(0)) { $0 + Double($1) * Double($1) } / Double(count)).squareRoot())
    }
  }
}

extension AudioBuffer.Channel: Equatable, ExpressibleByArrayLiteral, CustomStringConvertible {
  /// Whether the samples are equal, as floats compare.
  public static func == (one: Self, other: Self) -> Bool { one.elementsEqual(other) }

  /// A channel that is part of no buffer, to compare with.
  public init(arrayLiteral elements: Float...) {
    self = AudioBuffer([elements], sampleRate: 48000)[0]
  }

  public var description: String { "\(Array(self))" }
}
