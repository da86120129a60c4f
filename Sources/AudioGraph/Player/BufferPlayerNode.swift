import SynthRealtime

/// Plays buffers at sample times of the engine, one after the other without gaps, in loops, or over what plays.
///
///     let player = BufferPlayerNode(format: .stereo(48000))
///     try player.schedule(beat, options: .loops)
///     try player.schedule(crash, at: engine.sampleTime(after: .seconds(2)), options: .interrupts) { print($0) }
///     player.play()
///
/// Samples are played as they are, from the memory of the buffer: nothing is copied, and a buffer that is changed
/// later is another one. Gain and pan are those of a mixer's input. For files there is `FilePlayerNode`, for another
/// speed `SoundPlayerNode`.
public final class BufferPlayerNode: AudioNode {
  public let name: String
  public let inputBusCount = 0
  public let outputBusCount = 1
  // Rendering by hand tells the ends of buffers between two quanta.
  public let isStreaming = true
  /// The format of the output and of all buffers.
  public let format: AudioFormat
  private let desk: PlayerDesk<Void, Never>
  private let slot = KernelSlot<Double>()

  /// How many buffers may be scheduled that have not ended.
  public static let capacity = 1024

  /// - Parameter format: its channels are clamped to 1 to 1024.
  public init(name: String = "buffer player", format: AudioFormat) {
    self.name = name
    let channelCount = min(max(1, format.channelCount), FormatCheck.channelCounts.upperBound)
    self.format = AudioFormat(sampleRate: format.sampleRate, channelCount: channelCount)
    desk = PlayerDesk(waiting: (), channelCount: channelCount, blockLength: 0, minimumCapacity: Self.capacity)
  }

  deinit { desk.stop() }

  public var properties: [Property] {
    [
      Property(SourceNode.sampleRate, of: self) { [format] in .number(format.sampleRate) },
      Property(SourceNode.channelCount, of: self) { [format] in .integer(format.channelCount) },
    ]
  }

  /// Appends a buffer to the schedule. [any thread]
  ///
  /// - Parameters:
  ///   - time: the frame of the engine at which its first frame is heard before any effects, to the nearest frame of
  ///     the player where that has another rate. If that has passed, or something still plays then, and where it is
  ///     nil, the buffer begins as soon as the one before it has ended.
  ///   - whenEnded: called once, on the thread that all players share for it, or on the one that stops the player or
  ///     renders by hand. It may block, which delays what other players tell, and no sound.
  /// - Throws: `BufferPlayerError` for a buffer of another format, and where `capacity` are scheduled.
  public func schedule(
    _ buffer: AudioBuffer, at time: Int64? = nil, options: BufferPlaybackOptions = [],
    whenEnded: (@Sendable (PlaybackEnd<Never>) -> Void)? = nil
  ) throws(BufferPlayerError) {
    guard buffer.format == format else { throw .otherFormat(buffer.format, player: name, format) }
    try desk.schedule(whenEnded, noThread: { .noThread(reason: $0.description) }) {
      state, id throws(BufferPlayerError) in
      guard state.count < Self.capacity else { throw .full(player: name) }
      let (samples, stride) = buffer.place
      state.ring.buffers.withLock { $0[id] = buffer }
      _ = state.ring.blocks.producer.push(
        PlayerBlock(
          id: id, startTime: time ?? .min, frameCount: buffer.frameCount, samples: samples, stride: stride,
          isLooping: options.contains(.loops), isInterrupting: options.contains(.interrupts)))
    }
  }

  /// How many buffers are scheduled that have not ended: `schedule` refuses one more than `capacity`. [any thread]
  public var scheduledCount: Int { desk.withLock { $0.count } }

  /// Begins or continues to play the schedule. [any thread]
  public func play() { desk.cell.pointee.isPlaying.store(true, ordering: .releasing) }

  /// Pauses after the next quantum, in which the sound fades out. [any thread]
  public func pause() { desk.cell.pointee.isPlaying.store(false, ordering: .releasing) }

  /// Clears the schedule; the present buffer fades out in the next quantum. [any thread]
  public func stop() {
    pause()
    desk.stop()
  }

  /// Stops without a fade. [control thread]
  public func reset() {
    pause()
    desk.stop(isCut: true)
  }

  /// Whether it plays the schedule, rather than waits for `play`. [any thread]
  public var isPlaying: Bool { desk.cell.pointee.isPlaying.load(ordering: .relaxed) }

  /// The place in the present buffer that is rendered next, in seconds from its start; nil while none has begun. It
  /// stands still in a pause. [any thread]
  public var position: Double? {
    let frame = desk.cell.pointee.position.load(ordering: .relaxed)
    return frame < 0 ? nil : Double(frame) / format.sampleRate
  }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] { [format] }

  public func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: formats.unitSampleRate) {
      let time = BusTime(sampleRate: formats.sampleRate, engineRate: formats.unitSampleRate)
      return desk.kernel(channelCount: format.channelCount, time)
    }
  }

  public func prepareToRender(frameCount: Int) { desk.tellEnds() }
}

/// How a buffer is played.
public struct BufferPlaybackOptions: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// It is played again and again, until at its end the next buffer is due, one interrupts it, or the player stops.
  public static let loops = BufferPlaybackOptions(rawValue: 1)
  /// When it is due it ends all that was scheduled before it. What sounds fades out under its first 64 frames, and it
  /// begins at its frame with its full level. An empty buffer so ends the others at a frame.
  public static let interrupts = BufferPlaybackOptions(rawValue: 2)
}

/// Why a buffer was not scheduled.
public enum BufferPlayerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// It has another format than the player.
  case otherFormat(AudioFormat, player: String, AudioFormat)
  /// So many are scheduled that no more fit.
  case full(player: String)
  /// The system has no thread for telling the ends of buffers.
  case noThread(reason: String)

  public var description: String {
    switch self {
    case .otherFormat(let buffer, let player, let format):
      """
      scheduling a buffer on \(player): it has \(buffer) and the player \(format); \
      convert it with converted(to:) first
      """
    case .full(let player):
      "scheduling a buffer on \(player): \(BufferPlayerNode.capacity) wait already; wait until some have ended"
    case .noThread(let reason):
      "scheduling a buffer: no thread is to be had, \(reason); use fewer players and taps"
    }
  }
}
