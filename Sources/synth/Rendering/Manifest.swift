import Glibc
import SynthAudioFiles
import SynthDSP
import SynthFiles
import SynthKit
import SynthLoudness
import SynthText

/// A record of renderings, one JSON object a line, by which a batch that was ended goes on.
///
/// A line is appended when its file has its name, so that a line is never about a file that is not whole. A regular
/// file takes it with one call of write(2) unless the disk is full. What a killed program has left of a line is taken
/// away by the next one.
struct Manifest: Sendable {
  /// What a song was rendered from, and what is odd about it.
  struct Source: Sendable {
    var digest: String?
    /// Of the file.
    var warnings: [String] = []
    /// Of its rendering.
    var notices: [String] = []
  }

  private struct Done: Sendable {
    let input: String
    let output: String
    let files: [RecordedFile]
  }

  private let path: String
  private let descriptor: Int32
  /// What the bytes of a rendering follow from, the song apart.
  private let settings: JSONValue
  private var done: [String: Done] = [:]
  /// Of each line.
  private static let beginning = "{\"input\""

  /// - Parameters:
  ///   - path: `-` is standard output. Only a regular file is read, and only where that is asked for.
  ///   - isResuming: whether renderings that it has are not made again.
  init(path: String, settings: JSONValue, isResuming: Bool) throws(ManifestError) {
    self.path = path == "-" ? "standard output" : path
    self.settings = settings
    let isFile = path != "-" && Self.isFile(path)
    if isResuming, !isFile { throw ManifestError(path: self.path, reason: "not a regular file, which --resume reads") }
    let access = isFile ? O_RDWR | O_CREAT : O_WRONLY
    descriptor = path == "-" ? STDOUT_FILENO : open(path.cPath, access | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw ManifestError(path: path, reason: systemText(errno)) }
    if isFile { try mendEnd() }
    if isResuming { readDone() }
  }

  private mutating func readDone() {
    guard let file = fopen(path.cPath, "r") else { return }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    while case let count = getline(&line, &capacity, file), count > 0, let start = line {
      let bytes = UnsafeRawBufferPointer(start: start, count: count - 1)
      if let (song, rendering) = Self.done(Array(bytes), settings.description) { done[song] = rendering }
    }
    free(line)
    fclose(file)
  }

  /// Takes away what a killed program has left of a line, and ends a line of others.
  private func mendEnd() throws(ManifestError) {
    let size = Int(lseek(descriptor, 0, SEEK_END))
    var tail = [UInt8](repeating: 0, count: min(size, 1 << 16))
    guard pread(descriptor, &tail, tail.count, off_t(size - tail.count)) == tail.count else { return }
    if let lineBreak = tail.lastIndex(of: 0x0A) { tail.removeFirst(lineBreak + 1) }
    guard !tail.isEmpty else { return }
    let isTorn = (try? JSONValue(parsing: tail)) == nil && zip(tail, Self.beginning.utf8).allSatisfy(==)
    guard isTorn, ftruncate(descriptor, off_t(size - tail.count)) == 0 else { return try write("\n") }
  }

  /// Whether it is a regular file, or will be.
  private static func isFile(_ path: String) -> Bool { [0, S_IFREG].contains(FilePath.kind(of: path)) }

  private static func done(_ line: [UInt8], _ settings: String) -> (song: String, rendering: Done)? {
    guard let value = try? JSONValue(parsing: line), value["settings"]?.description == settings,
      let song = value["input"]?.text, let input = value["inputSHA256"]?.text, let output = value["output"]?.text
    else { return nil }
    // One file stands in the line itself.
    var records = [value]
    if case .array(let files) = value["files"]?.content { records = files }
    let files = records.compactMap { RecordedFile($0) }
    return files.count == records.count ? (song, Done(input: input, output: output, files: files)) : nil
  }

  /// Whether a rendering is there and as it was made. [any thread]
  func has(_ rendering: Rendering, of source: Source) -> Bool {
    guard let done = done[rendering.song], done.input == source.digest, done.output == rendering.target else {
      return false
    }
    return done.files.allSatisfy(\.isThere)
  }

  func append(_ rendering: Rendering, _ source: Source, _ outcome: BatchRenderer.Outcome) throws(ManifestError) {
    var fields: [(String, JSONValue)] = [
      ("input", .string(rendering.song)), ("inputSHA256", source.digest.map { .string($0) } ?? .null),
      ("output", .string(rendering.target)),
    ]
    switch outcome.result {
    case .failure(let error): fields.append(("error", .string(errorLine(error))))
    case .success(let song):
      let files = song.files.compactMap { RecordedFile(path: $0) }
      if song.files == [rendering.target] {
        fields += files.first?.members.dropFirst() ?? []
      } else if files.count == song.files.count {
        fields.append(("files", .array(files.map { .object($0.members) })))
      }
      fields +=
        [
          ("duration", .number(song.progress.duration)), ("peak", .number(Double(song.progress.peak))),
          ("clippedSamples", .number(song.progress.clipCount)),
          ("stolenVoices", .number(song.stolenVoiceCount)), ("lostVoices", .number(song.lostVoiceCount)),
        ] + Loudness.members(of: song.loudness)
    }
    fields += [
      ("warnings", .array((source.notices + source.warnings).map { .string($0) })),
      ("seconds", .number(outcome.elapsed / .seconds(1))), ("settings", settings),
    ]
    try write("\(JSONValue.object(fields))\n")
  }

  /// Waits until it is on the disk. (fsync)
  func finish() throws(ManifestError) {
    // A pipe or a device has no disk.
    if fsync(descriptor) != 0, errno != EINVAL, errno != EROFS {
      throw ManifestError(path: path, reason: systemText(errno))
    }
  }

  private func write(_ text: String) throws(ManifestError) {
    do throws(FileProblem) {
      try WholeFile.writeAll(Array(text.utf8), to: descriptor)
    } catch {
      throw ManifestError(path: path, reason: error.reason)
    }
  }
}

/// A manifest cannot be written.
struct ManifestError: Error, CustomStringConvertible {
  let path: String
  let reason: String

  var description: String { "writing manifest \(path): \(reason); name another file with --manifest" }
}
