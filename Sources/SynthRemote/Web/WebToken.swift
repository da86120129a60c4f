@preconcurrency import Glibc

/// The secret that lets other machines' browsers in: random, and kept where only its owner can read it, so that a
/// phone's bookmark works after the next start too.
public struct WebToken: Sendable, Equatable {
  /// What a browser has to send.
  public let text: String
  /// Whether it was made just now.
  public let isNew: Bool
  /// Where it is kept; nil for one that was given.
  public let path: String?

  /// What `init(given:)` takes.
  public static let expected = "12 to 64 letters, digits, - or _"

  /// A token that was chosen; nil if it is too short to be a secret, or could not be sent.
  public init?(given text: String) {
    let allowed = text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
    guard allowed, (12...64).contains(text.utf8.count) else { return nil }
    (self.text, isNew, path) = (text, false, nil)
  }

  /// The one that is kept in a directory, which is made if need be, or a new one.
  public init(keptIn directory: String) throws(WebError) {
    let path = "\(directory)/web-token"
    if let text = Self.read(path) {
      guard WebToken(given: text) != nil else { throw .token(path, "it holds no token; delete it") }
      (self.text, isNew, self.path) = (text, false, path)
      return
    }
    guard errno == ENOENT else { throw .token(path, Self.reason) }
    text = (0..<2).map { _ in
      let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
    (isNew, self.path) = (true, path)
    try Self.write(text, directory, path)
  }

  /// The directory of what programs keep: systemd's `$STATE_DIRECTORY`, `$XDG_STATE_HOME/synth`, or
  /// `~/.local/state/synth`.
  public static var standardDirectory: String {
    func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    if let state = variable("STATE_DIRECTORY") { return state }
    return (variable("XDG_STATE_HOME") ?? "\(variable("HOME") ?? "")/.local/state") + "/synth"
  }

  /// Nil with `errno`.
  private static func read(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    guard count >= 0 else { return nil }
    return String(decoding: bytes.prefix(count).filter { $0 > 0x20 }, as: UTF8.self)
  }

  private static func write(_ text: String, _ directory: String, _ path: String) throws(WebError) {
    for end in directory.indices.dropFirst() where directory[end] == "/" { mkdir(String(directory[..<end]), 0o755) }
    mkdir(directory, 0o700)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .token(path, reason) }
    defer { close(descriptor) }
    let line = Array("\(text)\n".utf8)
    guard Glibc.write(descriptor, line, line.count) == line.count, fsync(descriptor) == 0 else {
      throw .token(path, reason)
    }
  }

  private static var reason: String { String(cString: strerror(errno)) }
}
