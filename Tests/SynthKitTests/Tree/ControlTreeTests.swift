import AudioGraph
import Foundation
import SynthText
import TestSupport
import Testing

@testable import SynthKit

@Suite("The control tree", .timeLimit(.minutes(5)))
struct ControlTreeTests {
  private let session: Session
  private let control: SynthesizerControl
  private let surface: ControlSurface

  init() throws {
    let synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont]))
    session = Session(synthesizer, output: HandOutput(sampleRate: 48000, period: 256))
    try session.play(try song(note(60) + end(after: 9600)))
    control = SynthesizerControl(synthesizer, session: session)
    surface = ControlSurface(control, session: session)
  }

  private var mixer: MixerNode { session.synthesizer.mixer }

  /// The answer of a request, without the owner's turn if `turns` is false; nil where there is none yet.
  private func answer(_ request: String, _ client: SurfaceClient, turns: Bool = false) throws -> JSONValue? {
    client.ask(request)
    if turns { surface.turn() }
    return try client.line().map { try JSONValue(parsing: Array($0.utf8)) }
  }

  private func client(_ asker: Asker = .network) throws -> SurfaceClient {
    let client = try surface.connect(named: "test", as: asker) {}
    _ = client.line()
    return client
  }

  /// The least asker for each path, of channel 1 for all channels.
  private static let rights = """
    network /reverb /chorus /gain
    network /channel/1/level /channel/1/pan /channel/1/reverb /channel/1/chorus /channel/1/mute /channel/1/solo
    network /track/1/mute /track/1/solo /microphone/mute /microphone/level
    network /microphone/pan /bus/drums/level /bus/drums/pan /bus/drums/mute
    network /bus/drums/insert/1/mix /bus/drums/insert/1/bypass /main/insert/1/mix
    network /song/tempo /song/transpose /song/count-in
    network /reverb/type /reverb/time /reverb/level
    page /instruments/polyphony /instruments/gain /equalizer/curve /output/channel_map
    owner /instruments/sound_fonts
    """

  private func addMicrophone() throws {
    try session.synthesizer.add(InputNode(VirtualInput(channelCount: 1, isOnOutputClock: true)))
  }

  @Test("may be set by whom the table says, and by those above, and by nobody else")
  func rights() throws {
    try addMicrophone()
    try session.synthesizer.makeBus("drums")
    for strip in [.main, .bus("drums")] as [Strip] { try session.synthesizer.insert("compressor", into: strip) }
    var tested = 0
    for line in Self.rights.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      let least = try #require(Asker.allCases.first { "\($0)" == words[0] })
      for path in words.dropFirst() {
        let node = try #require(try control.tree.nodes(at: path).first)
        #expect(node.by == least, "\(path)")
        for asker in Asker.allCases {
          let answer = try answer(#"{"set": "\#(path)", "to": "\#(node.value)"}"#, try client(asker), turns: true)
          let isRefused = answer?["error"]?.text?.contains("may not do this") == true
          #expect(isRefused == (asker < least), "\(path), \(asker)")
          tested += 1
        }
      }
    }
    #expect(tested > 80)
  }

  @Test("no property of the audio graph is for the network, and no text but for the owner")
  func graph() throws {
    let nodes = control.tree.nodes(below: "/")
    #expect(Set(nodes.map(\.path)).count == nodes.count && nodes.count > 200)
    for node in nodes where node.names != nil && !node.isFixed {
      if node.parameter != nil { #expect(node.by == .network, "\(node.path)") }
      if node.parameter == nil { #expect(node.by >= .page, "\(node.path)") }
      if case .text = node.kind { #expect(node.by == .owner, "\(node.path)") }
    }
  }

  @Test("each declared setting is on every view: command, help, path, answer, completion, learning, the state")
  func views() throws {
    try addMicrophone()
    try session.synthesizer.makeBus("drums")
    for strip in [.channel(9), .main, .microphone, .bus("drums")] as [Strip] {
      try session.synthesizer.insert("compressor", into: strip)
    }
    for setting in ControlSetting.all {
      let command = setting.command
      let form = try #require(CommandForm.all.first { $0.name == command.name })
      #expect(!form.summary.isEmpty && form.form.hasPrefix(command.name))
      guard case .set(let path, let text) = try SynthesizerCommand(parsing: command.example) else {
        Issue.record("\(command.example)")
        continue
      }
      let node = try #require(try control.tree.nodes(at: path).first)
      #expect(try control.set(path, to: text).text.hasPrefix(command.name))
      #expect(control.tree.nodes(below: path).map(\.path).contains(path))
      #expect(control.completions(of: String(command.name.dropLast())).contains(command.name))
      if let parameter = node.parameter {
        let words = try #require(control.tree.words(for: parameter))
        #expect(control.tree.parameter(named: words.split(separator: " ").map(String.init)) === parameter)
      }
      if setting.path.indices.first?.accepts(.channel(0)) == true, setting.path.indices.last != .insert {
        let strip = try surface.state()?["channels"]?.list?[0]
        #expect(strip?[String(path.split(separator: "/").last ?? "")] != nil, "\(path)")
      }
    }
  }

  @Test("a parameter is set and read without the owner's turn, by path and by names, many by a pattern")
  func atOnce() throws {
    let client = try client()
    let set = try answer(#"{"id": 1, "set": "/channel/3/level", "to": -6}"#, client)
    #expect(set?["id"]?.number == 1 && set?["parameters"]?.list?[0]["text"]?.text == "−6.0 dB")
    #expect(mixer.inputs[2].gain.value == -6)
    #expect(try answer(#"{"set": "/channel/{1,2}/pan", "to": 1}"#, client)?["parameters"]?.list?.count == 2)
    #expect(mixer.inputs.map(\.pan.value) == [1, 1] + [Float](repeating: 0, count: 14))
    #expect(try answer(#"{"set": ["reverb", "time"], "to": 2.5}"#, client)?["parameters"] != nil)
    #expect(try answer(#"{"get": "/reverb/time"}"#, client)?["parameters"]?.list?[0]["value"]?.number == 2.5)
    #expect(
      try answer(#"{"set": "/channel/*/level", "to": 99}"#, client)?["error"]?.text
        == "level 99: give a number from −120 to 24 dB")
    #expect(mixer.inputs[2].gain.value == -6)
  }

  @Test("a parameter waits for what the same client has asked for before")
  func order() throws {
    let (client, other) = (try client(), try client())
    client.ask(#"{"do": "level all -9"}"#)
    #expect(try answer(#"{"set": "/channel/1/level", "to": -3}"#, client) == nil)
    #expect(try answer(#"{"set": "/channel/1/level", "to": -1}"#, other) != nil)
    surface.turn()
    #expect(mixer.inputs[0].gain.value == -3 && mixer.inputs[1].gain.value == -9)
    #expect(client.line()?.contains("answer") == true && client.line()?.contains("parameters") == true)
  }

  @Test("has the microphone while there is one, beside channels and tracks")
  func microphone() throws {
    let client = try client()
    let missing = try answer(#"{"set": "/microphone/mute", "to": true}"#, client, turns: true)?["error"]?.text
    #expect(missing == "mute microphone: there is none; --in DEVICE adds one at the start")
    func told(_ line: String) throws -> String {
      var control = control
      return try control.perform(try SynthesizerCommand(parsing: line)).text
    }
    #expect(try told("level") == "level      all channels 0.0 dB")
    try addMicrophone()
    #expect(try told("mute microphone") == "mute       microphone on")
    #expect(try told("mute") == "mute       all channels off; microphone on; all tracks off")
    #expect(try told("level microphone -6") == "level      microphone −6.0 dB")
    #expect(control.completions(of: "unmute mic") == ["microphone"] && control.completions(of: "solo tr") == ["track"])
    #expect(session.synthesizer.microphone?.isMuted == true)
    let state = try surface.state()?["microphone"]
    #expect(state?["mute"]?.description == "true" && state?["level"]?.number == -6)
  }

  @Test("properties wait for the owner; what cannot be set says why")
  func properties() throws {
    let client = try client()
    #expect(try answer(#"{"set": "/song/tempo", "to": 80}"#, client) == nil)
    surface.turn()
    #expect(session.tempo == 0.8 && client.line()?.contains(#""text": "80 %""#) == true)
    let unknown = try answer(#"{"set": "/channel/3/levle", "to": 1}"#, client, turns: true)
    #expect(
      unknown?["error"]?.text == "channel/3/levle: no such path in the control tree; did you mean channel/3/level?")
    #expect(try answer(#"{"set": "/channel/17/level", "to": 1}"#, client, turns: true)?["error"] != nil)
    let list = try answer(#"{"list": "/channel/3"}"#, client, turns: true)?["parameters"]?.list
    #expect(list?.count == 7 && list?[0]["summary"]?.text?.hasPrefix("the level of a channel") == true)
    #expect(list?[0]["by"]?.text == "network" && list?[0]["min"]?.number == -120)
  }

  @Test("what a client watches is told at first and when it changes, and nothing else")
  func watched() throws {
    let client = try client()
    #expect(try answer(#"{"watch": ["/channel/*/level", "/song/tempo"]}"#, client, turns: true)?["answer"] != nil)
    let first = try client.next()
    #expect(first["change"]?["parameters"]?.list?.count == 17)
    mixer.inputs[4].gain.value = -4
    mixer.inputs[4].pan.value = 1
    surface.turn()
    let change = try client.next()["change"]?["parameters"]?.list
    #expect(change?.map { $0["path"]?.text } == ["/channel/5/level"])
    surface.turn()
    #expect(client.line() == nil)
    #expect(try answer(#"{"watch": []}"#, client, turns: true)?["answer"] != nil && client.isDone)
    #expect(try answer(#"{"watch": ["/nowhere"]}"#, client, turns: true)?["error"] != nil)
    let many = try answer(#"{"watch": ["/track/*/mute"]}"#, client, turns: true)?["error"]?.text
    #expect(many == "watching: 1024 nodes are meant; give paths of at most 512")
  }
}
