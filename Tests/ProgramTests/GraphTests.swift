import Foundation
import TestSupport
import Testing

@Suite("synth graph")
struct GraphTests {
  @Test(
    "prints the chain in 80 columns, the 16 channels in one line, in UTF-8 or in ASCII", arguments: ["C.UTF-8", "C"])
  func text(locale: String) throws {
    let result = try Program.run(["graph", "--preset", "pop", "--rate", "44100"], environment: ["LC_ALL": locale])
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    let lines = result.text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(result.text.utf8.allSatisfy { $0 < 128 } == (locale == "C"))
    #expect(lines.first?.hasPrefix("44100 Hz, ") == true)
    let dash = locale == "C" ? "-" : "–"
    #expect(lines.filter { $0.contains("out 0\(dash)15 ") }.count == 1)
    // The mix and what is sent to reverb, chorus and delay, in the order of the mixer's buses. The delay may hear what
    // is sent to the reverb.
    let outputs = lines.drop { !$0.hasPrefix("2 mixer") }.prefix { !$0.hasPrefix("3 ") }.filter { $0.contains("out") }
    #expect(outputs.map { $0.dropFirst(2).prefix(5) } == ["out 0", "out 1", "out 1", "out 2", "out 3"])
    #expect(result.text.contains("presets 1-9 ") && result.text.contains("sound fonts /"))
    #expect(result.text.contains("  curve -1.5,-1,0,2,4,4,2,0,-1,-1.5 dB"))
  }

  @Test("prints what the named device grants, and the map for it")
  func device() throws {
    let result = try Program.run(["graph", "--out", "null", "--channels", "4", "--map", "-1,-1,0,1"])
    #expect(result.status == 0)
    #expect(result.text.contains("channel count 4; channel map -1,-1,0,1"))
    let assigned = try Program.run(["graph", "--out", "null", "--channels", "3", "--assign", "null#3=left"])
    #expect(assigned.text.contains("channel count 3; channel map -1,-1,0"))
  }

  @Test("names the room, the chorus, the instruments and the soundfonts")
  func names() throws {
    let arguments = ["--reverb", "plate", "--instrument", "3=pad", "--soundfont", try TestFiles.soundFont]
    let text = try Program.run(["graph"] + arguments).text
    #expect(text.contains("  type plate") && text.contains("  type chorus-3"))
    #expect(text.contains("  instruments 3=pad; sound fonts \(try TestFiles.soundFont)"))
    #expect(try Program.run(["graph", "--preset-program", "16"]).text.contains("preset none"))
  }

  @Test("prints the same for programs")
  func forPrograms() throws {
    let json = try Program.run(["graph", "--json"])
    let graph = try #require(try JSONSerialization.jsonObject(with: json.output) as? [String: Any])
    let nodes = try #require(graph["nodes"] as? [[String: Any]])
    #expect(nodes.first?["name"] as? String == "instruments")
    #expect(nodes.last?["name"] as? String == "output")
    #expect(try Program.run(["graph", "--dot"]).text.hasPrefix("digraph "))
  }

  @Test(
    "refuses in one line",
    arguments: [
      (2, "choose one of --json and --dot — see synth graph --help", ["--json", "--dot"]),
      (2, "\"more\" is one word too many — see synth graph --help", ["more"]),
      (2, "--watch is no option of this command — see synth graph --help", ["--watch"]),
      (
        1, "opening hw:CARD=Nope,DEV=0: no such device — `synth devices` lists those there are",
        ["--out", "hw:CARD=Nope,DEV=0"]
      ),
      (
        1, "choosing preset \"rok\": unknown preset; did you mean \"rock\"? \"synth presets\" lists them",
        ["--preset", "rok"]
      ),
    ] as [(Int32, String, [String])])
  func errors(status: Int32, line: String, arguments: [String]) throws {
    let result = try Program.run(["graph"] + arguments)
    #expect(result.errors == "synth: \(line)\n")
    #expect(result.status == status)
    #expect(result.output.isEmpty)
  }
}
