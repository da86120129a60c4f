/// Holds back the first device's own channels for as long as the others need, so that all are heard at one time.
/// [the first device's thread]
package struct AlignmentDelay: ~Copyable {
  private let channelCount: Int
  private let capacity: Int
  private let samples: UnsafeMutablePointer<Float>
  /// In frames.
  package private(set) var length = 0
  private var place = 0

  /// - Parameter capacity: the longest delay, in frames.
  package init(channelCount: Int, capacity: Int) {
    self.channelCount = channelCount
    self.capacity = capacity
    samples = .allocate(capacity: max(1, channelCount * capacity))
    samples.initialize(repeating: 0, count: max(1, channelCount * capacity))
  }

  deinit { samples.deallocate() }

  /// Begins with silence of that length, at most the capacity.
  @_noLocks @_noAllocation
  package mutating func begin(length: Int) {
    self.length = min(length, capacity)
    place = 0
    for index in 0..<self.length &* channelCount { samples[index] = 0 }
  }

  /// Puts the frames in, and what came so much earlier into their place.
  @_noLocks @_noAllocation
  package mutating func delay(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
    guard length > 0 else { return }
    for frame in 0..<frameCount {
      for channel in 0..<channelCount {
        let arriving = channels[channel][frame]
        channels[channel][frame] = samples[place &* channelCount &+ channel]
        samples[place &* channelCount &+ channel] = arriving
      }
      place &+= 1
      if place == length { place = 0 }
    }
  }
}
