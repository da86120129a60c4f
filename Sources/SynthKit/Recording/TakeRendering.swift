import Glibc
import Synchronization
import SynthAudioFiles
import SynthMIDI
import SynthRealtime

/// Renders what was played into an audio file, on a thread that yields to all others, while it is played on.
///
/// Half an hour of samples would be 690 MB; the notes are a few, so they are rendered again. Memory: the notes three
/// times, each time at most what the take may have (64 MiB), the presets they use, and 4096 frames of sound.
final class TakeRendering: Sendable {
  let path: String
  /// From the first note to the last, in seconds.
  let songDuration: Double
  private let sampleRate: Double
  private let frameCount = Atomic(0)
  private let isUnwanted = Atomic(false)
  private let outcome = CheckedMutex<Result<Double, RecordingError>?>(nil)

  /// Begins. [control thread]
  init(_ song: Song, as sound: SoundSnapshot, to path: String) throws(RecordingError) {
    (self.path, songDuration, sampleRate) = (path, song.duration, sound.sampleRate)
    do throws(AudioFileError) {
      let file = try AudioFileWriter(path: path, samples: .int24, sampleRate: Int(sound.sampleRate), channelCount: 2)
      let thread: WorkerThread
      do throws(WorkerThreadError) {
        thread = try WorkerThread(named: "saving") { [self] in
          // Of this thread alone.
          setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
          let result = rendered(song, sound, file)
          outcome.withLock { $0 = result }
        }
      } catch {
        throw .noThread(reason: error.description)
      }
      thread.detach()
    } catch {
      throw .file(error)
    }
  }

  /// How much is done, 0 to 1. [any thread]
  var part: Double { min(Double(frameCount.load(ordering: .relaxed)) / sampleRate / max(songDuration, 1e-3), 1) }

  /// How long the file is, in seconds, or why there is none; nil while it is rendered. [control thread]
  var result: Result<Double, RecordingError>? { outcome.withLock { $0 } }

  /// Ends it, without a file. [any thread]
  func cancel() { isUnwanted.store(true, ordering: .relaxed) }

  private func rendered(_ song: Song, _ sound: SoundSnapshot, _ file: AudioFileWriter) -> Result<Double, RecordingError>
  {
    do {
      let progress = try sound.synthesizer(for: song).render(song, to: file) { progress in
        frameCount.store(progress.frameCount, ordering: .relaxed)
        return !isUnwanted.load(ordering: .relaxed)
      }
      if !isUnwanted.load(ordering: .relaxed) { try file.finish() }
      return .success(progress.duration)
    } catch let error as AudioFileError {
      return .failure(.file(error))
    } catch {
      return .failure(.sound(path, reason: "\(error)"))
    }
  }
}
