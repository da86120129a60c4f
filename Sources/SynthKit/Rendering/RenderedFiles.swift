import AudioGraph
import Glibc
import SynthAudioFiles
import SynthFiles
import SynthMIDI

/// The files that a song of a batch becomes. They get their names when all are complete; before, a release leaves none.
final class RenderedFiles {
  /// Nil where there are stems.
  private(set) var mix: MeasuredFile?
  private(set) var stems: [Stem: AudioFileWriter] = [:]
  /// Nil where they are not asked for.
  private(set) var notes: NoteFile?
  /// In the order of their names.
  private(set) var paths: [String] = []
  /// The directory of stems; nil where there are none.
  private let directory: String?

  init(of song: Song, _ item: BatchRenderer.Item, _ batch: BatchRenderer, _ synthesizer: Synthesizer) throws {
    directory = batch.stems == nil ? nil : item.path
    guard let division = batch.stems else {
      let file = try open(item.path, song, batch, channelCount: batch.synthesizer.channelCount)
      mix = try MeasuredFile(file, path: item.path, isMeasured: batch.measuresLoudness, target: batch.loudness)
      if batch.writesNotes { notes = try openNotes(Self.notesPath(beside: item.path), song) }
      return
    }
    try Self.makeDirectory(item.path)
    for stem in synthesizer.stems(of: song, by: division) {
      let path = "\(item.path)/\(stem.name).\((batch.container ?? .wav).fileExtension)"
      stems[stem] = try open(path, song, batch, channelCount: 2)
    }
    if batch.writesNotes { notes = try openNotes("\(item.path)/notes.jsonl", song) }
  }

  private static func makeDirectory(_ path: String) throws(AudioFileError) {
    guard mkdir(path.cPath, 0o777) != 0 else { return }
    let code = errno
    var status = stat()
    if stat(path.cPath, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
    throw .cannotCreate(path: path, code: code == EEXIST ? ENOTDIR : code)
  }

  /// The path with another extension.
  private static func notesPath(beside path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return path + ".notes.jsonl" }
    return path.dropLast(name[dot...].count) + ".notes.jsonl"
  }

  deinit {
    (mix, stems, notes) = (nil, [:], nil)
    // One that has got no file goes too.
    if let directory { rmdir(directory.cPath) }
  }

  private func open(_ path: String, _ song: Song, _ batch: BatchRenderer, channelCount: Int) throws -> AudioFileWriter {
    paths.append(path)
    return try AudioFileWriter(
      path: path, container: batch.container, samples: batch.samples, sampleRate: Int(batch.synthesizer.sampleRate),
      channelCount: channelCount, isDithered: batch.isDithered, tags: batch.tags(song))
  }

  private func openNotes(_ path: String, _ song: Song) throws -> NoteFile {
    if let mix, !mix.file.isReplacing {
      throw AudioFileError.unsupported(path: path, reason: "notes are written beside a file, not a pipe or a device")
    }
    paths.append(path)
    return try NoteFile(path, NoteLines(of: song, stems: Array(stems.keys)))
  }

  /// In front of the song, where it changes neither loudness nor range nor peak.
  func writeSilence(frameCount: Int) throws(AudioFileError) {
    for file in audio {
      let silence = SampleBuffer(channelCount: file.format.channelCount, frameCapacity: renderBlock)
      for start in stride(from: 0, to: frameCount, by: renderBlock) {
        try file.write(silence.channels, frameCount: min(renderBlock, frameCount - start))
      }
    }
  }

  private var audio: [AudioFileWriter] { (mix.map { [$0.file] } ?? []) + stems.values }

  /// - Parameter isCancelled: what has gone into a pipe is completed even so.
  func finish(isCancelled: Bool) throws {
    for file in audio where !isCancelled || !file.isReplacing { try file.finish() }
    if !isCancelled { try notes?.finish() }
  }
}
