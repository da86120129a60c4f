import Foundation
import SynthText
import TestSupport
import Testing

@testable import synth

@Suite("synth ctl", .timeLimit(.minutes(5)))
struct CtlTests {
  private let directory = try! TemporaryDirectory()

  /// Runs lines of bash while a song plays that has no end; `ctl` is the command, `song` another player.
  private func whilePlaying(_ lines: String) throws -> Program.Result {
    let song = directory.path("endless.mid")
    try Data(smf(format: 0, tracks: [note(60) + end(after: 960 * 36000)])).write(to: URL(filePath: song))
    let script = """
      socket=$2
      player() { "$0" "$@" --out null --socket "$socket" </dev/null; }
      ctl() { "$0" ctl --socket "$socket" "$@"; }
      player "$1" "$1" 2>"$2.log" &
      for _ in {1..600}; do [[ -S $socket ]] && break; sleep 0.05; done
      \(lines)
      ctl quit
      wait
      cat "$2.log" >&2
      """
    return try Program.run(script: script, song, directory.path("s"))
  }

  @Test("gives commands to the synth that plays, and tells its answers")
  func commands() throws {
    let result = try whilePlaying(
      """
      ctl preset pop
      ctl level 3 -6
      ctl /channel/3/level
      ctl gain -- -3
      ctl set "main mixer" "output gain" -2
      ctl get reverb time
      ctl set reverb time 2.5
      ctl get reverb time --json
      ctl shuffle on
      ctl next
      """)
    #expect(
      result.text == """
        preset     pop
        level      channel 3 −6.0 dB
        level      channel 3 −6.0 dB
        gain       −3.0 dB
        main mixer output gain −2 dB
        1.822 s
        reverb     time 2.5 s
        [{"path": "/reverb/time", "node": "reverb", "name": "time", "value": 2.5, "kind": "number", "unit": "s", \
        "min": 0.1, "max": 20, "default": 1.8221188, "text": "2.5 s"}]
        shuffle    on

        """)
    // What is played tells what another has changed.
    #expect(result.errors == "preset     pop\n" && result.status == 0)
  }

  @Test("ends with status 1 and a line for what is refused, and where no synth plays")
  func errors() throws {
    let result = try whilePlaying(
      """
      ctl preset popp; echo $?
      ctl get revreb; echo $?
      "$0" ctl --socket "$socket-none" gain; echo $?
      "$0" ctl; echo $?
      """)
    #expect(result.text == "1\n1\n1\n2\n")
    let lines = result.errors.split(separator: "\n")
    #expect(lines[0] == "synth: preset popp: no such preset; did you mean pop?")
    #expect(lines[1].hasPrefix("synth: set revreb: no such node; did you mean reverb?"))
    #expect(lines.joined(separator: " ").contains("no synth runs there"))
  }

  @Test("status is the page that is typed for, and everything as JSON")
  func status() throws {
    let result = try whilePlaying("ctl status; ctl status --json")
    let lines = result.text.split(separator: "\n")
    #expect(lines.first == "song       endless.mid" && lines.contains { $0.hasPrefix("socket     ") })
    let state = try JSONValue(parsing: Array((lines.last ?? "").utf8))
    #expect(state["channels"]?.list?.count == 16 && state["songs"]?["names"]?.list?.count == 2)
    #expect(state["song"]?["title"] != nil && state["output"]?["name"]?.text == "null")
  }

  @Test("watch tells what changes, in words or as JSON, until synth ends")
  func watch() throws {
    let result = try whilePlaying(
      """
      ctl watch >"$socket.words" & words=$!
      ctl watch --json >"$socket.json" & json=$!
      for _ in {1..600}; do [[ -s $socket.json ]] && break; sleep 0.05; done
      sleep 0.5
      ctl mute 10 >/dev/null
      ctl preset rock >/dev/null
      sleep 0.5
      ctl quit
      wait $words; echo $?
      wait $json; echo $?
      cat "$socket.words"
      sed 's/:.*//' "$socket.json"
      """)
    let lines = result.text.split(separator: "\n").map(String.init)
    #expect(lines.starts(with: ["0", "0"]))
    #expect(lines.contains("channel 10 mute true") && lines.contains("equalizer preset rock"))
    #expect(lines.contains(#"{"synth""#) == false && lines.contains(#"{"state""#) && lines.contains(#"{"change""#))
  }

  @Test("a synth without a socket plays, and one that cannot have the socket it was told to says why")
  func places() throws {
    let file = directory.path("file")
    try Data().write(to: URL(filePath: file))
    let song = directory.path("short.mid")
    try Data(smf(format: 0, tracks: [note(60) + end(after: 96)])).write(to: URL(filePath: song))
    #expect(try Program.run([song, "--out", "null", "--socket", "off"]).status == 0)
    let refused = try Program.run([song, "--out", "null", "--socket", file])
    #expect(refused.status == 1)
    #expect(refused.errors == "synth: listening at \(file): it is there and no socket; choose another path\n")
  }

  @Test("words of changes name what is otherwise")
  func words() throws {
    func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }
    let state = try json(#"{"channels": [{"channel": 1, "level": 0}, {"channel": 2, "level": 0}], "gain": 0}"#)
    let change = try json(#"{"gain": -3, "channels": [{"channel": 2, "level": -6}]}"#)
    #expect(ChangeWords.lines(of: change, since: state) == ["gain -3", "channel 2 level -6"])
    let merged = ChangeWords.merged(state, change)
    #expect(merged["channels"]?.list?[1]["level"]?.number == -6 && merged["gain"]?.number == -3)
    #expect(ChangeWords.lines(of: change, since: merged) == [])
  }
}
