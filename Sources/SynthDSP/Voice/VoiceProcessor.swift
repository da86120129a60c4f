import CSynthSpeexDSP

/// Takes the echo of what loudspeakers play out of what a microphone hears, lowers noise and evens out the level.
///
/// By libspeexdsp: an adaptive filter in the frequency domain that keeps its rate of learning low while both ends speak
/// (J.-M. Valin, "On Adjusting the Learning Rate in Frequency Domain Echo Cancellation With Double-Talk", IEEE TASLP
/// 15:3, 2007), and a suppressor of noise and of what is left of the echo. It calculates with 16 bits, in frames of
/// about 10 ms; what it gives is `latency` late.
public struct VoiceProcessor: ~Copyable {
  /// libspeexdsp, which is there: it is loaded with the first of these, and stays.
  public struct Library: Sendable {
    /// Throws where the library is not installed. [control thread]
    public init() throws(LibraryError) {
      if let problem = voice_load_library() { throw LibraryError("processing voices", problem: problem) }
    }
  }

  /// What it can run at, in hertz. Speech has nothing beyond.
  public static let sampleRates = 8000.0...48000

  /// How many frames later than the microphone the output is.
  public let latency: Int
  private let frameSize: Int
  /// What the preprocessor takes for the loudness of speech with an RMS of 1.
  private let loudness: Float
  private let farEndCount: Int
  private let canceller: OpaquePointer
  private let preprocessor: OpaquePointer
  /// One frame of each; the far end's channels are interleaved.
  private let microphone: UnsafeMutablePointer<Int16>
  private let farEnd: UnsafeMutablePointer<Int16>
  private let clean: UnsafeMutablePointer<Int16>
  /// How much of a frame is there.
  private var position = 0
  /// The microphone as it was, and where the oldest block is in it.
  private let delayed: UnsafeMutablePointer<Float>
  private var oldest = 0
  /// What was set last; nothing yet.
  private var noise: Int32 = -1
  private var isGainAutomatic = false
  private var target: Int32 = 0
  /// For how many frames in a row the canceller has added more than it took away.
  private var worseFrames = 0

  /// - Parameters:
  ///   - library: what calculates.
  ///   - sampleRate: in hertz, within `sampleRates`.
  ///   - farEndChannelCount: 1, or 2 where the loudspeakers play different things; that costs twice as much.
  public init(_ library: Library, sampleRate: Double, farEndChannelCount: Int, quality: VoiceQuality) {
    let rate = min(max(Self.sampleRates.lowerBound, sampleRate), Self.sampleRates.upperBound)
    frameSize = Self.frameSize(sampleRate: rate)
    farEndCount = min(max(farEndChannelCount, 1), 2)
    // A frame has to be there before it is processed, and the preprocessor is a frame late.
    latency = 2 * frameSize - blockSize
    // Measured with words at 8 to 48 kHz, within 0.7 dB: it counts loud moments most, and longer frames as louder.
    loudness = 0.385 * Float(frameSize).squareRoot()
    canceller = voice_make_canceller(
      Int32(frameSize), Int32(quality.tail * rate), Int32(farEndCount), Int32(rate))
    preprocessor = voice_make_preprocessor(Int32(frameSize), Int32(rate), canceller)
    microphone = .allocate(capacity: frameSize)
    microphone.initialize(repeating: 0, count: frameSize)
    farEnd = .allocate(capacity: frameSize * farEndCount)
    farEnd.initialize(repeating: 0, count: frameSize * farEndCount)
    clean = .allocate(capacity: frameSize)
    clean.initialize(repeating: 0, count: frameSize)
    delayed = .allocate(capacity: latency)
    delayed.initialize(repeating: 0, count: latency)
  }

  deinit {
    speex_preprocess_state_destroy(preprocessor)
    speex_echo_state_destroy(canceller)
    microphone.deallocate()
    farEnd.deallocate()
    clean.deallocate()
    delayed.deallocate()
  }

  /// The power of two that is next to 10 ms: 64 at 8 kHz, 512 at 44.1 and 48 kHz.
  private static func frameSize(sampleRate: Double) -> Int {
    var size = blockSize
    while Double(2 * size) <= 0.012 * sampleRate { size *= 2 }
    return size
  }

  /// Takes effect with the next frame. [audio thread]
  ///
  /// - Parameters:
  ///   - noiseSuppression: by how many decibels steady noise is lowered, 0 to 60.
  ///   - targetLevel: what the automatic gain brings the RMS of speech to, as an amplitude up to 0.1.
  @_noLocks
  public mutating func set(noiseSuppression: Float, isGainAutomatic: Bool, targetLevel: Float) {
    let noise = Int32(min(max(0, noiseSuppression), 60) + 0.5)
    let target = Int32(min(max(0, targetLevel * loudness), 1) * 32767)
    guard noise != self.noise || isGainAutomatic != self.isGainAutomatic || target != self.target else { return }
    (self.noise, self.isGainAutomatic, self.target) = (noise, isGainAutomatic, target)
    voice_set(preprocessor, -noise, isGainAutomatic ? 1 : 0, target)
  }

  /// Processes 64 frames. [audio thread]
  ///
  /// - Parameters:
  ///   - farLeft: what loudspeakers are given in the same quantum; alone it counts with one channel.
  ///   - dry: gets the microphone as late as the output is.
  @_noLocks
  public mutating func process(
    microphone input: UnsafePointer<Float>, farLeft: UnsafePointer<Float>, farRight: UnsafePointer<Float>,
    into output: UnsafeMutablePointer<Float>, dry: UnsafeMutablePointer<Float>
  ) {
    for frame in 0..<blockSize {
      microphone[position &+ frame] = Self.word(input[frame] * 32768)
      // Half as loud: beyond full scale, as its emphasis of highs makes of it, the canceller gives up.
      let place = (position &+ frame) &* farEndCount
      farEnd[place] = Self.word(farLeft[frame] * 16384)
      if farEndCount == 2 { farEnd[place &+ 1] = Self.word(farRight[frame] * 16384) }
      dry[frame] = delayed[oldest &+ frame]
      delayed[oldest &+ frame] = input[frame]
    }
    oldest &+= blockSize
    if oldest == latency { oldest = 0 }
    position &+= blockSize
    if position == frameSize {
      position = 0
      processFrame()
    }
    for frame in 0..<blockSize { output[frame] = Float(clean[position &+ frame]) * 0x1p-15 }
  }

  @_noLocks
  private mutating func processFrame() {
    voice_cancel(canceller, microphone, farEnd, clean)
    // libspeexdsp counts so too, from 20000 on, and starts over after 50 frames, but not without a word on stderr.
    worseFrames = emphasizedPower(clean) > emphasizedPower(microphone) + 15_000 ? worseFrames &+ 1 : 0
    if worseFrames == 40 {
      voice_reset(canceller)
      worseFrames = 0
    }
    voice_preprocess(preprocessor, clean)
  }

  /// The mean square of a frame with its highs emphasized, as the canceller sees it.
  @_noLocks
  private func emphasizedPower(_ samples: UnsafePointer<Int16>) -> Float {
    var sum: Float = 0
    for frame in 1..<frameSize {
      let difference = Float(samples[frame]) - 0.9 * Float(samples[frame &- 1])
      sum += difference * difference
    }
    return sum / Float(Int32(truncatingIfNeeded: frameSize))
  }

  /// Rounds; what is no number becomes 0.
  @_noLocks
  private static func word(_ sample: Float) -> Int16 {
    if sample >= 32767 { return .max }
    if sample <= -32768 { return .min }
    guard sample == sample else { return 0 }
    return Int16(truncatingIfNeeded: Int32(sample < 0 ? sample - 0.5 : sample + 0.5))
  }
}
