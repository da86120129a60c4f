import Foundation
import TestSupport
import Testing

@testable import synth

@Suite("Help as data", .timeLimit(.minutes(5)))
struct HelpTests {
  private let directory = try! TemporaryDirectory()

  @Test("each command has examples, which are command lines that it understands", arguments: CommandName.allCases)
  func examples(command: CommandName) throws {
    #expect(!command.examples.isEmpty)
    for (line, _) in command.examples {
      let words = line.split(separator: " ").map(String.init)
      #expect(words[0] == "synth" && CommandName(of: Array(words.dropFirst())) == command)
      #expect(throws: Never.self, "\(line)") { try Request(Array(words.dropFirst())) }
    }
  }

  @Test("the page of the manual has every command and option, and troff takes it as it is")
  func manual() throws {
    let page = try Program.run(["help", "--man"])
    #expect(page.status == 0 && page.text.hasPrefix(".TH SYNTH 1 \"\" \"synth \(Request.release)\""))
    let path = try directory.write("synth.1", page.text)
    let check = try Shell.run("groff -K utf8 -T utf8 -man -ww -z \(path)")
    #expect(check.status == 0 && check.errors.isEmpty, "\(check.errors)")
    let shown = try Shell.run("MANWIDTH=80 groff -K utf8 -T utf8 -man -P-c -P-b -P-u \(path)").text
    for command in CommandName.allCases {
      #expect(shown.contains(command == .play ? "synth, synth play" : "\n   synth \(command)\n"), "\(command)")
      for help in Completions.options(of: command) { #expect(shown.contains(help.option.rawValue), "\(help.option)") }
    }
  }

  private func complete(_ line: String) throws -> [String] {
    let script = try directory.write("synth.bash", try Program.run(["help", "--completion", "bash"]).text)
    let files = directory.path("")
    let result = try Program.run(
      script: """
        PATH=$(dirname "$0"):$PATH; cd \(files); touch song.mid; source \(script)
        COMP_LINE=$1 COMP_POINT=${#1}; _synth 2>&1; printf '%s\\n' "${COMPREPLY[@]}"
        """, line)
    return result.text.split(separator: "\n").map(String.init)
  }

  @Test(
    "bash completes commands, options, values and files",
    arguments: [
      ("synth re", ["render", "record"]), ("synth do", ["doctor"]), ("synth so", ["song.mid"]),
      ("synth render --st", ["--start", "--stems"]), ("synth render song.mid --stems d", ["drums"]),
      ("synth render song.mid --stems=d", ["drums"]), ("synth --preset po", ["pop"]),
      ("synth --limiter o", ["on", "off"]),
      ("synth render so", ["song.mid"]), ("synth --soundfont so", ["song.mid"]), ("synth --instrument bra", ["brass"]),
      ("synth presets sh", ["show"]), ("synth doctor --js", ["--json"]), ("synth tone --fre", ["--frequency"]),
      ("synth render --watch", []), ("synth --out def", ["default"]),
    ])
  func bash(line: String, words: [String]) throws {
    #expect(try Set(complete(line)) == Set(words))
  }

  @Test("zsh and fish take their completions, where they are installed", arguments: [Completions.Shell.zsh, .fish])
  func others(shell: Completions.Shell) throws {
    let text = try Program.run(["help", "--completion", shell.rawValue]).text
    let script = try directory.write("_synth", text)
    guard try Shell.run("command -v \(shell)").status == 0 else { return }
    let check = try Shell.run("\(shell) -n \(script)")
    #expect(check.status == 0 && check.errors.isEmpty, "\(check.errors)")
    guard shell == .fish else { return }
    let bin = Program.executable.deletingLastPathComponent().path
    for (line, word) in [
      ("synth do", "doctor"), ("synth render --ste", "--stems"), ("synth render --stems dr", "drums"),
    ] {
      let found = try Shell.run(
        "HOME=\(directory.path("")) PATH=\(bin):$PATH fish -N -c 'source \(script); complete -C \"\(line)\"'")
      #expect(found.text.split(separator: "\n").contains { $0.hasPrefix(word) }, "\(found.text)\(found.errors)")
    }
  }

  @Test("a shell that is not known is named")
  func unknownShell() throws {
    let result = try Program.run(["help", "--completion", "tcsh"])
    #expect(result.status == 2 && result.errors.hasPrefix("synth: help --completion: give bash, zsh or fish"))
  }

  @Test("lists are JSON for programs")
  func lists() throws {
    let presets = try #require(
      JSONSerialization.jsonObject(with: try Program.run(["presets", "--json"]).output) as? [[String: Any]])
    #expect(presets.count == 22)
    let pop = try #require(presets.first { $0["name"] as? String == "pop" })
    #expect((pop["gains"] as? [Double])?.count == 10 && pop["number"] as? Int == 15)
    let instruments = try #require(
      JSONSerialization.jsonObject(with: try Program.run(["instruments", "--json"]).output) as? [[String: String]])
    #expect(instruments.contains { $0["name"] == "pad" && $0["description"] != nil })
    #expect(try Program.run(["presets", "show", "pop", "--json"]).status == 2)
  }
}
