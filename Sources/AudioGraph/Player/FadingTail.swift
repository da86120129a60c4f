import SynthRealtime

/// What is still heard of a block that was interrupted: a quantum of frames, fading out under what comes next.
/// [audio thread]
struct FadingTail: ~Copyable {
  private let samples: UnsafeMutablePointer<Float>
  private let channelCount: Int
  /// The frame that is heard next; a quantum for none.
  private var next = renderQuantum
  /// The frame of the output's quantum at which it is heard.
  private var place = 0

  /// [control thread]
  init(channelCount: Int) {
    self.channelCount = channelCount
    samples = .allocate(capacity: max(1, channelCount * renderQuantum))
    samples.initialize(repeating: 0, count: channelCount * renderQuantum)
  }

  deinit { samples.deallocate() }

  var isSounding: Bool {
    @_noLocks get { next < renderQuantum }
  }

  @_noLocks
  mutating func clear() { next = renderQuantum }

  /// Fades a block out from a frame on, together with what is still heard of others.
  @_noLocks
  mutating func begin(_ block: PlayerBlock, from offset: Int) {
    let quantum = Float(Int32(truncatingIfNeeded: renderQuantum))
    for channel in 0..<channelCount {
      let target = samples + channel &* renderQuantum
      var source = offset
      for frame in 0..<renderQuantum {
        var sample: Float = 0
        if source == block.frameCount, block.isLooping { source = 0 }
        if source < block.frameCount, let first = block.samples {
          let gain = 1 - Float(Int32(truncatingIfNeeded: frame &+ 1)) / quantum
          sample = first[channel &* block.stride &+ source] * gain
          if !sample.isFinite { sample = 0 }
          source &+= 1
        }
        if next &+ frame < renderQuantum { sample += target[next &+ frame] }
        target[frame] = sample
      }
    }
    next = 0
  }

  /// Adds what falls before a frame of the quantum.
  @_noLocks
  mutating func add(to output: Bus, upTo end: Int) {
    let count = min(end &- place, renderQuantum &- next)
    if count > 0 {
      for channel in 0..<min(channelCount, output.channelCount) {
        let (source, target) = (samples + channel &* renderQuantum + next, output[channel] + place)
        for frame in 0..<count { target[frame] += source[frame] }
      }
      next &+= count
    }
    place = end
  }

  @_noLocks
  mutating func nextQuantum() { place = 0 }
}
