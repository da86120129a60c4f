import Glibc
import SynthFiles

/// An audio file, or a folder of them, as a SoundFont of one preset in memory. [control thread]
///
/// A name tells a sample's key, or else the file does; `SampleMap` says which keys it plays. Loops, key ranges and
/// tuning come from the file's chunks.
package struct SampleFont {
  /// Of the SoundFont.
  package let bytes: [UInt8]
  let problems: SoundFontProblems

  /// What audio files of a folder are called; other files there are ignored, and so are folders.
  private static let extensions: Set = [
    "wav", "wave", "w64", "flac", "aif", "aiff", "aifc", "ogg", "oga", "opus", "caf",
  ]

  /// Nil for a path that is neither a folder nor an audio file.
  package init?(path: String) throws(SoundFontError) {
    let isFolder = Self.isFolder(path)
    guard isFolder || Self.isAudioFile(path) else { return nil }
    let paths = isFolder ? try Self.audioFiles(in: path) : [path]
    var files: [SampleFile] = []
    for path in paths { files.append(try SampleFile(path: path)) }
    let map = SampleMap(zip(paths, files).map { (SampleName(Self.title($0)), $1.markings) })
    var problems = SoundFontProblems()
    for (sample, reason) in map.leftOut {
      problems.add(paths[sample], reason + "; it is left out", chunk: "", offset: 0)
    }
    self.problems = problems
    let byteCount = files.reduce(0) { $0 + $1.waves.reduce(0) { $0 + 3 * ($1.count + SampleFontWriter.gap) } }
    guard byteCount < Int(UInt32.max) - 1 << 24 else { throw SoundFontError(.tooManySamples, path: path) }
    var writer = SampleFontWriter(name: Self.title(path))
    for zone in map.zones {
      writer.add(zone, files[zone.sample], named: Self.title(paths[zone.sample]))
    }
    bytes = writer.bytes
  }

  /// The file's name without its extension.
  private static func title(_ path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    return String(name.lastIndex(of: ".").map { name[..<$0] } ?? name)
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path.cPath, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// By its first bytes.
  private static func isAudioFile(_ path: String) -> Bool {
    guard let header = try? OutsideFile(path: path).head(12), header.count == 12 else { return false }
    let tag = String(decoding: header[..<4], as: UTF8.self)
    let kind = String(decoding: header[8...], as: UTF8.self)
    switch tag {
    case "RIFF", "RF64": return kind == "WAVE"
    case "FORM": return kind == "AIFF" || kind == "AIFC"
    default: return ["fLaC", "OggS", "caff", "riff"].contains(tag)
    }
  }

  /// In the order of their names.
  private static func audioFiles(in folder: String) throws(SoundFontError) -> [String] {
    guard let directory = opendir(folder.cPath) else { throw SoundFontError(.cannotOpen(code: errno), path: folder) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(path: $0.prefix { $0 != 0 }) }
      guard let dot = name.lastIndex(of: "."), dot != name.startIndex, !name.hasPrefix(".") else { continue }
      if extensions.contains(name[name.index(after: dot)...].lowercased()) { names.append(name) }
    }
    guard !names.isEmpty else { throw SoundFontError(.noSamples, path: folder) }
    return names.sorted().map { folder.hasSuffix("/") ? folder + $0 : "\(folder)/\($0)" }
  }
}
