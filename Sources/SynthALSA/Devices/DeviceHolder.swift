import Glibc
import SynthFiles

/// A process that has a sound device open.
public struct DeviceHolder: Sendable, Hashable, CustomStringConvertible {
  /// The process's command name.
  public let name: String
  /// The process's number.
  public let process: Int32

  public var description: String { "\(name) (pid \(process))" }

  /// The processes that have this direction of the PCM open; of every card, if the name contains none.
  static func holders(of device: String, _ direction: PCMDirection) -> [DeviceHolder] {
    if let hardware = HardwareName(device) { return holders(of: hardware, direction) }
    return holders { $0.hasPrefix("/dev/snd/pcmC") && $0.hasSuffix(direction.mark) }
  }

  /// Processes of other users hide their open files, but the kernel tells the owner of a running substream.
  static func holders(of hardware: HardwareName, _ direction: PCMDirection) -> [DeviceHolder] {
    let visible = holders { $0 == hardware.node(direction) }
    return visible.isEmpty ? owners(status: hardware.status(direction)) : visible
  }

  /// The processes, this one included, with an open file descriptor of a path that satisfies `matches`.
  package static func holders(where matches: (String) -> Bool) -> [DeviceHolder] {
    directoryEntries("/proc").compactMap { Int32($0) }.sorted().compactMap { process in
      let descriptors = "/proc/\(process)/fd"
      let holds = directoryEntries(descriptors).contains { linkTarget("\(descriptors)/\($0)").map(matches) ?? false }
      return holds ? DeviceHolder(process: process) : nil
    }
  }

  /// The processes in the `owner_pid` lines of a PCM's substreams in /proc/asound.
  package static func owners(status directory: String) -> [DeviceHolder] {
    directoryEntries(directory).filter { $0.hasPrefix("sub") }.sorted().compactMap { substream in
      let lines = smallFile("\(directory)/\(substream)/status")?.split(separator: "\n") ?? []
      let owner = lines.first { $0.hasPrefix("owner_pid") }?.split(separator: " ").last
      return owner.flatMap { Int32($0) }.map { DeviceHolder(process: $0) }
    }
  }

  init(process: Int32) {
    let command = smallFile("/proc/\(process)/comm")?.split(separator: "\n").first
    self.init(name: command.map(String.init) ?? "a process", process: process)
  }

  package init(name: String, process: Int32) {
    self.name = name
    self.process = process
  }
}

// Directories and small files of /proc and /dev, read without Foundation.

/// The names in a directory, unordered; empty if it cannot be read. (readdir)
package func directoryEntries(_ path: String) -> [String] {
  guard let directory = opendir(path) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    if name != "." && name != ".." { names.append(name) }
  }
  return names
}

/// The target of a symbolic link; nil if the path is not a link or cannot be read. (readlink)
package func linkTarget(_ path: String) -> String? {
  withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(PATH_MAX)) { buffer in
    guard let base = buffer.baseAddress else { return nil }
    let length = readlink(path, base, buffer.count)
    return length < 0 ? nil : String(decoding: buffer.prefix(length), as: UTF8.self)
  }
}

/// The text of a small file, as those of the kernel are; nil if it cannot be read.
package func smallFile(_ path: String) -> String? {
  (try? OutsideFile(path: path).bytes(limit: 1 << 16)).map { String(decoding: $0, as: UTF8.self) }
}

/// /dev/snd, the directory of the kernel's sound devices.
package enum SoundDirectory {
  /// Whether this user may not open any of the cards: alsa-lib then reports that the card does not exist.
  package static func isDenied(_ path: String = "/dev/snd") -> Bool {
    let controls = directoryEntries(path).filter { $0.hasPrefix("controlC") }
    return !controls.isEmpty && controls.allSatisfy { access("\(path)/\($0)", R_OK | W_OK) != 0 }
  }
}
