import AudioGraph
import Synchronization
import SynthDSP
import SynthRealtime

/// Plays one audio file: from any place, at any rate and pitch, with loops, gain and pan, all of which may change while
/// it plays, without a click. For files at sample times, one after the other, there is `FilePlayerNode`.
///
///     let player = try SoundPlayerNode(FileSound(path: "rain.flac"))
///     player.rate.value = 0.8
///     player.loop = SoundLoop(2, 10)
///     player.play()
///
/// At rate 1 and pitch 0 every sample of a file of the output's rate is the file's. The output is stereo.
public final class SoundPlayerNode: AudioNode {
  public let name: String
  public let inputBusCount = 0
  public let outputBusCount = 1
  public let isStreaming = true
  /// What is played, perhaps by others at the same time; nil is silence.
  public let sound: FileSound?
  /// Of all channels.
  public let gain = Parameter("gain", unit: .decibels, range: -120...24, default: 0)
  /// The other side fades.
  public let pan = Parameter("pan", unit: .pan, range: -1...1, default: 0)
  /// How fast it goes; changes take 20 ms.
  public let rate = Parameter("rate", unit: .ratio, range: rateRange, default: 1)
  /// How much higher it sounds.
  public let pitch = Parameter("pitch", unit: .cents, range: -2400...2400, default: 0)
  /// Whether the rate leaves the pitch as it is (time stretching); else it sounds higher when it is faster (varispeed).
  public let keepsPitch = Parameter("keeps pitch", unit: .toggle, range: 0...1, default: 0)
  /// What `rate` may be: four times slower to four times faster.
  public static let rateRange: ClosedRange<Float> = 0.25...4
  let feed = SoundFeed()
  private let cell = Box(SoundPlayerCell())
  private let wishes = CheckedMutex(Wishes())
  private let slot = KernelSlot<Double>()

  private struct Wishes {
    var loop: SoundLoop?
    var place: Double = 0
  }

  /// - Throws: `AudioFileError.noThread`.
  public init(name: String = "sound player", _ sound: FileSound?) throws(AudioFileError) {
    self.name = name
    self.sound = sound
    if let sound { try feed.add(sound) }
  }

  public var parameters: [Parameter] { [gain, pan, rate, pitch, keepsPitch] }

  /// Begins, or goes on where it is; from the start if it has ended. [any thread]
  public func play() {
    if position >= duration { position = 0 }
    cell.pointer.pointee.isPlaying.store(true, ordering: .releasing)
  }

  /// Fades out within 256 frames; `play` goes on there. [any thread]
  public func pause() { cell.pointer.pointee.isPlaying.store(false, ordering: .releasing) }

  /// Whether it plays; false after its end. [any thread]
  public var isPlaying: Bool { cell.pointer.pointee.isPlaying.load(ordering: .acquiring) }

  /// In seconds at the file's own rate; 0 without a sound.
  public var duration: Double { sound?.duration ?? 0 }

  /// The place that is rendered next, in seconds from the start of the file. A new one is gone to in a fade of 12 ms,
  /// clamped to 0 to `duration`; NaN is ignored. [any thread]
  public var position: Double {
    get {
      let cell = cell.pointer
      return wishes.withLock { wishes in
        let isDone =
          cell.pointee.soughtCount.load(ordering: .acquiring) == cell.pointee.seekCount.load(ordering: .relaxed)
        guard isDone, let sound else { return wishes.place }
        return min(Double(bitPattern: cell.pointee.position.load(ordering: .relaxed)) / sound.sampleRate, duration)
      }
    }
    set {
      guard let sound, !newValue.isNaN else { return }
      let place = min(max(newValue, 0), duration)
      sound.prepare(at: place)
      wishes.withLock { wishes in
        wishes.place = place
        cell.pointer.pointee.seekPlace.store((place * sound.sampleRate).bitPattern, ordering: .relaxed)
        cell.pointer.pointee.seekCount.add(1, ordering: .releasing)
      }
    }
  }

  /// What is repeated; nil for nothing. A player that is beyond it plays to its end. Start and end
  /// are clamped to the file; a loop with NaN is ignored. [any thread]
  public var loop: SoundLoop? {
    get { wishes.withLock { $0.loop } }
    set {
      guard let sound, newValue.map({ !$0.start.isNaN && !$0.end.isNaN }) ?? true else { return }
      if let newValue { sound.prepare(at: newValue.start) }
      wishes.withLock { wishes in
        wishes.loop = newValue
        let loop = newValue ?? SoundLoop(0, 0)
        let frames = [loop.start, loop.end].map { Int64((min(max($0, 0), duration) * sound.sampleRate).rounded()) }
        cell.pointer.pointee.loopCount.add(1, ordering: .acquiringAndReleasing)
        cell.pointer.pointee.loopStart.store(frames[0], ordering: .releasing)
        cell.pointer.pointee.loopEnd.store(frames[1], ordering: .releasing)
        cell.pointer.pointee.jumpCount.store(loop.passCount.map { max($0, 1) - 1 } ?? .max, ordering: .releasing)
        cell.pointer.pointee.loopCount.add(1, ordering: .releasing)
      }
    }
  }

  /// How many frames of the file could not be read in time and were silent. [any thread]
  public var missingFrameCount: Int { cell.pointer.pointee.missingFrames.load(ordering: .relaxed) }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] { [.stereo(sampleRate)] }

  public func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: formats.sampleRate) {
      let kernel = SoundPlayerKernel(self, cell.pointer, sampleRate: formats.sampleRate)
      // The feed keeps the sound.
      return Kernel(kernel, retaining: parameters + [cell, feed], entry: SoundPlayerKernel.entry)
    }
  }

  /// Stops without a fade and returns to the start. [control thread]
  public func reset() {
    pause()
    position = 0
    slot.reset()
  }

  public func prepareToRender(frameCount: Int) { feed.fill() }
}

/// A passage that is repeated, in seconds.
public struct SoundLoop: Hashable, Sendable {
  /// The first moment that is repeated, in seconds.
  public var start: Double
  /// A passage of less than 5 ms is not repeated.
  public var end: Double
  /// How many times it is played in all; nil for endlessly.
  public var passCount: Int?

  public init(_ start: Double, _ end: Double, passCount: Int? = nil) {
    self.start = start
    self.end = end
    self.passCount = passCount
  }
}

/// State that a player's control side and its kernel share.
struct SoundPlayerCell: ~Copyable {
  let isPlaying = Atomic<Bool>(false)
  /// The frame of the sound that is rendered next.
  let position = Atomic<UInt64>(0)
  /// How many places were asked for, the last of them, and how many have been gone to.
  let seekCount = Atomic<Int>(0)
  let seekPlace = Atomic<UInt64>(0)
  let soughtCount = Atomic<Int>(0)
  /// Twice as many as loops were asked for, and one more while the last of them, in frames, is written.
  let loopCount = Atomic<Int>(0)
  let loopStart = Atomic<Int64>(0)
  let loopEnd = Atomic<Int64>(0)
  let jumpCount = Atomic<Int>(0)
  let missingFrames = Atomic<Int>(0)
}

extension Component {
  static let soundPlayer = Component(
    .generator, "sdpl", name: "sound player",
    summary: "plays one audio file at any rate and pitch, with loops; silent, until one with a file replaces it"
  ) { _ in try SoundPlayerNode(nil) }
}
