import AudioGraph
import Foundation
import SynthMIDI
import SynthRealtime
import SynthText
import TestSupport
import Testing

@testable import SynthKit

@Suite("A control surface", .timeLimit(.minutes(5)))
struct ControlSurfaceTests {
  private let output = HandOutput(sampleRate: 48000, period: 256)
  private let session: Session
  private let monitor = MIDIMonitor()
  private let surface: ControlSurface

  init() throws {
    let synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont]))
    session = Session(synthesizer, output: output, copies: [monitor])
    surface = ControlSurface(
      SynthesizerControl(synthesizer, session: session), session: session, monitor: monitor, release: "1.2.3")
    try session.start()
  }

  /// One that has been greeted.
  private func client(_ name: String = "test", _ surface: ControlSurface? = nil) throws -> SurfaceClient {
    let client = try (surface ?? self.surface).connect(named: name, as: .owner) {}
    #expect(client.line() == #"{"synth": "1.2.3", "protocol": 1}"# || surface != nil)
    return client
  }

  @discardableResult
  private func ask(_ line: String, _ client: SurfaceClient) -> Bool { client.ask(line) }

  /// Asks, and gives the answer.
  private func answer(_ line: String, _ client: SurfaceClient) -> String? {
    ask(line, client)
    surface.turn()
    return client.line()
  }

  private func json(_ line: String?) throws -> JSONValue { try JSONValue(parsing: Array((line ?? "null").utf8)) }

  @Test("performs commands of clients and of its owner, each with its answer or the same error that a person reads")
  func commands() throws {
    let client = try client()
    #expect(answer(#"{"id": 1, "do": "preset pop"}"#, client) == #"{"id": 1, "answer": "preset     pop"}"#)
    #expect(
      answer(#"{"id": "x", "do": "preset popp"}"#, client)
        == #"{"id": "x", "error": "preset popp: no such preset; did you mean pop?"}"#)
    #expect(answer(#"{"do": "level 3"}"#, client) == #"{"answer": "level      channel 3 0.0 dB"}"#)
    #expect(try surface.perform("preset") == "preset     pop")
    #expect(answer(#"{"do": "xyzzy"}"#, client) == #"{"error": "xyzzy: no such command"}"#)
  }

  @Test("in the process requests are values, and so is what a client is told: answers, what changes, the log")
  func values() throws {
    let client = try surface.connect(named: "app", as: .owner) {}
    #expect(client.take() == .greeting(release: "1.2.3"))
    client.ask(.command("preset pop"), id: .number(1))
    surface.turn()
    #expect(client.take() == .answer(.text("preset     pop"), id: .number(1)))
    client.ask(.set(.path("/channel/3/level"), to: "-6"))
    guard case .answer(.nodes(let nodes), id: nil) = client.take() else { return #expect(Bool(false)) }
    #expect(nodes.map(\.path) == ["/channel/3/level"] && nodes[0].value == .number(-6) && nodes[0].by == .network)
    client.ask(.subscribe(SurfaceSubscription(isToState: true)))
    surface.turn()
    #expect(client.take() == .answer(.text("subscribed"), id: nil))
    guard case .state(let sections) = client.take() else { return #expect(Bool(false)) }
    #expect(sections.contains(.gain(0)) && sections.contains(.song(nil)))
    _ = try surface.perform("gain -3")
    surface.note("joined     Keyboard", isError: false)
    surface.turn()
    guard case .entry(let entry) = client.take() else { return #expect(Bool(false)) }
    #expect(entry.number == 1 && entry.text == "joined     Keyboard" && !entry.isError)
    #expect(client.take() == .change([.gain(-3)]) && client.take() == nil)
    client.ask(.play([0x90, 60]))
    #expect(client.take() == .answer(.refusal("\(SurfaceError.badMIDI)"), id: nil))
  }

  @Test("asks the program first, whose commands and words for errors come before the synthesizer's")
  func host() throws {
    final class Host: SurfaceHost {
      func perform(_ line: String) throws -> String? { line == "next" ? "playing    b.mid" : nil }
      func line(_ error: any Error) -> String { "\(error); help lists them" }
      var songs: SurfaceSongs? { SurfaceSongs(names: ["a.mid", "b.mid"], current: 1, isShuffled: true) }
    }
    let host = Host()
    surface.host = host
    let client = try client()
    #expect(answer(#"{"do": "next"}"#, client) == #"{"answer": "playing    b.mid"}"#)
    #expect(answer(#"{"do": "xyzzy"}"#, client) == #"{"error": "xyzzy: no such command; help lists them"}"#)
    #expect(
      try surface.state()?["songs"]?.description
        == #"{"names": ["a.mid", "b.mid"], "current": 1, "shuffle": true, "repeat": false}"#)
  }

  @Test("tells every client what another, its owner or MIDI has changed, and only what is otherwise")
  func changes() throws {
    let (first, second) = (try client("first"), try client("second"))
    for client in [first, second] {
      #expect(answer(#"{"subscribe": {"state": true}}"#, client) == #"{"answer": "subscribed"}"#)
      #expect(try json(client.line())["state"]?["channels"]?.list?.count == 16)
      #expect(client.line() == nil)
    }
    surface.turn()
    #expect(first.line() == nil && second.line() == nil)
    #expect(answer(#"{"do": "level 3 -6"}"#, first)?.contains("answer") == true)
    for client in [first, second] {
      let channels = try json(client.line())["change"]?["channels"]?.list
      #expect(channels?.count == 1 && channels?[0]["channel"]?.number == 3 && channels?[0]["level"]?.number == -6)
    }
    _ = try surface.perform("preset rock")
    session.synthesizer.mixer.inputs[0].sends[0].value = 0.5
    surface.turn()
    let change = try json(second.line())["change"]
    #expect(change?["equalizer"]?["preset"]?.text == "rock" && change?["channels"]?.list?[0]["reverb"]?.number == 0.5)
    #expect(change?["gain"] == nil && second.line() == nil)
    surface.note("joined     Keyboard")
    #expect(try json(second.line())["news"]?["text"]?.text == "joined     Keyboard")
    #expect(answer(#"{"subscribe": {}}"#, second) == #"{"answer": "subscribed"}"#)
    _ = try surface.perform("gain -3")
    surface.turn()
    #expect(second.line() == nil)
  }

  @Test("has every member of the state that the documentation lists, and no other")
  func documented() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/control.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let table = try #require(text.range(of: "## The state")).upperBound
    let end = try #require(text.range(of: "## Meters")).lowerBound
    let listed = text[table..<end].split(separator: "\n").compactMap { line in
      line.hasPrefix("| `") ? line.dropFirst(3).prefix { $0 != "`" } : nil
    }
    guard case .object(let members) = try surface.state()?.content else { return #expect(Bool(false)) }
    #expect(Set(members.map { Substring($0.key) }) == Set(listed) && listed.count == members.count)
    #expect(members["fonts"]?["presets"]?.list?.count ?? 0 > 100)
    #expect(members["fonts"]?["engine"]?.text == "native")
    #expect(members["equalizer"]?["curve"]?.list?.count ?? 0 == 61)
  }

  @Test("gives and sets what nodes have, with kind, unit, range and names")
  func parameters() throws {
    let client = try client()
    #expect(try json(answer(#"{"get": []}"#, client))["nodes"]?.texts?.contains("reverb") == true)
    let time = try json(answer(#"{"get": ["reverb", "level"]}"#, client))["parameters"]?.list?[0].description
    #expect(
      time
        == #"{"path": "/reverb/level", "node": "reverb", "name": "level", "value": 0, "kind": "number", "unit": "dB", "#
        + #""min": -120, "max": 12, "default": 0, "text": "0 dB"}"#)
    #expect(
      try json(answer(#"{"set": ["reverb", "time"], "to": 2.5}"#, client))["parameters"]?.list?[0]["value"]?.number
        == 2.5)
    let type = try json(answer(#"{"set": ["reverb", "type"], "to": "plate"}"#, client))["parameters"]?.list?[0]
    #expect(type?["value"]?.text == "plate" && type?["choices"]?.texts?.contains("large-hall") == true)
    #expect(
      try json(answer(#"{"set": ["mixer", "input 9 mute"], "to": true}"#, client))["parameters"]?.list?[0]["kind"]?.text
        == "switch")
    #expect(session.synthesizer.mixer.inputs[9].isMuted.value == 1)
    #expect(
      try json(answer(#"{"set": ["reverb", "time"], "to": 99}"#, client))["error"]?.text
        == "set reverb time 99: give a number from 0.1 to 20 s")
    #expect(try json(answer(#"{"get": ["revreb"]}"#, client))["error"]?.text?.contains("did you mean reverb?") == true)
  }

  @Test("tells of parameters that a client subscribes to, with their values at first and after each change")
  func subscribedParameters() throws {
    let client = try client()
    _ = answer(#"{"subscribe": {"parameters": [["reverb", "time"], ["chorus", "rate"]]}}"#, client)
    #expect(try json(client.line())["change"]?["parameters"]?.list?.count == 2)
    session.synthesizer.effects.reverb.time.value = 1.5
    surface.turn()
    let changed = try json(client.line())["change"]?["parameters"]?.list
    #expect(changed?.count == 1 && changed?[0]["value"]?.number == 1.5)
    surface.turn()
    #expect(client.line() == nil)
    #expect(try json(answer(#"{"subscribe": {"parameters": [["reverb", "tim"]]}}"#, client))["error"] != nil)
  }

  @Test("tells what another client sets as soon as a subscriber has the state")
  func setAtOnce() throws {
    let other = try client("other")
    let client = try surface.connect(named: "listener", as: .owner) {
      // On the surface's thread, between the state that a client is told and the next comparison.
      other.ask(#"{"set": "/channel/5/pan", "to": -0.5}"#)
    }
    _ = client.line()
    client.ask(#"{"subscribe": {"state": true}}"#)
    surface.turn()
    var lines: [String] = []
    while let line = client.line() { lines.append(line) }
    surface.turn()
    while let line = client.line() { lines.append(line) }
    #expect(lines.contains { $0.contains(#""pan": -0.5"#) })
  }

  @Test("plays what a client plays at once, and releases it when the client goes")
  func notes() throws {
    let client = try client("page 1")
    #expect(ask(#"{"midi": [144, 60, 100]}"#, client))
    func voices(_ isWanted: (Int) -> Bool) -> Bool {
      for _ in 0..<4000 {
        output.turn()
        if isWanted(session.synthesizer.instruments.activeVoiceCount) { return true }
      }
      return false
    }
    #expect(voices { $0 > 0 })
    #expect(client.line() == nil)
    #expect(monitor.last?.text == "note on C4, velocity 100" && monitor.last?.port == "page 1")
    #expect(monitor.counts[0] == 1)
    client.close()
    #expect(voices { $0 == 0 })
  }

  @Test("refuses MIDI that is no message, and what is no request")
  func garbage() throws {
    let client = try client()
    #expect(ask(#"{"midi": [144, 60]}"#, client) && client.line()?.contains("no whole message") == true)
    #expect(ask(#"{"midi": [144, 60, 300]}"#, client) && client.line()?.contains("bytes from 0 to 255") == true)
    #expect(ask(#"{"id": 5, "dance": 1}"#, client) && client.line()?.hasPrefix(#"{"id": 5, "error""#) == true)
    #expect(!ask("[1]", client) && client.line()?.contains("it is no object") == true)
    #expect(!ask("GET / HTTP/1.1", client) && client.line()?.contains("one JSON object a line") == true)
  }

  @Test("a client that does not take its answers may ask no more, and gets every answer it was promised")
  func answers() throws {
    let client = try client()
    for number in 0..<SurfaceClient.requestLimit {
      #expect(client.mayAsk)
      #expect(ask(#"{"id": \#(number), "do": "gain \#(-number)"}"#, client))
    }
    #expect(!client.mayAsk)
    surface.turn()
    for number in 0..<SurfaceClient.requestLimit {
      #expect(try json(client.line())["id"]?.number == Double(number))
    }
    #expect(client.mayAsk && client.line() == nil)
  }

  @Test("a slow client loses meters, then changes, gets one fresh state for them, and never loses an answer")
  func slow() throws {
    let client = try client()
    _ = answer(#"{"subscribe": {"state": true, "meters": 60}}"#, client)
    ask(#"{"id": 7, "do": "gain -1"}"#, client)
    for step in 0..<200 {
      session.synthesizer.mixer.inputs[4].pan.value = Float(step) / 200
      surface.turn()
    }
    var lines: [String] = []
    while let line = client.line() { lines.append(line) }
    #expect(lines.count { $0.contains(#""id": 7"#) } == 1)
    #expect(lines.count < 70 && lines.count { $0.hasPrefix(#"{"meters""#) } <= 1)
    #expect(lines.count { $0.hasPrefix(#"{"change""#) } == 0)
    surface.turn()
    var states: [JSONValue] = []
    while let line = client.line() { if let state = try json(line)["state"] { states.append(state) } }
    #expect(states.count == 1 && states.first?["channels"]?.list?[4]["pan"]?.number == 0.995)
    session.synthesizer.mixer.inputs[4].pan.value = -1
    surface.turn()
    #expect(try json(client.line())["change"] != nil)
  }

  @Test("a client that has not taken its greeting yet is not dropped by the turn that comes first")
  func greeting() throws {
    let client = try surface.connect(named: "slow to begin", as: .owner) {}
    surface.turn()
    #expect(!client.isClosed && client.line() == #"{"synth": "1.2.3", "protocol": 1}"#)
  }

  @Test("a client that takes nothing for too long is dropped, and the others are not")
  func stuck() throws {
    let surface = ControlSurface(
      SynthesizerControl(session.synthesizer, session: session), session: session, patience: 0.05)
    let (stuck, other) = (try client("stuck", surface), try client("other", surface))
    _ = other.line()
    ask(#"{"do": "gain -1"}"#, stuck)
    #expect(
      eventually {
        surface.turn()
        return stuck.isClosed
      })
    #expect(!other.isClosed && stuck.line() == nil)
  }

  @Test("shows levels, activity and the last message as often as a client asks for them")
  func meters() throws {
    let client = try client()
    _ = answer(#"{"subscribe": {"meters": 60}}"#, client)
    ask(#"{"midi": [146, 64, 90]}"#, client)
    var meters: JSONValue?
    #expect(
      try eventually {
        output.turn()
        guard let line = client.line() else { return false }
        meters = try json(line)["meters"]
        return meters?["channels"]?.list?[2].list?[0].number ?? -120 > -60
      })
    #expect(meters?["voices"]?.number ?? 0 > 0 && meters?["midi"]?.list?[2].number == 1)
    #expect(meters?["last"]?["text"]?.text == "note on E4, velocity 90" && meters?["last"]?["channel"]?.number == 3)
    #expect(meters?["held"]?.list?.count == 16 && meters?["position"]?.content == .null)
    _ = answer(#"{"subscribe": {"meters": 0}}"#, client)
    while client.line() != nil {}
    usleep(100_000)
    #expect(client.line() == nil)
  }

  @Test("chooses programs on channels, as a keyboard would")
  func programs() throws {
    #expect(try surface.perform("program 3 0:48") == "program    channel 3: 0:48")
    for _ in 0..<100 { output.turn() }
    #expect(session.synthesizer.instruments.preset(ofChannel: 2)?.program == 48)
    #expect(throws: SynthesizerCommandError.self) { try surface.perform("program 3 128") }
    #expect(throws: SynthesizerCommandError.self) { try surface.perform("program all 1") }
    #expect(throws: SynthesizerCommandError.self) { try surface.perform("program 3 1:2:3") }
  }

  @Test("its owner is woken by a request")
  func waking() throws {
    surface.turn()
    let client = try client()
    var request = pollfd(fd: surface.wakeDescriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&request, 1, 0) == 0)
    ask(#"{"state": true}"#, client)
    #expect(poll(&request, 1, 0) == 1)
    surface.turn()
    #expect(poll(&request, 1, 0) == 0)
  }
}
