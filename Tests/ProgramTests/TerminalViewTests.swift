import SynthMIDI
import TestSupport
import Testing

@testable import SynthKit
@testable import synth

@Suite("The view, as text")
struct TerminalViewTests {
  private static func channel(
    _ number: Int, _ preset: String, instrument: String = "sampler", isMuted: Bool = false
  ) -> SurfaceChannel {
    SurfaceChannel(
      channel: number - 1, preset: ChannelPreset(name: preset), instrument: instrument,
      settings: [
        SurfaceSetting(name: "mute", value: .bool(isMuted)), SurfaceSetting(name: "solo", value: .bool(false)),
      ])
  }

  private static func effect(_ type: String?) -> SurfaceEffect { SurfaceEffect(type: type, types: [], settings: []) }

  private static func song(
    _ title: String, duration: Double = 185, isPaused: Bool = false, tempo: Double = 1, loop: SongLoop? = nil
  ) -> SurfaceSection {
    .song(
      SurfaceSong(
        title: title, duration: duration, isPaused: isPaused, tempo: tempo, transposition: 0, loop: loop, countIn: 0))
  }

  private static func output(_ sampleRate: Double, _ latency: ClosedRange<Double>) -> SurfaceSection {
    .output(
      SurfaceOutput(
        name: "hw:0", isPlaying: true, sampleRate: sampleRate, channelCount: 2, period: 256, buffer: 512,
        latency: latency, xruns: 1, devices: []))
  }

  /// What a control surface tells: a song that plays, channel 1 muted, channel 3 loud and played, the rest silent.
  private let state: ViewState = {
    var state = ViewState()
    let channels = (1...16).map { number in
      let name = number == 10 ? "Standard" : number == 2 ? "Acoustic Bass with a long name" : "Grand Piano"
      return channel(number, name, instrument: number == 3 ? "pad" : "sampler", isMuted: number == 1)
    }
    let fonts = SurfaceFonts(paths: ["/f/FluidR3_GM.sf2"], engine: "native", choices: [], bank: nil, presets: [])
    state.take(
      .state([
        .channels(channels), .fonts(fonts),
        .equalizer(SurfaceEqualizer(preset: "pop", presets: [], gains: [], curve: [])),
        .effect(.reverb, effect("large-hall")), .effect(.chorus, effect(nil)), .gain(-3),
        song("A Song", isPaused: true, tempo: 0.8, loop: SongLoop(10, 20)),
        .songs(SurfaceSongs(names: ["a", "b"], current: 1)),
        .recordings([SurfaceRecording(path: "a.wav", strip: .main, seconds: 3)], saving: nil),
        output(48000, 0.004...0.009),
      ]))
    let levels = (1...16).map { $0 == 3 ? SIMD2(-3.0, -1) : $0 == 1 ? SIMD2(-30, -40) : SIMD2(-120, -120) }
    let held = (1...16).map { $0 == 3 ? SIMD2(1.0, -1) : $0 == 1 ? SIMD2(-20, -40) : SIMD2(-120, -120) }
    let monitor = MIDIMonitor()
    for count in [0, 7] {
      for _ in 0..<count {
        let note = MIDIMessage.noteOn(channel: 2, note: 60, velocity7: 100)
        monitor.receive(.received(.message(note), from: MIDIPort(id: 1, name: "Keys"), hostTime: 0))
      }
      state.take(
        .meters(
          SurfaceMeters(
            time: 2, position: 92.5, voices: 14, load: 0.115, xruns: 1, main: [-6, -12], channels: levels,
            mainHeld: [-3, -12], held: held, clips: 12, messageCounts: monitor.counts, lastMessage: monitor.last)))
    }
    return state
  }()

  private func lines(_ columns: Int, _ rows: Int, typed: String? = nil, news: [String] = []) -> [String] {
    let page = ViewPage(state: state, news: news, typed: typed)
    return page.lines(for: TerminalSize(columns: columns, rows: rows)).map { trimmed($0.text) }
  }

  @Test("shows numbers of any size", arguments: [1e300, -1e300, 1e19])
  func anySize(_ number: Double) {
    var state = state
    state.take(
      .change([
        .gain(number), Self.song("", duration: number, tempo: number, loop: SongLoop(0, number)),
        .songs(SurfaceSongs(names: ["a", "b"], current: 1)), Self.output(number, number...number),
      ]))
    state.take(
      .meters(
        SurfaceMeters(
          time: number, position: number, voices: .max, load: number, xruns: .max, main: [number, number],
          channels: [[number, number]], mainHeld: [number, number], held: [[number, number]], clips: .max,
          messageCounts: [.max], lastMessage: nil)))
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
    state.take(.change([.song(nil), .keyboards([])]))
    func place() -> String {
      trimmed(ViewPage(state: state).lines(for: TerminalSize(columns: 80, rows: 24))[1].text)
    }
    #expect(place() == "keyboards  none yet")
    state.take(.change([.keyboards(["Keys", "Pads"])]))
    #expect(place() == "keyboards  Keys, Pads")
  }

  @Test(
    "shows whether a microphone is on, at any width",
    arguments: [
      (nil, nil), ((true, false), "mic on"), ((true, true), "mic muted"), ((false, true), "mic away"),
    ] as [((isPresent: Bool, isMuted: Bool)?, String?)])
  func microphone(_ state: (isPresent: Bool, isMuted: Bool)?, _ mark: String?) {
    let microphone = state.map {
      SurfaceMicrophone(name: "hw:1", isPresent: $0.isPresent, isMuted: $0.isMuted, level: 0)
    }
    var state = self.state
    state.take(.change([.microphone(microphone)]))
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
    state.take(.change([Self.song("a\u{1B}[2Jb"), .keyboards(["\u{7}"])]))
    state.take(
      .change([.channels([Self.channel(4, "", instrument: "\u{1B}]0;x"), Self.channel(99, "")])]))
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
