import AudioGraph
import SynthText
import TestSupport
import Testing

@testable import SynthKit

@Suite("Commands for buses, and what clients see of them", .timeLimit(.minutes(5)))
struct BusCommandTests {
  private let session: Session
  private let surface: ControlSurface

  init() throws {
    session = Session(try InsertTests.synthesizer(), output: HandOutput(sampleRate: 48000, period: 256))
    try session.play(try song(note(60) + end(after: 9600)))
    surface = ControlSurface(SynthesizerControl(session.synthesizer, session: session), session: session)
  }

  private var synthesizer: Synthesizer { session.synthesizer }

  private func said(_ line: String, as asker: Asker = .owner) -> String {
    do {
      return try surface.perform(line, as: asker)
    } catch {
      return "\(error)"
    }
  }

  private func client(_ asker: Asker = .network) throws -> SurfaceClient {
    let client = try surface.connect(named: "test", as: asker) {}
    _ = client.line()
    return client
  }

  @Test("a bus's fader and inserts are set by the commands of channels, and told by them")
  func commands() throws {
    _ = (said("bus drums main"), said("insert drums compressor"))
    #expect(said("level drums -3") == "level      drums −3.0 dB")
    #expect(said("pan drums 0.5") == "pan        drums 0.5")
    #expect(said("mute drums") == "mute       drums on" && said("unmute drums") == "mute       drums off")
    #expect(said("mix drums 1 50") == "mix        drums insert 1 50 %")
    #expect(said("bypass drums 1 on") == "bypass     drums insert 1 on")
    let strip = try #require(synthesizer.bus("drums")).strip
    #expect(strip.gain.value == -3 && strip.pan.value == 0.5 && strip.isMuted.value == 0)
    let insert = try #require(synthesizer.inserts(of: .bus("drums")).first)
    #expect(insert.mix.value == 50 && insert.bypass.value == 1)
    #expect(said("level") == "level      all channels 0.0 dB; drums −3.0 dB")
    #expect(said("level drums") == "level      drums −3.0 dB" && said("mix drums") == "mix        drums insert 1 50 %")
    _ = said("level all -9")
    #expect(strip.gain.value == -3 && synthesizer.mixer.inputs[3].gain.value == -9)
  }

  @Test("what is wrong is told in a line")
  func errors() {
    #expect(said("level drums -3") == "level drums: there is no such bus; bus drums main makes it")
    #expect(said("mix drums 1 50") == "mix drums: there is no such bus; bus drums main makes it")
    _ = said("bus drums main")
    #expect(said("level drms -3") == "level drms: no such bus; did you mean drums?")
    #expect(said("share 3 hall 30") == "share hall: no such bus; give drums")
    #expect(said("share 40 drums 30").hasPrefix("share C8: there are 16 channels now"))
    #expect(said("mix drums 1 50") == "mix: there is no such insert; insert lists those there are")
    #expect(said("level drums loud") == "level loud: give a number from −120 to 24 dB")
    #expect(said("level main -3") == "level main: give \(TreeIndex.fader.expected), or all")
    #expect(said("to main drums") == "to main: give \(TreeIndex.source.expected)")
    #expect(said("bus track main").contains("the word has a meaning already"))
  }

  @Test("paths and patterns mean buses, and any client sets them without the owner's turn")
  func paths() throws {
    _ = (said("bus drums main"), said("bus phones"), said("insert phones echo"))
    let client = try client()
    client.ask(#"{"set": "/bus/drums/level", "to": -6}"#)
    #expect(try client.next()["parameters"]?.list?[0]["text"]?.text == "−6.0 dB")
    client.ask(#"{"set": "/bus/*/pan", "to": 1}"#)
    #expect(try client.next()["parameters"]?.list?.count == 2)
    #expect(synthesizer.buses.map(\.strip.pan.value) == [1, 1])
    client.ask(#"{"list": "/bus/phones"}"#)
    surface.turn()
    let paths = try client.next()["parameters"]?.list?.map { $0["path"]?.text }
    #expect(
      paths == ["level", "pan", "mute", "insert/1/mix", "insert/1/bypass"].map { "/bus/phones/\($0)" })
    client.ask(#"{"get": "/bus/hall/level"}"#)
    surface.turn()
    #expect(try client.next()["error"]?.text == "level hall: no such bus; give drums, phones")
  }

  @Test("names of buses are completed where a strip is meant, and learned")
  func words() throws {
    _ = said("bus drums main")
    let control = surface.control
    #expect(control.completions(of: "level dr") == ["drums"] && control.completions(of: "solo dr") == [])
    #expect(control.completions(of: "mix ") == ["main", "microphone", "drums"])
    #expect(control.completions(of: "share 3 d") == ["drums"] && control.completions(of: "to 3 d") == ["drums"])
    let parameter = try #require(control.tree.parameter(named: ["level", "drums"]))
    #expect(parameter === synthesizer.bus("drums")?.strip.gain && control.tree.words(for: parameter) == "level drums")
  }

  @Test("clients see buses, and are told when anybody changes them: another client, a thread, a scene")
  func section() throws {
    let client = try client()
    client.ask(#"{"subscribe": {"state": true}}"#)
    surface.turn()
    _ = client.line()
    let state = try client.next()["state"]
    #expect(state?["buses"]?.list?.isEmpty == true && state?["effects"]?.list?.map(\.text) == InsertKind.names)
    func buses(after line: String = "") throws -> [String] {
      if !line.isEmpty { _ = said(line) }
      surface.turn()
      return try client.next()["change"]?["buses"]?.list?.map(\.description) ?? []
    }
    func bus(_ text: String, level: Int = 0, mute: Bool = false) -> String {
      #"{"name": "drums", \#(text), "level": \#(level), "pan": 0, "mute": \#(mute)}"#
    }
    #expect(try buses(after: "bus drums main") == [bus(#""to": "main", "from": [], "shares": []"#)])
    _ = said("to 10 drums")
    let led = #""to": "main", "from": ["channel 10"], "shares": []"#
    #expect(try buses() == [bus(led)])
    let shared = #""to": "main", "from": ["channel 10"], "shares": [{"strip": "channel 3", "percent": 30}]"#
    #expect(try buses(after: "share 3 drums 30") == [bus(shared)])
    synthesizer.bus("drums")?.strip.gain.value = -6
    #expect(try buses() == [bus(shared, level: -6)])
    var scene = synthesizer.scene
    scene.buses[0].isMuted = true
    scene.sends = [:]
    try synthesizer.apply(scene)
    #expect(try buses() == [bus(led, level: -6, mute: true)])
    try synthesizer.removeBus("drums")
    #expect(try buses().isEmpty)
    surface.turn()
    #expect(client.line() == nil)
  }
}
