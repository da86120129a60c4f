import SynthMIDI
import TestSupport
import Testing

@testable import synth

@Suite("The view, as text")
struct TerminalViewTests {
  /// What a control surface tells: a song that plays, channel 1 muted, channel 3 loud and played, the rest silent.
  private let state: ViewState = {
    var state = ViewState()
    let channels = (1...16).map { number in
      let name = number == 10 ? "Standard" : number == 2 ? "Acoustic Bass with a long name" : "Grand Piano"
      return
        #"{"channel": \#(number), "preset": {"name": "\#(name)"}, "instrument": "\#(number == 3 ? "pad" : "sampler")","#
        + #" "mute": \#(number == 1), "solo": false}"#
    }
    let levels = (1...16).map { $0 == 3 ? "[-3.0, -1.0]" : $0 == 1 ? "[-30, -40]" : "[-120, -120]" }
    let held = (1...16).map { $0 == 3 ? "[1.0, -1.0]" : $0 == 1 ? "[-20.0, -40]" : "[-120, -120]" }
    state.take(
      #"{"state": {"channels": [\#(channels.joined(separator: ", "))], "fonts": {"paths": ["/f/FluidR3_GM.sf2"]}, "#
        + #""equalizer": {"preset": "pop"}, "reverb": {"type": "large-hall"}, "chorus": {"type": null}, "gain": -3, "#
        + #""song": {"title": "A Song", "duration": 185, "paused": true, "tempo": 0.8, "loop": [10, 20]}, "#
        + #""songs": {"names": ["a", "b"], "current": 1}, "recordings": {"files": [{"path": "a.wav", "seconds": 3}]}, "#
        + #""output": {"name": "hw:0", "rate": 48000, "latency": [0.004, 0.009]}}}"#)
    for count in [0, 7] {
      state.take(
        #"{"meters": {"time": 2, "position": 92.5, "voices": 14, "load": 0.115, "xruns": 1, "main": [-6, -12], "#
          + #""mainHeld": [-3, -12], "clips": 12, "channels": [\#(levels.joined(separator: ", "))], "#
          + #""held": [\#(held.joined(separator: ", "))], "midi": [0, 0, \#(count), 0, 0], "#
          + #""last": {"number": 7, "channel": 3, "text": "note on C4, velocity 100", "port": "Keys"}}}"#)
    }
    return state
  }()

  private func lines(_ columns: Int, _ rows: Int, typed: String? = nil, news: [String] = []) -> [String] {
    let page = ViewPage(state: state, news: news, typed: typed)
    return page.lines(for: TerminalSize(columns: columns, rows: rows)).map { trimmed($0.text) }
  }

  @Test("shows numbers of any size", arguments: ["1e300", "-1e300", "1e19"])
  func anySize(_ number: String) {
    var state = state
    state.take(
      #"{"change": {"channels": [{"channel": \#(number)}], "gain": \#(number), "songs": {"names": ["a", "b"], "#
        + #""current": \#(number)}, "song": {"duration": \#(number), "tempo": \#(number), "loop": [0, \#(number)]}, "#
        + #""recordings": {"files": [{"seconds": \#(number)}]}, "#
        + #""output": {"rate": \#(number), "latency": [\#(number)]}}}"#)
    state.take(
      #"{"meters": {"time": \#(number), "position": \#(number), "voices": \#(number), "load": \#(number), "#
        + #""xruns": \#(number), "main": [\#(number)], "mainHeld": [\#(number)], "channels": [[\#(number)]], "#
        + #""held": [[\#(number)]], "midi": [\#(number)], "last": {"channel": \#(number), "text": "note"}}}"#)
    let page = ViewPage(state: state, news: [], typed: nil)
    #expect(page.lines(for: TerminalSize(columns: 80, rows: 24)).count == 24)
  }

  @Test("has all in 80 columns and 24 rows")
  func usual() {
    let lines = lines(80, 24, typed: "gain", news: ["joined     Keys", "gain       -3.0 dB"])
    #expect(
      lines == [
        "synth  FluidR3_GM.sf2  preset pop  reverb large-hall  chorus off  gain -3.0 dB",
        "1:32 / 3:05  █████████░░░░░░░░░░  paused  A Song  80 %  loop 0:10 to 0:20",
        "",
        " 1 Grand Piano  ██████░│░░░░ -20.0  M     9 Grand Piano  ░░░░░░░░░░░░",
        " 2 Acoustic Bas ░░░░░░░░░░░░             10 Standard     ░░░░░░░░░░░░",
        " 3 pad          ███████████│   1.0 ! •   11 Grand Piano  ░░░░░░░░░░░░",
        " 4 Grand Piano  ░░░░░░░░░░░░             12 Grand Piano  ░░░░░░░░░░░░",
        " 5 Grand Piano  ░░░░░░░░░░░░             13 Grand Piano  ░░░░░░░░░░░░",
        " 6 Grand Piano  ░░░░░░░░░░░░             14 Grand Piano  ░░░░░░░░░░░░",
        " 7 Grand Piano  ░░░░░░░░░░░░             15 Grand Piano  ░░░░░░░░░░░░",
        " 8 Grand Piano  ░░░░░░░░░░░░             16 Grand Piano  ░░░░░░░░░░░░",
        "",
        "all L █████████████████████░│░  -3.0  R ███████████████████│░░░░ -12.0  over",
        "midi  note on C4, velocity 100  channel 3  Keys",
        "dsp   14 voices  load 12 %  1 xrun  rec 0:03  4.0 to 9.0 ms  hw:0 at 48000 Hz",
        "── ! over 0 dB  M mute  S solo  • MIDI  │ peak ────────────────────────────────",
        "", "", "", "", "",
        "joined     Keys",
        "gain       -3.0 dB",
        "> gain",
      ])
  }

  @Test(
    "is as large as the terminal in every size, with a free column at the right",
    arguments: [(60, 18), (60, 20), (80, 24), (81, 35), (100, 36), (200, 60), (500, 200)])
  func sizes(columns: Int, rows: Int) {
    let page = ViewPage(state: state, news: (0..<300).map { "news \($0) \(String(repeating: "and more ", count: 30))" })
    let lines = page.lines(for: TerminalSize(columns: columns, rows: rows))
    #expect(lines.count == rows)
    for line in lines { #expect(line.columnCount < columns, "\(line.text)") }
    #expect(
      (1...16).allSatisfy { number in lines.contains { $0.text.contains(number == 3 ? " 3 pad" : "\(number) ") } })
    #expect(lines[rows - 2].text.hasSuffix("and more") || lines[rows - 2].text.contains("more"))
  }

  @Test("needs 60 columns and 18 rows", arguments: [(60, 18, true), (59, 18, false), (60, 17, false), (0, 0, false)])
  func smallest(columns: Int, rows: Int, fits: Bool) {
    #expect(ViewPage.fits(TerminalSize(columns: columns, rows: rows)) == fits)
  }

  @Test("has the strips below each other in a high terminal, with longer names and bars")
  func high() {
    let lines = lines(200, 60)
    #expect(lines[4].hasPrefix(" 2 Acoustic Bass with a long  ░░░"))
    #expect(lines[5].hasSuffix("1.0 ! •") && lines[18].hasPrefix("16 Grand Piano"))
  }

  @Test("without songs has the keyboards in their place")
  func keyboards() {
    var state = state
    state.take(#"{"change": {"song": null, "keyboards": []}}"#)
    func place() -> String {
      trimmed(ViewPage(state: state).lines(for: TerminalSize(columns: 80, rows: 24))[1].text)
    }
    #expect(place() == "keyboards  none yet")
    state.take(#"{"change": {"keyboards": ["Keys", "Pads"]}}"#)
    #expect(place() == "keyboards  Keys, Pads")
  }

  @Test(
    "shows whether a microphone is on, at any width",
    arguments: [
      ("null", nil), (#"{"present": true, "mute": false}"#, "mic on"),
      (#"{"present": true, "mute": true}"#, "mic muted"), (#"{"present": false, "mute": true}"#, "mic away"),
    ] as [(String, String?)])
  func microphone(_ json: String, _ mark: String?) {
    var state = state
    state.take(#"{"change": {"microphone": \#(json)}}"#)
    for columns in [60, 80, 200] {
      let lines = ViewPage(state: state).lines(for: TerminalSize(columns: columns, rows: 24)).map(\.text)
      let shown = lines.first { $0.hasPrefix("dsp") }?.components(separatedBy: "  ").first { $0.hasPrefix("mic") }
      #expect(shown == mark, "\(columns) columns")
    }
  }

  @Test("ends the longest line that is typed with the cursor")
  func typing() {
    let typed = "soundfont " + String(repeating: "さ", count: 100) + " "
    let page = ViewPage(state: state, typed: typed)
    let size = TerminalSize(columns: 60, rows: 20)
    let line = page.lines(for: size)[19].text
    #expect(line.hasPrefix("> さ") && line.hasSuffix("さ ") && page.cursor(for: size) == columns(line))
    #expect(ViewPage(state: state).cursor(for: size) == nil)
  }

  @Test("shows nothing that a terminal would interpret")
  func controls() {
    var state = state
    state.take(#"{"change": {"song": {"title": "a\u001b[2Jb", "duration": 1}, "keyboards": ["\u0007"]}}"#)
    state.take(#"{"change": {"channels": [{"channel": 4, "instrument": "\u001b]0;x"}, {"channel": 99}]}}"#)
    state.take("no JSON")
    for line in ViewPage(state: state).lines(for: TerminalSize(columns: 80, rows: 24)) {
      #expect(!line.text.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }
  }

  @Test("sends only the lines that have changed, and all after a change of size")
  func changes() {
    var painter = ScreenPainter()
    func changes(_ lines: [String], _ columns: Int = 80, isEmpty: Bool = false) -> String {
      painter.changes(
        to: lines.map { StyledText($0) }, cursor: nil, size: TerminalSize(columns: columns, rows: 2), isEmpty: isEmpty,
        inColour: true)
    }
    let all = "\u{1B}[?25l\u{1B}[2J\u{1B}[1;1Ha\u{1B}[K\u{1B}[2;1Hb\u{1B}[K"
    #expect(changes(["a", "b"], isEmpty: true) == all)
    #expect(changes(["a", "b"]) == "\u{1B}[?25l")
    #expect(changes(["a", "c"]) == "\u{1B}[?25l\u{1B}[2;1Hc\u{1B}[K")
    #expect(changes(["a", "b"], 81) == all)
    #expect(changes(["a", "b"], 81, isEmpty: true) == all)
  }

  @Test("has no colour where none is wanted, and says the same")
  func colour() {
    let line = StyledText("a", .usual) + StyledText("b", .high) + StyledText("c", .over) + StyledText("d")
    #expect(line.sequence(inColour: true) == "\u{1B}[32ma\u{1B}[m\u{1B}[33mb\u{1B}[m\u{1B}[31mc\u{1B}[md")
    #expect(line.sequence(inColour: false) == "ab\u{1B}[1mc\u{1B}[md")
  }
}
