import AudioFiles
import Glibc
import MIDI

/// The files that a song of a batch becomes. They get their names when all are complete; before, a release leaves none.
final class RenderedFiles {
  /// Nil where there are stems.
  private(set) var mix: AudioFileWriter?
  private(set) var stems: [Stem: AudioFileWriter] = [:]
  /// In the order of their names.
  private(set) var paths: [String] = []
  /// The directory of stems; nil where there are none.
  private let directory: String?

  init(of song: Song, _ item: BatchRenderer.Item, _ batch: BatchRenderer, _ synthesizer: Synthesizer) throws {
    directory = batch.stems == nil ? nil : item.path
    guard let division = batch.stems else {
      mix = try open(item.path, batch, channelCount: batch.synthesizer.channelCount)
      return
    }
    // Where it cannot be made, no file can either, and that says why.
    mkdir(item.path, 0o777)
    for stem in synthesizer.stems(of: song, by: division) {
      let path = "\(item.path)/\(stem.name).\(batch.container?.rawValue.lowercased() ?? "wav")"
      stems[stem] = try open(path, batch, channelCount: 2)
    }
  }

  deinit {
    (mix, stems) = (nil, [:])
    // One that has got no file goes too.
    if let directory { rmdir(directory) }
  }

  private func open(_ path: String, _ batch: BatchRenderer, channelCount: Int) throws -> AudioFileWriter {
    paths.append(path)
    return try AudioFileWriter(
      path: path, container: batch.container, samples: batch.samples, rate: Int(batch.synthesizer.sampleRate),
      channels: channelCount)
  }

  /// - Parameter isCancelled: what has gone into a pipe is completed even so.
  func finish(isCancelled: Bool) throws {
    for file in [mix].compactMap(\.self) + stems.values where !isCancelled || !file.isReplacing { try file.finish() }
  }
}
