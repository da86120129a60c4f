import AudioGraph
import Foundation
import SynthText
import TestSupport
import Testing

@testable import SynthKit

@Suite("Commands for inserts and scenes", .timeLimit(.minutes(5)))
struct InsertCommandTests {
  private let session: Session
  private let surface: ControlSurface
  private let directory = FileManager.default.temporaryDirectory.appending(path: "inserts-\(UUID())").path

  init() throws {
    session = Session(try InsertTests.synthesizer(), output: HandOutput(sampleRate: 48000, period: 256))
    try session.play(try song(note(60) + end(after: 9600)))
    let control = SynthesizerControl(
      session.synthesizer, session: session, snapshots: SnapshotStore(directory: "\(directory)/snapshots"))
    surface = ControlSurface(control, session: session)
  }

  private func said(_ line: String, as asker: Asker = .owner) -> String {
    do {
      return try surface.perform(line, as: asker)
    } catch {
      return "\(error)"
    }
  }

  /// The answer of a client's request.
  private func answer(_ request: String, as asker: Asker = .network) throws -> JSONValue {
    let client = try surface.connect(named: "test", as: asker) {}
    defer { client.close() }
    _ = client.line()
    client.ask(request)
    surface.turn()
    return try client.next()
  }

  @Test("insert, move, bypass, mix and remove are answered by how it is then")
  func commands() {
    #expect(said("insert") == "insert     none; insert 3 compressor puts one in")
    #expect(said("insert 3 compressor") == "insert     channel 3: 1 compressor")
    #expect(said("insert 3 pitch-shift 1") == "insert     channel 3: 1 pitch shift, 2 compressor")
    #expect(said(#"insert main "parametric equalizer""#) == "insert     main: 1 parametric equalizer")
    #expect(said("insert") == "insert     channel 3: 1 pitch shift, 2 compressor; main: 1 parametric equalizer")
    #expect(said("move 3 2 1") == "insert     channel 3: 1 compressor, 2 pitch shift")
    #expect(said("mix 3 1 40") == "mix        channel 3 insert 1 40 %")
    #expect(said("bypass main 1 on") == "bypass     main insert 1 on")
    #expect(said("bypass 3 1") == "bypass     channel 3 insert 1 off")
    #expect(said("mix") == "mix        channel 3 insert 1 40 % insert 2 100 %; main insert 1 100 %")
    #expect(said("set \"channel 3 compressor\" threshold -30") == "channel 3 compressor threshold −30 dB")
    #expect(said("/channel_3_compressor/threshold -20").hasSuffix("threshold −20 dB"))
    #expect(said("remove 3 1") == "insert     channel 3: 1 pitch shift")
    #expect(said("remove main all") == "insert     main: none")
  }

  @Test("what is wrong is told in a line, with what to do")
  func errors() {
    #expect(said("insert 3 compresor") == "insert compresor: no such effect; did you mean compressor?")
    #expect(said("insert 3 xyzzy").hasPrefix("insert xyzzy: no such effect; give equalizer, parametric equalizer"))
    #expect(said("insert 77 echo") == "insert 77: give \(TreeIndex.strip.expected)")
    #expect(said("insert 3 echo 9") == "insert 9: give an insert from 1 to 8")
    #expect(said("insert 3 echo 2") == "channel 3: it has no insert 2, and no other; insert one first")
    #expect(said("insert 3 echo a.wav").hasPrefix("\"a.wav\" is one word too many: insert "))
    #expect(said("insert microphone echo") == "microphone: there is none; start with --in DEVICE")
    #expect(said("insert B3 echo").hasPrefix("channel B3: there is no such strip now"))
    #expect(said("remove 3 1") == "channel 3: it has no insert 1, and no other; insert one first")
    #expect(said("mix 3 1 40") == "mix: there is no such insert; insert lists those there are")
    #expect(said("mix") == "mix: there is no such insert; insert lists those there are")
    #expect(said("bypass main 1 maybe").hasPrefix("bypass: there is no such insert"))
    #expect(said("insert 3 convolver /gone/a.wav").contains("/gone/a.wav"))
    #expect(said("scene live") == "scene live: no such scene")
    #expect(said("scene save ../x").hasPrefix("scene save ../x: give a name"))
  }

  @Test("clients see inserts and set them by paths; pages insert, the network does not, files are the owner's")
  func clients() throws {
    #expect(said("insert 3 compressor", as: .network).hasPrefix("insert: the network may not do this; use a page"))
    #expect(said("insert 3 compressor", as: .page) == "insert     channel 3: 1 compressor")
    #expect(
      said("insert 3 convolver hall.wav", as: .socket)
        == "insert from a file: synth ctl may not do this; use the terminal")
    let set = try answer(#"{"set": "/channel/3/insert/1/mix", "to": 25}"#)
    #expect(set["parameters"]?.list?[0]["text"]?.text == "25 %")
    #expect(session.synthesizer.inserts(of: .channel(2))[0].mix.value == 25)
    #expect(try answer(#"{"set": "/channel_3_compressor/ratio", "to": 8}"#)["parameters"] != nil)
    let list = try answer(#"{"list": "/channel/3/insert"}"#)["parameters"]?.list
    #expect(list?.map { $0["path"]?.text } == ["/channel/3/insert/1/mix", "/channel/3/insert/1/bypass"])
    let state = try answer(#"{"state": true}"#)["state"]
    let inserts = state?["inserts"]?.list
    #expect(
      inserts?.map(\.description) == [
        #"{"strip": "channel 3", "number": 1, "effect": "compressor", "node": "channel 3 compressor", "mix": 25, "#
          + #""bypass": false, "sideChain": null}"#
      ])
    #expect(state?["channels"]?.list?[2]["mix"] == nil)
  }

  @Test("an effect listens to another strip, which lists, state and scenes tell of, and is asked for in its words")
  func sideChain() throws {
    _ = said("insert 3 compressor")
    _ = said("insert 3 echo")
    #expect(said("sidechain 3 1 10", as: .page) == "insert     channel 3: 1 compressor by channel 10, 2 echo")
    #expect(
      try answer(#"{"state": true}"#)["state"]?["inserts"]?.list?[0]["sideChain"]?.text == "channel 10")
    #expect(said("sidechain 3 1 off") == "insert     channel 3: 1 compressor, 2 echo")
    #expect(
      said("sidechain 3 2 10") == "sidechain: the echo has none; compressor, gate, voice processing do")
    #expect(said("sidechain 3 1 drums").hasPrefix("drums: there is no such bus; "))
    #expect(said("sidechain 3 1 click").hasPrefix("sidechain click: give a channel "))
    #expect(said("sidechain 3 3 10") == "channel 3: it has no insert 3; give a number from 1 to 2")
    #expect(said("sidechain 3 1").hasPrefix("a word is missing: sidechain "))
    #expect(
      said("sidechain 3 1 main")
        == "sidechain of channel 3: main comes after it; a channel's effects can listen to other channels and the "
        + "microphone, a bus's to channels and to buses that do not come after it")
    #expect(said("insert") == "insert     channel 3: 1 compressor, 2 echo")
  }

  @Test("words are completed")
  func completion() {
    let control = surface.control
    _ = said("scene save live")
    #expect(control.completions(of: "inse") == ["insert"])
    #expect(control.completions(of: "insert 3 comp") == ["compressor"])
    #expect(control.completions(of: "remove m") == ["main", "microphone"])
    #expect(control.completions(of: "scene load l") == ["live"])
  }

  @Test("scenes are saved, loaded and deleted by name; a snapshot brings back what was inserted")
  func scenes() throws {
    #expect(said("scene") == "scene      none; scene save NAME keeps what is inserted")
    _ = said("insert 3 compressor")
    _ = said("mix 3 1 60")
    #expect(said("scene save live") == "scene      live saved")
    #expect(said("snapshot save live").hasPrefix("snapshot   live saved"))
    let scene = session.synthesizer.scene
    _ = (said("remove 3 all"), said("insert main reverb"))
    #expect(said("scene") == "scene      live")
    #expect(said("scene load live", as: .page) == "scene      live")
    #expect(session.synthesizer.scene == scene)
    _ = (said("remove 3 all"), said("insert main reverb"))
    #expect(said("snapshot live") == "snapshot   live")
    #expect(session.synthesizer.scene == scene)
    #expect(said("scene delete live") == "scene      live deleted")
    #expect(said("scene live") == "scene live: no such scene")
  }

  @Test("a control that was learned turns the mix of an insert")
  func learned() throws {
    _ = said("insert 3 compressor")
    let parameter = try #require(surface.control.tree.parameter(named: ["mix", "3", "1"]))
    #expect(parameter === session.synthesizer.inserts(of: .channel(2))[0].mix)
    #expect(surface.control.tree.words(for: parameter) == "mix 3 1")
  }
}
