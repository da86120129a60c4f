import AudioFiles
import DSP
import Glibc
import SynthKit
import Text

/// A record of renderings, one JSON object a line, by which a batch that was ended goes on.
///
/// A line is appended by one call of write(2) when its file has its name, so that a line is never about a file that is
/// not whole. What a killed program has left of a line is ignored.
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
  private let done: [String: Done]

  /// - Parameter isResuming: whether renderings that it has are not made again.
  init(path: String, settings: JSONValue, isResuming: Bool) throws(ManifestError) {
    self.path = path
    self.settings = settings
    descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw ManifestError(path: path, reason: systemText(errno)) }
    var (done, isWhole) = ([String: Done](), true)
    if let file = fopen(path, "r") {
      var line: UnsafeMutablePointer<CChar>?
      var capacity = 0
      while case let count = getline(&line, &capacity, file), count > 0, let start = line {
        isWhole = start[count - 1] == 0x0A
        guard isResuming, isWhole else { continue }
        let bytes = UnsafeRawBufferPointer(start: start, count: count - 1)
        if let (song, rendering) = Self.done(Array(bytes), settings.description) { done[song] = rendering }
      }
      free(line)
      fclose(file)
    }
    self.done = done
    if !isWhole { try write("\n") }
  }

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
    let bytes = Array(text.utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw ManifestError(path: path, reason: systemText(errno))
    }
  }
}

/// A manifest cannot be written.
struct ManifestError: Error, CustomStringConvertible {
  let path: String
  let reason: String

  var description: String { "writing manifest \(path): \(reason); name another file with --manifest" }
}
