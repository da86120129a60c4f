import Glibc
import SynthFiles
import SynthKit

/// The secret that lets browsers and OSC controllers in: random, and kept where only its owner can read it, so that a
/// phone's bookmark works after the next start too.
public struct WebToken: Sendable, Equatable {
  /// What a browser has to send.
  public let text: String
  /// The file that has it; nil for one that was given.
  public let path: String?

  /// What `init(given:)` takes.
  public static let expected = "12 to 64 letters, digits, - or _"

  /// A token that was chosen; nil if it is too short to be a secret, or could not be sent.
  public init?(given text: String) {
    guard Self.isToken(text) else { return nil }
    (self.text, path) = (text, nil)
  }

  /// The one in a file that a person has written. [control thread]
  ///
  /// - Throws: where there is none, or the file is no regular one of this user's alone.
  public init(file path: String) throws(WebError) {
    guard let text = try Self.read(path) else { throw .token(path, "there is no such file; write a token into it") }
    guard Self.isToken(text) else { throw .token(path, "it holds no token; write \(Self.expected) into it") }
    (self.text, self.path) = (text, path)
  }

  /// The one that is kept in a directory, which is made if need be, or a new one. Of several that are made at once all
  /// get the same. [control thread]
  public init(keptIn directory: String) throws(WebError) {
    let path = "\(directory)/web-token"
    let kept = try Self.read(path)
    let text = if let kept, !kept.isEmpty { kept } else { try Self.make(path, in: directory) }
    guard Self.isToken(text) else { throw .token(path, "it holds no token; delete it") }
    (self.text, self.path) = (text, path)
  }

  /// The one that is kept in the directory of what programs keep: systemd's `$STATE_DIRECTORY`, `$XDG_STATE_HOME/synth`
  /// or `~/.local/state/synth`. [control thread]
  public static func kept() throws(WebError) -> WebToken {
    guard let directory = StateFile.directory else { throw .token("a state directory", "there is none; set HOME") }
    return try WebToken(keptIn: directory)
  }

  /// Whether a text is the token, in a time that does not tell where they differ.
  func matches(_ given: Substring) -> Bool {
    guard given.utf8.count == text.utf8.count else { return false }
    return zip(given.utf8, text.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static func isToken(_ text: String) -> Bool {
    let allowed = text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
    return allowed && (12...64).contains(text.utf8.count)
  }

  /// What a file holds; nil where there is none.
  private static func read(_ path: String) throws(WebError) -> String? {
    var status = stat()
    let bytes: [UInt8]
    do throws(FileProblem) {
      let file = try OutsideFile(path: path)
      guard fstat(file.descriptor, &status) == 0 else { throw .system(errno) }
      bytes = try file.bytes(limit: 4096)
    } catch {
      if error == .system(ENOENT) { return nil }
      throw .token(path, error.reason)
    }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw .token(path, "it belongs to another user; chown it, or use another file")
    }
    guard status.st_mode & 0o077 == 0 || isCredential(path) else {
      throw .token(path, "other users have access to it; chmod 600 it")
    }
    return String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self)
  }

  /// Whether systemd keeps the file for this service alone: by a list of users, which shows as the mode of a group.
  private static func isCredential(_ path: String) -> Bool {
    guard let directory = getenv("CREDENTIALS_DIRECTORY").map({ String(path: $0) }), !directory.isEmpty else {
      return false
    }
    return path.hasPrefix("\(directory)/") && !path.contains("/../")
  }

  /// A new token, which is in its file as a whole or not at all; where another start was first, its token.
  private static func make(_ path: String, in directory: String) throws(WebError) -> String {
    let text = (0..<2).map { _ in
      let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
    let fresh = "\(path).\(UInt32.random(in: 0 ... .max))"
    do throws(StateFileError) {
      try StateFile.write(Array("\(text)\n".utf8), to: fresh)
    } catch {
      throw .token(path, "\(error)")
    }
    defer { unlink(fresh) }
    let turn = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(turn) }
    guard flock(turn, LOCK_EX) == 0 else { throw .token(path, reason) }
    if let first = try read(path), !first.isEmpty { return first }
    guard rename(fresh, path) == 0 else { throw .token(path, reason) }
    return text
  }

  private static var reason: String { String(cString: strerror(errno)).lowercased() }
}
