import Foundation
import TestSupport
import Testing

@testable import synth

@Suite("The web page of the program", .timeLimit(.minutes(5)))
struct WebTests {
  private let directory = try! TemporaryDirectory()

  private func play(_ options: String...) throws -> Program.Result {
    let path = directory.path("short.mid")
    try Data(smf(format: 0, tracks: [note(60) + end(after: 96)])).write(to: URL(filePath: path))
    return try Program.run(
      [path, "--out", "null", "--socket", "off"] + options,
      environment: ["XDG_STATE_HOME": directory.path("state"), "XDG_CONFIG_HOME": directory.path("config")])
  }

  @Test("tells the address at which it is opened")
  func address() throws {
    let result = try play("--web", "127.0.0.1:0")
    #expect(result.status == 0)
    #expect(result.errors.contains(/(?m)^page       http:\/\/127\.0\.0\.1:[0-9]+\/$/))
    #expect(try !play("--web", "off").errors.contains("page"))
  }

  @Test("tells a token once, when it is made, and keeps it for its owner alone")
  func token() throws {
    let first = try play("--web", "0.0.0.0:0").errors
    let token = try #require(first.firstMatch(of: /(?m)^page       http:\/\/.*\/#token=([0-9a-f]{32})$/)?.1)
    let path = directory.path("state/synth/web-token")
    #expect(first.contains("the token is kept in \(path)"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "\(token)\n")
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    let second = try play("--web", "0.0.0.0:0").errors
    #expect(second.contains(", with the token in \(path)\n") && !second.contains(token))
    #expect(try play("--web=0.0.0.0:0", "--web-token", "of-my-own-choice").errors.contains("the token that was given"))
  }

  @Test("takes an address from the configuration")
  func configuration() throws {
    try FileManager.default.createDirectory(atPath: directory.path("config/synth"), withIntermediateDirectories: true)
    let path = directory.path("config/synth/config.json")
    try Data(#"{"web": "127.0.0.1:0", "web-token": "of-my-own-choice"}"#.utf8).write(to: URL(filePath: path))
    #expect(try play().errors.contains("the token that was given"))
    try Data(#"{"web": "nowhere"}"#.utf8).write(to: URL(filePath: path))
    #expect(try play().errors.contains("config.json:1:9: web \"nowhere\": give an address in digits and a port"))
  }

  @Test("refuses what is no address, what is no token, and an address that is taken, in one line")
  func refusals() throws {
    let usage = try play("--web=nowhere")
    #expect(usage.status == 2 && usage.errors.contains("--web nowhere: give an address in digits and a port"))
    let short = try play("--web", "--web-token", "short")
    #expect(short.status == 2 && short.errors.contains("--web-token short: give 12 to 64 letters"))
    let taken = try play("--web", "192.0.2.1:8383", "--web-token", "of-my-own-choice")
    #expect(taken.status == 1 && taken.errors.contains("serving the page on 192.0.2.1:8383: Cannot assign requested"))
  }

  @Test("leaves a song after --web a song")
  func song() throws {
    let arguments = try Arguments(["--web", "song.mid"], allowed: PlayCommand.options)
    #expect(arguments.operands == ["song.mid"] && arguments.last(.web) == "")
    #expect(try Arguments(["--web", "8000", "song.mid"], allowed: PlayCommand.options).last(.web) == "8000")
  }
}
