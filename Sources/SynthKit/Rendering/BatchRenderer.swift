import SynthAudioFiles
import SynthDSP
import SynthInstruments
import SynthLoudness
import SynthMIDI
import SynthRealtime

/// Renders any number of songs into files, several at the same time.
///
/// A song gets the same bytes whatever the number of workers is, and whatever was rendered before it: each is played by
/// a new synthesizer. Samples are read once and shared. A song is read when its turn comes, so
/// memory does not grow with their number, and one that cannot be rendered does not hold up the others.
public struct BatchRenderer: Sendable {
  /// A song to be rendered.
  public struct Item: Sendable {
    /// Reads the song when its turn comes, on the thread of a worker.
    public var song: @Sendable () throws -> Song
    /// The file it becomes, `-` is standard output; or the directory of its stems, which is made.
    public var path: String

    public init(path: String, song: @escaping @Sendable () throws -> Song) {
      self.path = path
      self.song = song
    }
  }

  /// What became of a song.
  public struct Outcome: Sendable {
    /// Its place among the items, from 0.
    public let index: Int
    /// What was rendered, or why it was not.
    public let result: Result<RenderedSong, any Error>
    /// From its turn on until it was done.
    public let elapsed: Duration
  }

  /// The chain each song is played by. It loads what the song uses, whatever `preload` says.
  public var synthesizer: SynthesizerConfiguration
  /// How the files are laid out; nil for what their names say.
  public var container: AudioFileContainer?
  /// The type of the samples, in containers that hold several.
  public var samples: AudioFileSamples
  /// What the mix is divided into; nil for one file of it. Equalizer and limiter come after the stems.
  public var stems: StemDivision?
  /// Whether each song's notes are written too, a line of JSON each: beside its file with the extension
  /// `.notes.jsonl`, or as `notes.jsonl` among its stems.
  public var writesNotes: Bool
  /// Whether integers are rounded with dither; `true` unless that is changed.
  public var isDithered = true
  /// The channels on which songs are played where these are not their own.
  public var routes = SongRoutes()
  /// What of each song is rendered; all of it unless that is changed. Called on the thread of a worker.
  public var part: @Sendable (Song) -> SongPart = { _ in SongPart() }
  /// How fast songs are played: 1 is the tempo of the file, 0.25 to 4.
  public var tempo = 1.0
  /// How many semitones higher songs are played, −24 to 24, drums excepted.
  public var transposition = 0
  /// Whether and how a metronome clicks in the mix; not at all unless that is changed.
  public var metronome = MetronomeSetting.off
  /// How many bars it counts before each song, 0 to 16.
  public var countIn = 0
  /// When a song is over.
  public var tail = Tail.standard
  /// In front of each song, in seconds, 0 to 3600, to which it is clamped.
  public var leadingSilence = 0.0
  /// What the file of a song says about it; raw files say nothing. Called on the thread of a worker.
  public var tags: @Sendable (Song) -> [AudioFileTag: String] = { _ in [:] }
  /// Songs rendered at the same time, at least 1.
  public var workerCount: Int
  /// Where a song ends that lasts longer, in seconds.
  public var longest: Double
  /// Whether the loudness of the files is measured; it costs 4 ms for each second of stereo at 48 kHz.
  public var measuresLoudness: Bool
  /// The loudness that each file gets; nil for what a song has. The samples are kept beside the file until the song's
  /// end, and the gain comes after everything else.
  public var loudness: LoudnessTarget?

  public init(
    _ synthesizer: SynthesizerConfiguration, container: AudioFileContainer? = nil, samples: AudioFileSamples = .int24,
    stems: StemDivision? = nil, writesNotes: Bool = false, workerCount: Int = 1, longest: Double = .infinity,
    measuresLoudness: Bool = false, loudness: LoudnessTarget? = nil
  ) {
    self.synthesizer = synthesizer
    self.container = container
    self.samples = samples
    self.stems = stems
    self.writesNotes = writesNotes
    self.workerCount = max(1, workerCount)
    self.longest = longest
    self.measuresLoudness = measuresLoudness
    self.loudness = loudness
  }

  /// Renders all items, and returns when the last is done. [control thread]
  ///
  /// - Parameters:
  ///   - items: each is asked for when a worker is free, on its thread, one at a time.
  ///   - report: called on the calling thread, ten times a second and whenever songs are done; false ends the batch.
  ///     What is under way then leaves no file.
  /// - Throws: what `Synthesizer.init` throws, before the first song, or `WorkerThreadError`.
  public func render<Items: Sequence<Item>>(_ items: sending Items, report: (BatchProgress) -> Bool) throws {
    let pool = synthesizer.instruments.sampler.pool ?? SoundFontPool()
    try checkConfiguration(pool)
    let queue = BatchQueue(items, workerCount: workerCount)
    var threads: [WorkerThread] = []
    defer {
      queue.cancel()
      for thread in threads { thread.join() }
    }
    for number in 0..<workerCount {
      let worker = BatchWorker(self, number, queue, pool)
      threads.append(try WorkerThread(named: "render \(number + 1)") { worker.run() })
    }
    while let progress = queue.progress() {
      guard report(progress) else { return }
    }
  }

  /// Every song would fail by a soundfont that cannot be loaded.
  private func checkConfiguration(_ pool: SoundFontPool) throws {
    _ = try Synthesizer(synthesizer.preloading(nil, from: pool))
  }

  /// Renders all items; outcomes come as songs are done. Cancelling the task that reads them ends the batch.
  public func outcomes<Items: Sequence<Item> & Sendable>(
    of items: Items
  ) -> AsyncThrowingStream<Outcome, any Error> {
    AsyncThrowingStream { stream in
      let isWanted = BatchFlag()
      stream.onTermination = { _ in isWanted.lower() }
      let thread = Result {
        try WorkerThread(named: "render batch") {
          do {
            try render(items) { progress in
              for outcome in progress.outcomes { stream.yield(outcome) }
              return isWanted.isRaised
            }
            stream.finish()
          } catch {
            stream.finish(throwing: error)
          }
        }
      }
      switch thread {
      case .success(let thread): thread.detach()
      case .failure(let error): stream.finish(throwing: error)
      }
    }
  }
}

/// A song that was rendered.
public struct RenderedSong: Sendable {
  /// Its peak is the file's.
  public let progress: RenderProgress
  /// The paths of the files it has become.
  public let files: [String]
  /// Of the file as it was before encoding; nil if it was not measured, and for stems.
  public let loudness: Loudness?
  /// Whether it was ended because it lasts too long.
  public let isCut: Bool
  /// Tuning messages that were ignored.
  public let refusedTuningCount: Int
  /// Voices that were ended early because more than the polyphony sounded.
  public let stolenVoiceCount: Int
  /// Voices that were never heard because of that.
  public let lostVoiceCount: Int
}

/// How far a batch has come.
public struct BatchProgress: Sendable {
  /// What was done since the last report.
  public var outcomes: [BatchRenderer.Outcome] = []
  /// The songs under way.
  public var songs: [RenderProgress] = []
  /// Of all songs so far, in seconds of audio.
  public var duration: Double = 0
}

extension SynthesizerConfiguration {
  /// The same with what a song uses of soundfonts, whose samples a pool keeps.
  func preloading(_ song: Song?, from pool: SoundFontPool) -> SynthesizerConfiguration {
    var configuration = self
    configuration.instruments.sampler.pool = pool
    configuration.instruments.sampler.bank = song?.container?.bank
    configuration.instruments.sampler.preload = .used(song.map { [$0] } ?? [])
    configuration.instruments.sampler.touchesSamples = false
    // Nothing chooses one while a song is rendered, and each would be read and designed for each song.
    configuration.equalizerPresets = configuration.equalizerPresets ?? []
    return configuration
  }
}
