import SynthDSP
import SynthKit
import SynthLoudness
import SynthMIDI
import SynthRealtime

/// The songs of a rendering: read when their turn comes, and recorded when they are done.
final class RenderSongs: Sendable {
  let renderings: [Rendering]
  private let sound: Sound
  private let part: SongOptions
  private let manifest: Manifest?
  private let makesDirectories: Bool
  private let makesFiles: Bool
  /// Whether stems or notes are to be written.
  private let needsNotes: Bool
  private let loudness: LoudnessTarget?
  /// Of the songs under way.
  private let sources = CheckedMutex<[Int: Manifest.Source]>([:])

  init(
    _ renderings: [Rendering], _ sound: Sound, _ part: SongOptions, _ manifest: Manifest?, _ options: RenderOptions
  ) {
    self.renderings = renderings
    self.sound = sound
    self.part = part
    self.manifest = manifest
    makesDirectories = options.isDirectory
    makesFiles = !options.isPipeOrDevice
    needsNotes = options.stems != nil || options.writesNotes
    loudness = options.loudness
  }

  /// Reads a song. [any thread]
  ///
  /// - Throws: `AlreadyRendered` where nothing is left to do.
  func song(at index: Int) throws -> Song {
    let rendering = renderings[index]
    let content = try SongFile.Content(path: rendering.song)
    // What is begun from here on must not stay unfinished.
    if makesFiles { Interruption.watch() }
    var source = Manifest.Source(digest: manifest.flatMap { _ in content.digest })
    defer { sources.withLock { $0[index] = source } }
    if let manifest, manifest.has(rendering, of: source) { throw AlreadyRendered() }
    let file = try SongFile(path: rendering.song, content, playsBank: sound.options.playsBanks, part.reading)
    try part.check(file, for: "rendering")
    if needsNotes, file.song.sound != nil { throw NoNotes(path: file.path) }
    source.warnings = file.warnings
    source.notices = file.notices + part.warnings(of: file) + sound.options.warnings(ofChannelsUnusedBy: file)
    if makesDirectories { try RenderTargets.makeDirectory(of: rendering.target) }
    return file.song
  }

  /// Writes what became of a song into the manifest.
  ///
  /// - Returns: what is odd about the song and its rendering.
  func record(_ outcome: BatchRenderer.Outcome) throws(ManifestError) -> Manifest.Source {
    let rendering = renderings[outcome.index]
    var source = sources.withLock { $0.removeValue(forKey: outcome.index) } ?? Manifest.Source()
    switch outcome.result {
    case .failure(is AlreadyRendered): return Manifest.Source()
    case .success(let song):
      if song.isCut, !part.isEndless {
        source.notices.append(
          "\(rendering.song): it lasts \(spell(song.progress.songDuration)) and its tail; ended after "
            + "\(spell(song.progress.duration)), see --longest")
      }
      if let reason = loudness?.reason(song) { source.notices.append("\(rendering.song): \(reason)") }
    case .failure: break
    }
    try manifest?.append(rendering, source, outcome)
    return source
  }

  private func spell(_ seconds: Double) -> String {
    seconds < 3600 ? clock(seconds) : "\(tenths(seconds / 3600)) hours"
  }
}

extension LoudnessTarget {
  /// Why a song does not have this loudness; nil if it has.
  fileprivate func reason(_ song: RenderedSong) -> String? {
    guard let loudness = song.loudness?.integrated.value else { return nil }
    if !loudness.isFinite { return "it is too short or too quiet to have a loudness, so it was made no louder" }
    guard integrated.value - loudness > 0.05 else { return nil }
    return "it has \(tenths(loudness)) LUFS, not \(tenths(integrated.value)); louder, its true peak would be above "
      + "\(tenths(highestTruePeak.value)) dBTP"
  }
}

extension SongFile.Content {
  fileprivate var digest: String? {
    switch self {
    case .midi(let bytes, _): FileDigest.of(bytes)
    case .audio(let sound): FileDigest.ofFile(sound.path)
    }
  }
}

/// An audio file of which stems or notes are asked for.
struct NoNotes: Error, CustomStringConvertible {
  let path: String

  var description: String {
    "rendering \(path): an audio file has neither channels, tracks nor notes; leave out --stems and --notes"
  }
}

/// A song's rendering is there, whole and right.
struct AlreadyRendered: Error {}

/// Folders or a list that name no song.
struct NoSongs: Error, CustomStringConvertible {
  let description: String

  init(_ operands: [String], _ list: SongList) {
    let places = operands.map { $0 == "-" ? "the list on standard input" : $0 }.joined(separator: ", ")
    let remedy = list.audioFileLeftOut.map { "name audio files themselves, as in \($0)" } ?? "name others"
    description =
      "looking for songs in \(places): no .mid, .midi, .kar, .rmi, .smf, .xmi or .mus file"
      + "\(list.takesAudio ? ", and no audio file" : ""); \(remedy)"
  }
}
