import AudioGraph
import Foundation
import SynthALSA
import SynthMIDI
import SynthText
import TestSupport
import Testing

@testable import SynthKit

@Suite("Who may do what", .timeLimit(.minutes(5)))
struct AuthorityTests {
  private let keyboard = VirtualSource("Keystation (28:0)")
  private let directory = FileManager.default.temporaryDirectory.appending(path: "authority-\(UUID())").path
  private let session: Session
  private let surface: ControlSurface

  init() throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let device = try DeviceOutput([PCMRequest(device: "null", channelCount: 2, sampleRate: 48000)])
    let synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont]))
    let take = MIDITake()
    session = Session(synthesizer, output: device, sources: [keyboard], copies: [take], timing: .immediate)
    let recorder = SessionRecorder(session, take: take)
    recorder.directory = RecordingDirectory(path: "\(directory)/recordings")
    let control = SynthesizerControl(
      synthesizer, session: session, recorder: recorder, snapshots: SnapshotStore(directory: "\(directory)/snapshots"),
      learned: LearnedStore(path: "\(directory)/learned.json"))
    try control.loadControls()
    session.controls.programCommands = ["quit": .socket]
    surface = ControlSurface(control, session: session)
  }

  private static let clients: [Asker] = [.network, .page, .socket]

  /// What a line is answered, or refused with.
  private func said(_ line: String, as asker: Asker) -> String {
    do {
      return try surface.perform(line, as: asker)
    } catch {
      return "\(error)"
    }
  }

  /// What a client's request is answered with.
  private func answer(_ request: String, as asker: Asker) throws -> JSONValue {
    let client = try surface.connect(named: "test", as: asker) {}
    defer { client.close() }
    _ = client.line()
    client.ask(request)
    surface.turn()
    return try client.next()
  }

  /// The fields of a file's status.
  private func mode(_ path: String) throws -> Int? {
    (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
  }

  @Test("each command is for the asker that its row names and for those above, and the error says for whom it is")
  func rows() {
    for row in CommandForm.all {
      for asker in Asker.allCases {
        // The owner's paths are taken as they are.
        let line = asker == .owner ? row.example.replacing("take.", with: "\(directory)/take.") : row.example
        let isRefused = said(line, as: asker).contains("may not do this")
        let isAlone = row.setting != nil && row.example == row.name
        #expect(isRefused == (asker < row.by && !isAlone), "\(row.example), \(asker)")
      }
    }
    #expect(said("quit", as: .network) == "quit: the network may not do this; use synth ctl or the terminal")
    #expect(said("quit", as: .page) == "quit: a page may not do this; use synth ctl or the terminal")
    #expect(
      said("record take.flac", as: .network)
        == "record: the network may not do this; use a page, synth ctl or the terminal")
    #expect(said("xyzzy", as: .network) == "xyzzy: no such command")
  }

  @Test("a recording of a client's is a new file of its owner alone, in one directory, and is told by its name")
  func recordings() throws {
    let path = "\(directory)/recordings/take.wav"
    #expect(said("record take.wav", as: .socket) == "recording  \(path)")
    #expect(try mode(path) == 0o600)
    #expect(try mode("\(directory)/recordings") == 0o700)
    #expect(said("record take.wav", as: .page) == "record take.wav: the name is taken; give another")
    let files = try answer(#"{"state": true}"#, as: .page)["state"]?["recordings"]?["files"]?.list
    #expect(files?.map { $0["path"]?.text } == ["take.wav"])
    #expect(try answer(#"{"do": "record"}"#, as: .page)["answer"]?.text == "recording  take.wav")
    #expect(
      try answer(#"{"do": "record my voice.wav from 3"}"#, as: .page)["answer"]?.text
        == "recording  my voice.wav from channel 3")
    #expect(said("record ../a.wav from 3", as: .page).hasPrefix("record ../a.wav: give a name "))
    #expect(said("record b.wav from drums", as: .page).contains("there is no such bus"))
    #expect(said("record stop", as: .page).hasPrefix("recorded   "))
    // A link that leads nowhere yet is taken, too.
    let outside = "\(directory)/outside.wav"
    try FileManager.default.createSymbolicLink(
      atPath: "\(directory)/recordings/link.wav", withDestinationPath: outside)
    #expect(said("record link.wav", as: .page) == "record link.wav: the name is taken; give another")
    #expect(!FileManager.default.fileExists(atPath: outside))
    #expect(said("record notes.mid", as: .page).hasPrefix("recording"))
    _ = said("record stop", as: .page)
    #expect(try mode("\(directory)/recordings/notes.mid") == 0o600)
  }

  @Test("the directory of recordings is that of a service's state, else of the user's data")
  func places() {
    func path(_ environment: [String: String]) -> String? { RecordingDirectory(environment: environment).path }
    #expect(path(["HOME": "/home/one"]) == "/home/one/.local/share/synth/recordings")
    #expect(path(["HOME": "/home/one", "XDG_DATA_HOME": "/data"]) == "/data/synth/recordings")
    #expect(path(["HOME": "/home/one", "STATE_DIRECTORY": "/var/lib/synth:/x"]) == "/var/lib/synth/recordings")
    #expect(path([:]) == nil)
  }

  @Test("devices and soundfonts are those that are listed, and those that the owner began with")
  func listed() throws {
    let font = try TestFiles.soundFont
    let name = String(font.split(separator: "/").last ?? "")
    #expect(said("out null", as: .page) == "output     null")
    #expect(said("out nowhere", as: .page).hasPrefix("out nowhere: no such device"))
    #expect(said("soundfont \(name)", as: .socket) == "soundfont  \(font)")
    #expect(try answer(#"{"do": "soundfont \#(name)"}"#, as: .page)["answer"]?.text == "soundfont  \(name)")
    let fonts = try answer(#"{"state": true}"#, as: .page)["state"]?["fonts"]
    #expect(fonts?["paths"]?.texts == [name] && fonts?["choices"]?.texts?.contains(name) == true)
    #expect(try answer(#"{"state": true}"#, as: .socket)["state"]?["fonts"]?["paths"]?.texts == [font])
    #expect(said("preset pop", as: .network) == "preset     pop")
    #expect(said("preset bands:1,0,0,0,0,0,0,0,0,0", as: .network).hasPrefix("preset     "))
    #expect(said("instrument 3=pad", as: .page).contains("3=pad"))
  }

  @Test("all may set parameters; properties are for pages, and texts, which may be paths, for the owner")
  func properties() throws {
    let set = #"{"set": ["instruments", "#
    #expect(try answer(#"{"set": ["reverb", "time"], "to": 2.5}"#, as: .network)["parameters"] != nil)
    let refused = try answer(set + #""polyphony"], "to": 100}"#, as: .network)["error"]?.text
    #expect(refused == "set instruments polyphony: the network may not do this; use a page, synth ctl or the terminal")
    #expect(try answer(set + #""polyphony"], "to": 100}"#, as: .page)["parameters"] != nil)
    let font = try answer(set + #""sound_fonts"], "to": "/etc/passwd"}"#, as: .socket)["error"]?.text
    #expect(font == "set instruments \"sound fonts\": synth ctl may not do this; use the terminal")
  }

  @Test("what a client names is never opened, made or looked for outside of what is listed")
  func nasty() throws {
    let place = "\(directory)/outside"
    let marker = "\(place)/marker"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try Data(#"{"very-secret": 1}"#.utf8).write(to: URL(filePath: "\(place)/canary.json"))
    try FileManager.default.copyItem(atPath: TestFiles.soundFont, toPath: "\(place)/canary.sf2")
    let there = try FileManager.default.contentsOfDirectory(atPath: place)
    let words = [
      "/etc/passwd", "\(place)/canary.json", "\(place)/canary.sf2", "\(place)/none.json", "\(place)/new.wav",
      "../outside/canary.json", "../outside/new.wav", "recordings/../../outside/new.wav", "~/new.wav", "~", ".", "..",
      ".hidden.wav", "-", "new.wav/", "3=\(place)/canary.json", "pad+\(place)/canary.json", "file:'\(marker)',raw",
      "file:'|touch \(marker)',raw", "tee:null,'\(marker)',raw", "plug:\"file:'\(marker)',raw\"",
      "hw:{type file slave.pcm null file \(marker) format raw}",
      "{type file slave.pcm null file \(marker) format raw}", "a\0b.wav", "\u{1B}[2J.wav", "a\u{7F}b.wav",
      String(repeating: "x", count: 300) + ".wav", String(repeating: "../", count: 20000) + "etc/passwd",
    ]
    let commands = [
      "preset", "instrument", "soundfont", "record", "save", "out", "snapshot", "snapshot recall", "snapshot delete",
      "learn preset", "learn record", "learn soundfont", "set instruments \"sound fonts\"",
      "set instruments", "set", "map", "route", "reverb", "unlearn",
    ]
    for command in commands {
      for word in words {
        for asker in Self.clients {
          do {
            _ = try surface.perform("\(command) \(word)", as: asker)
            Issue.record("\(asker) may \(command) \(word.prefix(50))")
          } catch {
            #expect(!"\(error)".contains("very-secret"))
          }
        }
      }
    }
    for word in words { _ = said("snapshot save \(word)", as: .page) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: place) == there)
    let others = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0 != "learned.json" }
    #expect(Set(others).isSubset(of: ["outside", "recordings", "snapshots"]))
    #expect((try? FileManager.default.contentsOfDirectory(atPath: "\(directory)/recordings"))?.isEmpty ?? true)
    // The same words, whether something lies there or not.
    let (one, other) = ("\(place)/canary.json", "\(place)/nowhere.json")
    for command in ["preset", "instrument", "soundfont", "out"] {
      let answers = [one, other].map { said("\(command) \($0)", as: .page).replacingOccurrences(of: $0, with: "X") }
      #expect(answers[0] == answers[1])
    }
  }

  @Test("errors that a client is told have nothing of the file that is at fault")
  func contents() throws {
    let presets = "\(directory)/presets"
    try FileManager.default.createDirectory(atPath: presets, withIntermediateDirectories: true)
    try Data(#"{"very-secret": 1}"#.utf8).write(to: URL(filePath: "\(presets)/bad.json"))
    let control = SynthesizerControl(
      session.synthesizer, session: session, library: EqualizerPresetLibrary(directories: [presets]))
    let surface = ControlSurface(control, session: session)
    func said(as asker: Asker) -> String {
      do { return try surface.perform("preset bad", as: asker) } catch { return "\(error)" }
    }
    #expect(said(as: .owner).contains("very-secret"))
    #expect(
      said(as: .page)
        == "reading \(presets)/bad.json: the file has a fault; the same command in the terminal says which")
  }

  @Test("pages and the network are told names in place of absolute paths")
  func pathless() {
    for (text, shown) in [
      ("/home/one/take.flac", "take.flac"), ("recording  /a/b.wav, /c/d.wav", "recording  b.wav, d.wav"),
      ("reading (/a/b.json): no", "reading (b.json): no"), ("Bass/Lead 1/2 a/b", "Bass/Lead 1/2 a/b"), ("/", "/"),
      ("a  b\n/x/y", "a  b\ny"), ("", ""), ("no /home/one/My Music/a b.wav: gone", "no a b.wav: gone"),
      ("Bass / Lead / 2", "Bass / Lead / 2"), ("use /token", "use /token"), ("\"/a b/c\" d", "\"c\" d"),
    ] {
      #expect(Asker.page.shown(text) == shown && Asker.socket.shown(text) == text)
    }
  }

  @Test("a control calls a command with the rights of who had it learned; one without an asker has those of a page")
  func learned() throws {
    try session.start()
    #expect(said("learn quit", as: .page).contains("a page may not do this"))
    #expect(said("learn record \(directory)/x.wav", as: .page).contains("give a name"))
    #expect(said("learn record \(directory)/x.wav", as: .owner).hasPrefix("learn      "))
    for _ in 0..<2 { keyboard.send(.noteOn(channel: 0, note: 21, velocity7: 1)) }
    surface.turn()
    #expect(FileManager.default.fileExists(atPath: "\(directory)/x.wav"))
    #expect(session.controls.learned.map(\.asker) == [.owner])
    let kept = try String(contentsOfFile: "\(directory)/learned.json", encoding: .utf8)
    #expect(kept.contains(#""by": "owner""#))
    let outside = "\(directory)/y.wav"
    let text =
      #"{"version": 1, "learned": [{"note": 22, "channel": 1, "command": "record \#(outside)"}, "#
      + #"{"note": 23, "channel": 1, "command": "quit"}]}"#
    try Data(text.utf8).write(to: URL(filePath: "\(directory)/learned.json"))
    try surface.control.loadControls()
    for note: UInt8 in [22, 23] { keyboard.send(.noteOn(channel: 0, note: note, velocity7: 1)) }
    surface.turn()
    #expect(!FileManager.default.fileExists(atPath: outside))
    let log = try surface.state()?["log"]?.list?.compactMap { $0["text"]?.text } ?? []
    #expect(log.contains { $0.hasPrefix("record \(outside): give a name") })
    #expect(log.last == "quit: a page may not do this; use synth ctl or the terminal")
  }

  @Test("what clients play calls no learned command and recalls no snapshot")
  func clientKeys() throws {
    try session.start()
    _ = said("snapshot save lead", as: .owner)
    _ = said("learn preset rock", as: .owner)
    keyboard.send(.noteOn(channel: 0, note: 21, velocity7: 1))
    _ = said("level 1 -9", as: .owner)
    let client = try surface.connect(named: "test", as: .network) {}
    for bytes in ["[144, 21, 100]", "[207, 0]"] { client.ask(#"{"midi": \#(bytes)}"#) }
    surface.turn()
    #expect(surface.control.preset == "flat" && session.synthesizer.channelStrips[0].level.value == -9)
  }

  @Test(
    "a number that is not finite is refused in one line, by every command and everything that a node has",
    arguments: ["nan", "-nan", "inf", "-inf", "infinity", "1e400", "-1e400", "nan(1)", "0x1p2000"])
  func notFinite(number: String) throws {
    let commands = [
      "gain", "level 3", "pan 3", "send 3 reverb", "program 3", "tempo", "transpose", "count-in", "seek", "loop 0",
      "metronome", "map", "route 1", "mute", "preset bands:0,0,0,0,0,0,0,0,0,", "learn level 3 from 0 to",
    ]
    let session = try Self.sessionWithSong()
    let control = SynthesizerControl(session.synthesizer, session: session)
    let surface = ControlSurface(control, session: session)
    func refusal(_ line: String) -> String? {
      do {
        _ = try surface.perform(line, as: .page)
        return nil
      } catch {
        return "\(error)"
      }
    }
    for command in commands {
      let line = command.hasSuffix(",") ? command + number : "\(command) \(number)"
      #expect(refusal(line).map { !$0.contains("\n") } == true, "\(line)")
    }
    for node in control.nodes.nodes {
      for setting in try control.nodes.settings(of: node) where setting.expected != nil {
        #expect(refusal("set \"\(node)\" \"\(setting.name)\" \(number)") != nil, "\(node) \(setting.name)")
      }
    }
  }

  @Test("a number in JSON that no double has is refused")
  func hugeNumber() throws {
    for request in [
      #"{"set": ["reverb", "time"], "to": 1e400}"#, #"{"set": ["instruments", "polyphony"], "to": -1e400}"#,
      #"{"subscribe": {"meters": 1e400}}"#, #"{"midi": [144, 60, 1e400]}"#,
    ] {
      #expect(try answer(request, as: .page)["error"] != nil, "\(request)")
    }
  }

  private static func sessionWithSong() throws -> Session {
    let synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont]))
    let session = Session(synthesizer, output: HandOutput(sampleRate: 48000, period: 256))
    try session.play(try song(note(60) + end(after: 9600)))
    return session
  }
}
