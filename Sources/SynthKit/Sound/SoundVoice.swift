import AudioGraph
import SynthAudioFiles
import SynthDSP
import SynthInstruments
import SynthRealtime

/// One sound on its way through a song, until it has faded. [audio thread]
struct SoundVoice: ~Copyable {
  private var sound: UnsafePointer<FileSound.Memory>?
  private let reader: UnsafePointer<SoundReader>
  private var stretcher: Stretcher
  private let block: UnsafeMutablePointer<Float>
  private let sampleRate: Double
  /// The frame of the sound that is heard next.
  private var position: Double = 0
  private var rate: Double = 1
  private var step: Double = 1
  private var level: Float = 0
  /// Whether it has played on until now.
  private var isPlaying = false

  private static var fadeLength: Float {
    @_noLocks get { 256 }
  }

  /// - Parameter reader: must outlive the voice. [control thread]
  init(_ reader: Box<SoundReader>, _ sampleRate: Double) {
    self.reader = UnsafePointer(reader.pointer)
    self.sampleRate = sampleRate
    stretcher = Stretcher(sampleRate: sampleRate)
    block = .allocate(capacity: 2 * renderQuantum)
    block.initialize(repeating: 0, count: 2 * renderQuantum)
  }

  deinit { block.deallocate() }

  /// Goes on with a passage of the sound it plays; false if it plays another or none.
  @_noLocks
  mutating func follow(_ passage: Passage) -> Bool {
    guard isPlaying, let sound, UnsafeRawPointer(sound) == passage.sound else { return false }
    let place = take(passage, sound)
    if abs(place - position) > 0.01 {
      if passage.isLoop, rate == step {
        stretcher.jump(to: place)
      } else {
        stretcher.fade(to: place)
      }
    }
    position = place
    return true
  }

  /// Begins a passage. The song's first frame is not faded in.
  @_noLocks
  mutating func begin(_ passage: Passage) {
    guard let memory = passage.sound else { return }
    let sound = memory.assumingMemoryBound(to: FileSound.Memory.self)
    self.sound = sound
    position = take(passage, sound)
    stretcher.begin(at: position, ratio: ratio(sound))
    level = passage.songFrame < 0.5 ? 1 : 0
  }

  /// Takes over tempo and pitch: the place in the sound.
  @_noLocks
  private mutating func take(_ passage: Passage, _ sound: UnsafePointer<FileSound.Memory>) -> Double {
    let ratio = ratio(sound)
    let interval = Float(Int32(truncatingIfNeeded: passage.transposition)) / 12
    let pitch = passage.transposition == 0 ? 1 : Double(exponential2(interval))
    rate = min(passage.rate * ratio, Stretcher.longestStep)
    step = min(pitch * ratio, Stretcher.longestStep)
    return passage.songFrame * ratio
  }

  /// Frames of the sound in a frame of output.
  @_noLocks
  private func ratio(_ sound: UnsafePointer<FileSound.Memory>) -> Double { sound.pointee.sampleRate / sampleRate }

  /// Adds some frames of a quantum, of a sound that is heard or fades out.
  @_noLocks
  mutating func add(to output: Bus, from start: Int, _ count: Int, isHeard: Bool) {
    isPlaying = isHeard
    guard let sound, count > 0 else { return }
    reader.pointee.begin(sound)
    stretcher.render(sound.pointee.pages, at: position, rate: rate, step: step, into: block, count: count)
    position += rate * Double(count)
    output.isSilent = false
    let channelCount = sound.pointee.pages.channelCount
    var level = level
    for channel in 0..<output.channelCount {
      let source = block + min(channel, channelCount &- 1) &* renderQuantum
      let target = output[channel] + start
      level = self.level
      for frame in 0..<count {
        target[frame] += source[frame] * level
        level = isHeard ? min(level + 1 / Self.fadeLength, 1) : max(level - 1 / Self.fadeLength, 0)
      }
    }
    self.level = level
    reader.pointee.end(at: position)
    guard level == 0, !isHeard else { return }
    self.sound = nil
    reader.pointee.leave()
  }
}
