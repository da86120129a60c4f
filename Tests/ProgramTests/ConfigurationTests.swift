import Foundation
import TestSupport
import Testing

@testable import synth

@Suite("configuration")
struct ConfigurationTests {
  private let directory: TemporaryDirectory
  private var home: [String: String] { ["XDG_CONFIG_HOME": directory.path("")] }

  init() throws {
    directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: directory.path("synth"), withIntermediateDirectories: true)
  }

  private func write(_ text: String) throws { _ = try directory.write("synth/config.json", text) }

  private func file(_ name: String, _ text: String) throws -> String { try directory.write(name, text) }

  @Test("what applies is told, with its place; the command line wins, and a list of its own replaces the file's")
  func origins() throws {
    try write(
      """
      {
        "soundfont": ["~/a.sf2", "/b.sf2"], "limiter": false, "in-gain": -6, "map": [1, 0],
        "shuffle": true
      }
      """)
    let path = directory.path("synth/config.json")
    let told = try Program.run(["config"], environment: home).text
    #expect(told.contains("soundfont         /nonexistent/a.sf2, /b.sf2"))
    #expect(told.replacing("\n                 ", with: "").contains("limiter           off  (\(path):2:50)"))
    #expect(told.contains("map               1,0"))
    let json = try Program.run(
      ["config", "--json", "--soundfont", "/c.sf2", "--shuffle=off", "--latency=8"], environment: home
    ).output
    let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    let values = try #require(object["values"] as? [[String: Any]])
    func value(_ key: String) -> [String: Any]? { values.first { $0["key"] as? String == key } }
    #expect(value("soundfont")?["value"] as? [String] == ["/c.sf2"])
    #expect(value("soundfont")?["from"] as? String == "command line")
    #expect(value("shuffle")?["value"] as? String == "off")
    #expect(value("latency")?["from"] as? String == "command line")
    #expect(value("in-gain")?["line"] as? Int == 2 && value("in-gain")?["from"] as? String == path)
    #expect((object["unset"] as? [String])?.contains("reverb") == true)
  }

  @Test("each option of playing but --record and --config is a key, and synth config lists it")
  func keys() throws {
    let object = try JSONSerialization.jsonObject(with: Program.run(["config", "--json"]).output) as? [String: Any]
    let listed = try #require(object?["unset"] as? [String])
    let options = Set(PlayCommand.options).subtracting([.record, .config])
    #expect(listed.sorted() == options.map(\.key).sorted())
  }

  @Test("a synth without options plays what the file says")
  func plays() throws {
    let song = try TestFiles.song("busy_schedule.mid")
    let graph = ["graph", "--out", "null"]
    #expect(try Program.run(graph, environment: home).text.contains("limiter"))
    try write(#"{"limiter": false, "lyrics": true, "repeat": true}"#)
    #expect(try !Program.run(graph, environment: home).text.contains("limiter"))
    #expect(try Program.run(graph + ["--limiter", "on"], environment: home).text.contains("limiter"))
    #expect(try Program.run(graph + ["--config", "none"], environment: home).text.contains("limiter"))
    // What is for songs is no error where none plays, unless it is typed.
    #expect(throws: UsageError.self) { try PlayCommand(["--repeat"]) }
    #expect(throws: Never.self) { try PlayCommand(["--config", directory.path("synth/config.json")]) }
    try write(#"{"out": "nothing-of-this-name"}"#)
    let refused = try Program.run([song], environment: home)
    #expect(refused.status == 1 && refused.errors.contains("nothing-of-this-name"))
  }

  @Test("a profile applies where the output has its name or its card's id, above the rest of the file")
  func profiles() throws {
    let user = try file(
      "user.json",
      #"""
      {"latency": 20, "period": 64, "profiles": {
        "USB": {"latency": "low", "no-connect": true}, "hw:CARD=USB,DEV=0": {"rate": 96000}, "other": {"rate": 8000}}}
      """#)
    let system = try file(
      "system.json", #"{"out": "hw:USB", "period": 128, "connect": "nano", "reverb": "plate"}"#)
    let configuration = try Configuration([user, system, directory.path("missing")], isNamed: false)
    func arguments(_ words: [String]) throws -> Arguments {
      try Arguments(words, allowed: PlayCommand.options).adding(configuration, Option.configurable)
    }
    let chosen = try arguments([])
    #expect(chosen.all(.device) == ["hw:USB"])
    #expect(chosen.last(.latency) == "low" && chosen.last(.rate) == "96000")
    #expect(chosen.last(.period) == "64" && chosen.last(.reverb) == "plate")
    // What excludes another takes its place.
    #expect(chosen.has(.noConnect) && !chosen.has(.connect))
    #expect(chosen.origin(of: .latency)?.profile == "USB")
    let elsewhere = try arguments(["--out", "null"])
    #expect(elsewhere.last(.latency) == "20" && elsewhere.last(.rate) == nil && elsewhere.all(.connect) == ["nano"])
    #expect(try arguments(["--out=plughw:CARD=USB,DEV=1"]).last(.latency) == "low")
  }

  @Test(
    "what is wrong is told with its place, whatever is played",
    arguments: [
      (#"{"latenci": 3}"#, #"1:2: unknown key "latenci"; did you mean "latency"?"#),
      ("{\n \"zzzzzz\": 3}", "2:2: unknown key \"zzzzzz\"; `synth config` lists the keys"),
      (#"{"record": "a"}"#, #"1:2: "record" is for the command line alone; leave it out"#),
      (#"{"latency": "lwo"}"#, #"1:13: latency "lwo": give low, safe, or 1 to 2000 milliseconds"#),
      (
        #"{"profiles": {"a": {"rate": 7}}}"#, #"1:29: rate "7": give a whole number from 8000 to 768000"#
      ),
      (
        #"{"profiles": {"a": {"out": "b"}}}"#,
        "1:21: a profile cannot choose the output it is for; give \"out\" outside"
      ),
      (#"{"map": [0], "assign": "a#1=left"}"#, #"1:14: "map" and "assign" exclude each other; give one"#),
      (#"{"shuffle": "yes"}"#, "1:13: shuffle: expected true or false, found a text"),
      (#"{"reverb": null}"#, "1:12: reverb: expected a text, a number or a list of them, found null"),
      (#"{"reverb": "hall}"#, "1:12: the text that starts here has no closing quotation mark; correct the file there"),
      ("[]", "1:1: the configuration: expected an object, found a list"),
    ])
  func faults(text: String, error: String) throws {
    try write(text)
    let told = try Program.run(["tone", "--out", "null"], environment: home)
    #expect(told.status == 2)
    #expect(told.errors.hasPrefix("synth: reading configuration \(directory.path("synth/config.json")):\(error)"))
    #expect(told.errors.split(separator: "\n").count == 1)
  }

  @Test("a file that is named has to be there; one that is not named need not")
  func named() throws {
    let told = try Program.run(["config", "--config", "/missing.json"])
    #expect(told.status == 2)
    #expect(
      told.errors == "synth: reading configuration /missing.json: no such file or directory; "
        + "give another file with --config, or --config none\n")
    #expect(try Program.run(["config"]).status == 0)
  }

  @Test("a damaged file is read, or refused in a line")
  func damage() throws {
    let text = #"""
      {"soundfont": ["a.sf2"], "limiter": false, "in-gain": -6, "map": [1, 0], "rate": 48000, "preset": "pop",
       "profiles": {"hw:1": {"map": [2, 3], "latency": 5.5}}}
      """#
    var (random, readCount) = (SplitMix64(seed: 5), 0)
    _ = try ConfigurationFile(Array(text.utf8), path: "config.json")
    for _ in 0..<4000 {
      do throws(ConfigurationError) {
        _ = try ConfigurationFile(DamagedDocument.bytes(text, &random), path: "config.json")
        readCount += 1
      } catch {
        #expect(!"\(error)".contains("\n") && "\(error)".utf8.count < 1000)
      }
    }
    #expect((40..<4000).contains(readCount))
  }
}
