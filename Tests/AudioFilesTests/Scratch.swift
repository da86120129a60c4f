import AudioGraph
import Glibc
import SynthAudioFiles

/// A directory of its own, removed with all that is in it.
final class Scratch {
  let path: String

  init() {
    var template = Array("/tmp/audiofiles-XXXXXX".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
  }

  deinit {
    for name in names { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// What is in it, temporary names included.
  var names: [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }
}

/// The whole file, or nothing if there is none.
func contents(_ path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { return [] }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
  return bytes
}

extension AudioFileWriter {
  /// Appends arrays, one for each channel.
  func write(_ channels: [[Float]]) throws(AudioFileError) {
    try write(AudioBuffer(channels, sampleRate: Double(format.sampleRate)))
  }
}
