import Glibc
import SynthFiles
import SynthRemote

/// A page that the desktop's browser is shown, and that leads it on to a link: a command line with the link would show
/// its token to all users of the machine. The file is this user's alone.
final class BrowserPage {
  private let path: String
  private var process: pid_t = 0

  init(opening link: String) throws(BrowserError) {
    do {
      path = "\(try SocketPath.directory(makesDirectory: true))/synth-open-\(getpid()).html"
    } catch {
      throw BrowserError("\(error)")
    }
    let refresh = "<meta http-equiv=\"refresh\" content=\"0; url=\(link)\">"
    let page = Array("<!doctype html>\(refresh)<title>synth</title>\n".utf8)
    unlink(path.cPath)
    let file = open(path.cPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    defer { Glibc.close(file) }
    guard file >= 0, write(file, page, page.count) == page.count else {
      throw BrowserError("writing \(path): \(Self.text(errno))")
    }
    let code = show()
    guard code == 0 else {
      unlink(path.cPath)
      throw BrowserError("xdg-open: \(Self.text(code)); install the package xdg-utils, or open the page yourself")
    }
  }

  /// Removes the file.
  func close() {
    unlink(path.cPath)
    waitpid(process, nil, WNOHANG)
  }

  /// Starts the browser without this program's signal masks, token and setting for alsa-lib. Its messages are dropped.
  private func show() -> Int32 {
    var attributes = posix_spawnattr_t()
    var signals = sigset_t()
    posix_spawnattr_init(&attributes)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    for file in 0...2 as ClosedRange<Int32> { posix_spawn_file_actions_addopen(&files, file, "/dev/null", O_RDWR, 0) }
    var variables: [String] = []
    var entry = environ
    while let text = entry.pointee.map({ String(path: $0) }) {
      let isOwn = ["LIBASOUND_THREAD_SAFE=", "\(RemoteToken.variable)="].contains(where: text.hasPrefix)
      if !isOwn { variables.append(text) }
      entry += 1
    }
    let (words, values) = (Self.list(["xdg-open", path]), Self.list(variables))
    defer {
      (words + values).forEach { free($0) }
      posix_spawn_file_actions_destroy(&files)
      posix_spawnattr_destroy(&attributes)
    }
    return posix_spawnp(&process, "xdg-open", &files, &attributes, words, values)
  }

  private static func list(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { (text: String) in strdup(text.cPath) } + [nil]
  }

  private static func text(_ code: Int32) -> String { String(cString: strerror(code)).lowercased() }
}

/// The page cannot be shown.
struct BrowserError: Error, CustomStringConvertible {
  let description: String
  init(_ problem: String) { description = "opening the page: \(problem)" }
}
