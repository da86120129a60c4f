@preconcurrency import Glibc
import SynthALSA
import SynthFiles

/// Paths as people type them where no shell reads along.
package enum TypedPath {
  /// With the user's directory in place of a `~` that begins the path.
  package static func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = getenv("HOME").map({ String(path: $0) }), !home.isEmpty
    else { return path }
    return home + path.dropFirst()
  }

  /// What a path that has been begun can become: files, and directories with "/" at their end. Hidden ones have to be
  /// begun with their dot.
  static func completions(of path: String) -> [String] {
    let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let begun = path.dropFirst(directory.count)
    let place = directory.isEmpty ? "." : expanded(directory)
    let names = directoryEntries(place).filter { name in
      name.hasPrefix(begun) && (begun.hasPrefix(".") || !name.hasPrefix("."))
    }
    return names.sorted().map { name in
      isDirectory("\(place)/\(name)") ? "\(directory)\(name)/" : "\(directory)\(name)"
    }
  }

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path.cPath, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
