import Glibc
import SynthRemote

/// A page that the desktop's browser is shown, and that leads it on to a link: a command line with the link would tell
/// its token to all users of the machine. The file is this user's alone.
final class BrowserPage {
  private let path: String

  init(opening link: String) throws {
    path = "\(try SocketPath.directory(makesDirectory: true))/synth-open-\(getpid()).html"
    let refresh = "<meta http-equiv=\"refresh\" content=\"0; url=\(link)\">"
    let page = Array("<!doctype html>\(refresh)<title>synth</title>\n".utf8)
    unlink(path)
    let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    defer { Glibc.close(file) }
    guard file >= 0, write(file, page, page.count) == page.count else {
      throw BrowserError("writing \(path): \(String(cString: strerror(errno)).lowercased())")
    }
    try open()
  }

  /// Removes the file.
  func close() { unlink(path) }

  private func open() throws {
    var process: pid_t = 0
    let words: [UnsafeMutablePointer<CChar>?] = ["xdg-open", path].map { (word: String) in strdup(word) } + [nil]
    defer { words.forEach { free($0) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Ctrl-C in the terminal is for synth.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    let code = posix_spawnp(&process, "xdg-open", nil, &attributes, words, environ)
    guard code == 0 else {
      unlink(path)
      throw BrowserError(
        "opening the page: xdg-open: \(String(cString: strerror(code)).lowercased()); install the package xdg-utils")
    }
  }
}

/// The page cannot be shown.
struct BrowserError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
