/// Finds where a sound begins abruptly, as a stroke on a drum does.
///
/// An onset is a millisecond whose first difference has four times the energy of any of the 20 before it: what repeats
/// itself 50 times a second or more, as a low note does, has none. [audio thread]
struct OnsetSearch: ~Copyable {
  private static let historyLength = 20
  /// Of the first difference: that of a single step of -60 dB.
  private static let leastEnergy: Float = 1e-6

  private let longest: Int
  private let samples: UnsafeMutablePointer<Float>
  private let energies: UnsafeMutablePointer<Float>

  /// - Parameter longest: the most frames of the sound that a millisecond has.
  init(longest: Int) {
    self.longest = longest
    samples = .allocate(capacity: longest + 1)
    samples.initialize(repeating: 0, count: longest + 1)
    energies = .allocate(capacity: Self.historyLength)
    energies.initialize(repeating: 0, count: Self.historyLength)
  }

  deinit {
    samples.deallocate()
    energies.deallocate()
  }

  /// The frame with which the millisecond of the first onset begins; nil without one.
  ///
  /// - Parameter millisecond: in frames.
  @_noLocks
  func first(from start: Int64, to end: Int64, millisecond: Int, in pages: FramePages) -> Int64? {
    let length = min(max(millisecond, 1), longest)
    var index = 0
    var frame = start &- Int64(Self.historyLength &* length)
    while frame < end {
      let energy = energy(from: frame, count: length, in: pages)
      if index >= Self.historyLength, energy > Self.leastEnergy {
        var highest: Float = 0
        for place in 0..<Self.historyLength { highest = max(highest, energies[place]) }
        if energy > 4 * highest { return frame }
      }
      energies[index % Self.historyLength] = energy
      index &+= 1
      frame &+= Int64(length)
    }
    return nil
  }

  /// Of the first difference of all channels.
  @_noLocks
  private func energy(from start: Int64, count: Int, in pages: FramePages) -> Float {
    var energy: Float = 0
    for channel in 0..<pages.channelCount {
      pages.copy(channel, from: start &- 1, count: count &+ 1, to: samples)
      for frame in 0..<count {
        let step = samples[frame &+ 1] - samples[frame]
        energy += step * step
      }
    }
    return energy
  }
}
