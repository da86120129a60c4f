import Glibc

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
