/// Sound in memory: planar float32 samples, as many for each channel, at a rate.
///
///     var tone = AudioBuffer(format: .stereo(48000), frameCount: 48000) { _, frame in 0.5 * sin(Float(frame) * 0.06) }
///     tone[0, 100] = 0
///     print(tone.duration, tone[1].peak)
///     try tone[24000...].converted(to: .mono(44100))
///
/// It is a value: a copy shares memory with its original until one of both is changed. A slice is a buffer too, whose
/// frames are numbered from 0, and keeps the whole memory alive. A channel or frame that is not there ends the program
/// with a message, as an array's index does. [any thread], but not the audio thread, because a change may copy.
public struct AudioBuffer: Sendable {
  /// Rate and number of channels.
  public let format: AudioFormat
  /// Frames in each channel.
  public private(set) var frameCount: Int
  private var memory: SampleBuffer
  /// The first frame within the memory.
  private var start = 0

  /// The most frames of a buffer: an hour and a half at 48 kHz. With more than eight channels it has at most as many
  /// as eight gigabytes hold.
  public static let mostFrames = SampleBuffer.mostFrames

  /// Silence.
  ///
  /// - Parameters:
  ///   - format: its channels are clamped to 0 to 1024.
  ///   - frameCount: clamped to 0 to `mostFrames`, and 0 where the system has not as much memory.
  public init(format: AudioFormat, frameCount: Int) {
    self.init(SampleBuffer(channelCount: format.channelCount, frameCapacity: frameCount), sampleRate: format.sampleRate)
  }

  /// What a function says.
  ///
  /// - Parameters:
  ///   - frameCount: clamped as that of silence is.
  ///   - sample: called with a channel and a frame, both from 0, channel after channel.
  public init(format: AudioFormat, frameCount: Int, _ sample: (_ channel: Int, _ frame: Int) throws -> Float) rethrows {
    self.init(format: format, frameCount: frameCount)
    for channel in 0..<channelCount {
      let samples = memory.channels[channel]
      for frame in 0..<self.frameCount { samples[frame] = try sample(channel, frame) }
    }
  }

  /// A copy of arrays, one for each channel; what is shorter than the longest ends in silence.
  ///
  /// - Parameter sampleRate: in hertz.
  public init(_ channels: [[Float]], sampleRate: Double) {
    let frameCount = channels.reduce(0) { max($0, $1.count) }
    self.init(format: AudioFormat(sampleRate: sampleRate, channelCount: channels.count), frameCount: frameCount)
    for (channel, samples) in channels.prefix(channelCount).enumerated() {
      memory.channels[channel].update(from: samples, count: min(samples.count, self.frameCount))
    }
  }

  /// All of a memory that nothing else changes any more.
  init(_ memory: SampleBuffer, sampleRate: Double) {
    format = AudioFormat(sampleRate: sampleRate, channelCount: memory.channelCount)
    frameCount = memory.frameCapacity
    self.memory = memory
  }

  /// How many channels there are.
  public var channelCount: Int { format.channelCount }
  /// In seconds.
  public var duration: Double { Double(frameCount) / format.sampleRate }
  /// Whether it has no frames.
  public var isEmpty: Bool { frameCount == 0 }

  /// Some of the frames, without copying them.
  public subscript(frames: some RangeExpression<Int>) -> AudioBuffer {
    let range = frames.relative(to: 0..<frameCount)
    precondition(
      range.lowerBound >= 0 && range.upperBound <= frameCount,
      "slicing a buffer: there are no frames \(range); it has \(frameCount), numbered from 0")
    var slice = self
    slice.start += range.lowerBound
    slice.frameCount = range.count
    return slice
  }

  /// Adds the frames of another buffer at the end. Appending again and again copies each frame a few times at most.
  ///
  /// - Throws: `AudioBufferError` where the formats differ, or both are together longer than `mostFrames`.
  public mutating func append(_ other: AudioBuffer) throws(AudioBufferError) {
    guard other.format == format else { throw .otherFormat(other.format, than: format) }
    let count = frameCount + other.frameCount
    if count > memory.frameCapacity - start || !isKnownUniquelyReferenced(&memory) {
      try grow(to: count)
    }
    for channel in 0..<channelCount {
      (memory.channels[channel] + start + frameCount).update(from: other.samples(channel), count: other.frameCount)
    }
    frameCount = count
  }

  /// Moves to other memory with room for more.
  private mutating func grow(to count: Int) throws(AudioBufferError) {
    let larger = SampleBuffer(
      channelCount: channelCount, frameCapacity: count > memory.frameCapacity - start ? 2 * count : count)
    guard larger.frameCapacity >= count else { throw .tooLong(frameCount: count) }
    move(to: larger)
  }

  private mutating func move(to other: SampleBuffer) {
    precondition(other.frameCapacity >= frameCount, "copying a buffer of \(self): there is no memory for it")
    for channel in 0..<channelCount { other.channels[channel].update(from: samples(channel), count: frameCount) }
    memory = other
    start = 0
  }

  private mutating func makeUnique() {
    guard !isKnownUniquelyReferenced(&memory) else { return }
    move(to: SampleBuffer(channelCount: channelCount, frameCapacity: frameCount))
  }

  private func samples(_ channel: Int) -> UnsafeMutablePointer<Float> { memory.channels[channel] + start }

  private func check(_ channel: Int) {
    precondition(
      (0..<channelCount).contains(channel),
      "reading a buffer: there is no channel \(channel); it has \(channelCount), numbered from 0")
  }
}

/// Samples.
extension AudioBuffer {
  /// A channel's samples, without copying them.
  public subscript(channel: Int) -> Channel {
    check(channel)
    return Channel(memory, samples(channel), count: frameCount)
  }

  /// One sample of a channel. In loops over many, a span is faster.
  public subscript(channel: Int, frame: Int) -> Float {
    get { span(ofChannel: channel)[frame] }
    set {
      var span = mutableSpan(ofChannel: channel)
      span[frame] = newValue
    }
  }

  /// All channels.
  public var channels: [Channel] { (0..<channelCount).map { self[$0] } }

  /// The largest absolute sample of all channels; 0 without any.
  public var peak: Float { channels.reduce(0) { max($0, $1.peak) } }

  /// The samples of a channel, to be read at full speed.
  @_lifetime(borrow self)
  public func span(ofChannel channel: Int) -> Span<Float> {
    check(channel)
    let span = Span(_unsafeStart: UnsafePointer(samples(channel)), count: frameCount)
    return _overrideLifetime(span, borrowing: self)
  }

  /// The samples of a channel, to be changed.
  @_lifetime(&self)
  public mutating func mutableSpan(ofChannel channel: Int) -> MutableSpan<Float> {
    check(channel)
    makeUnique()
    let span = MutableSpan(_unsafeStart: samples(channel), count: frameCount)
    return _overrideLifetime(span, mutating: &self)
  }

  /// Lets something render into the first frames, as an output unit's thread does.
  ///
  /// It allocates nothing unless a copy of the buffer shares its memory, or it is a slice.
  ///
  /// - Parameters:
  ///   - frameCount: clamped to 0 to as many as there are; nil for these.
  ///   - hostTime: in nanoseconds of the monotonic clock; 0 offline.
  ///   - body: may use the slice's memory until it returns.
  public mutating func withRenderSlice<Result, Failure: Error>(
    frameCount: Int? = nil, hostTime: UInt64 = 0, _ body: (inout RenderSlice) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    makeUnique()
    if start > 0 { move(to: SampleBuffer(channelCount: channelCount, frameCapacity: self.frameCount)) }
    var slice = memory.slice(frameCount: min(frameCount ?? self.frameCount, self.frameCount), hostTime: hostTime)
    return try body(&slice)
  }

  /// Lets something read all frames through a pointer per channel. They must not be written.
  package func withPointers<Result, Failure: Error>(
    _ body: (UnsafePointer<UnsafeMutablePointer<Float>>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard start > 0 else { return try body(memory.channels) }
    let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: max(1, channelCount))
    defer { pointers.deallocate() }
    for channel in 0..<channelCount { (pointers + channel).initialize(to: samples(channel)) }
    return try body(pointers)
  }

  /// Where the samples lie as long as a copy of the buffer lives: the first channel, and how far the next is from it.
  package var place: (samples: UnsafePointer<Float>?, stride: Int) {
    (channelCount == 0 ? nil : UnsafePointer(samples(0)), memory.frameCapacity)
  }
}

extension AudioBuffer: Equatable {
  /// Whether format and samples are equal, as floats compare.
  public static func == (one: AudioBuffer, other: AudioBuffer) -> Bool {
    one.format == other.format && one.frameCount == other.frameCount
      && (0..<one.channelCount).allSatisfy { one[$0] == other[$0] }
  }
}

extension AudioBuffer: CustomStringConvertible {
  public var description: String {
    "\(frameCount) \(frameCount == 1 ? "frame" : "frames") of \(format)"
  }
}
