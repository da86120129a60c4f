import Foundation
import TestSupport
import Testing

@testable import synth

@Suite("The web page of the program", .timeLimit(.minutes(5)))
struct WebTests {
  private let directory = try! TemporaryDirectory()

  private func shortSong() throws -> String {
    let path = directory.path("short.mid")
    try Data(smf(format: 0, tracks: [note(60) + end(after: 96)])).write(to: URL(filePath: path))
    return path
  }

  private func play(_ options: String..., variables: [String: String] = [:]) throws -> Program.Result {
    try play(options, variables: variables)
  }

  private func play(_ options: [String], variables: [String: String] = [:]) throws -> Program.Result {
    try Program.run(
      [try shortSong(), "--out", "null", "--socket", "off"] + options,
      environment: environment.merging(variables) { $1 })
  }

  private var environment: [String: String] {
    [
      "XDG_STATE_HOME": directory.path("state"), "XDG_CONFIG_HOME": directory.path("config"),
      "XDG_RUNTIME_DIR": directory.path(""), "PATH": directory.path("bin") + ":/usr/bin:/bin",
    ]
  }

  /// A file that only this user can read.
  private func secret(_ text: String) throws -> String {
    let path = directory.path("token")
    try Data("\(text)\n".utf8).write(to: URL(filePath: path))
    chmod(path, 0o600)
    return path
  }

  @Test("keeps a token for its owner alone, on loopback too, and tells others who read its log only where it is")
  func token() throws {
    let first = try play("--web", "127.0.0.1:0")
    let path = directory.path("state/synth/web-token")
    let token = try String(contentsOfFile: path, encoding: .utf8)
    #expect(first.status == 0 && token.contains(/^[0-9a-f]{32}\n$/))
    #expect(first.errors.contains(/(?m)^page       http:\/\/127\.0\.0\.1:[0-9]+\/, with the token in (.*)$/))
    #expect(first.errors.contains(path) && !first.errors.contains(token.dropLast()))
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    #expect(try play("--web", "off").errors.contains("page") == false)
  }

  @Test("shows the link with the token in a terminal, at every start")
  func link() throws {
    for _ in 0..<2 {
      let song = try shortSong()
      let line = "\(Program.executable.path) \(song) --out null --socket off --web 127.0.0.1:0"
      let told = try Program.run(
        ["-qefc", line, "/dev/null"], of: URL(filePath: "/usr/bin/script"), environment: environment)
      let token = try String(contentsOfFile: directory.path("state/synth/web-token"), encoding: .utf8).dropLast()
      #expect(told.text.contains("/#token=\(token)"), "\(told.text)")
    }
  }

  @Test("takes a token from a file or the environment, and none from the command line, which all users see")
  func givenTokens() throws {
    let path = try secret("of-my-own-choice")
    #expect(try play("--web=0.0.0.0:0", "--web-token-file", path).errors.contains("with the token in \(path)"))
    let variable = ["SYNTH_WEB_TOKEN": "of-my-own-choice"]
    #expect(try play("--web=0:0", variables: variable).status == 2)
    #expect(try play("--web=0.0.0.0:0", variables: variable).errors.contains("with the token in SYNTH_WEB_TOKEN"))
    #expect(try play("--web", variables: ["SYNTH_WEB_TOKEN": "short"]).errors.contains("give 12 to 64 letters"))
    chmod(path, 0o644)
    let open = try play("--web=127.0.0.1:0", "--web-token-file", path)
    #expect(open.status == 1 && open.errors.contains("other users have access to it; chmod 600 it"))
    for words in [["--web-token", "of-my-own-choice"], ["--web-token=of-my-own-choice"]] {
      let refused = try play(words)
      #expect(refused.status == 2 && refused.errors.contains("give --web-token-file, or set SYNTH_WEB_TOKEN"))
    }
  }

  @Test("shows the page in the browser by a file that only this user can read, and removes it")
  func opening() throws {
    try FileManager.default.createDirectory(atPath: directory.path("bin"), withIntermediateDirectories: true)
    let browser = directory.path("bin/xdg-open")
    let script = "#!/bin/bash\nexec >'\(directory.path("opened"))'\necho \"$(stat -c %a \"$1\") $*\"\ncat \"$1\"\n"
    try Data(script.utf8).write(to: URL(filePath: browser))
    chmod(browser, 0o755)
    #expect(try play("--open", "--web", "127.0.0.1:0").status == 0)
    let opened = try String(contentsOfFile: directory.path("opened"), encoding: .utf8)
    let lines = opened.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains(/^600 \/.*\/synth-open-[0-9]+\.html$/))
    let token = try String(contentsOfFile: directory.path("state/synth/web-token"), encoding: .utf8).dropLast()
    #expect(lines[1].contains(/url=http:\/\/127\.0\.0\.1:[0-9]+\/#token=/) && lines[1].contains(token))
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.path(""))
    #expect(!files.contains { $0.hasSuffix("html") })
  }

  @Test("takes an address from the configuration")
  func configuration() throws {
    try FileManager.default.createDirectory(atPath: directory.path("config/synth"), withIntermediateDirectories: true)
    let path = directory.path("config/synth/config.json")
    let token = try secret("of-my-own-choice")
    try Data(#"{"web": "127.0.0.1:0", "web-token-file": "\#(token)"}"#.utf8).write(to: URL(filePath: path))
    #expect(try play().errors.contains("with the token in \(token)"))
    try Data(#"{"web": "nowhere"}"#.utf8).write(to: URL(filePath: path))
    #expect(try play().errors.contains("config.json:1:9: web \"nowhere\": give an address in digits and a port"))
  }

  @Test("refuses what is no address, what is no token, and an address that is taken, in one line")
  func refusals() throws {
    let usage = try play("--web=nowhere")
    #expect(usage.status == 2 && usage.errors.contains("--web nowhere: give an address in digits and a port"))
    let short = try play("--web", "--web-token-file", try secret("short"))
    #expect(short.status == 1 && short.errors.contains("it holds no token; write 12 to 64 letters"))
    let taken = try play("--web", "192.0.2.1:8383")
    #expect(taken.status == 1 && taken.errors.contains("serving the page on 192.0.2.1:8383: Cannot assign requested"))
  }

  @Test("leaves a song after --web a song")
  func song() throws {
    let arguments = try Arguments(["--web", "song.mid"], allowed: PlayCommand.options)
    #expect(arguments.operands == ["song.mid"] && arguments.last(.web) == "")
    #expect(try Arguments(["--web", "8000", "song.mid"], allowed: PlayCommand.options).last(.web) == "8000")
  }
}
