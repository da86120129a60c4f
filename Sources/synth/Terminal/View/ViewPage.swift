import SynthKit
import SynthMIDI
import SynthText

/// The view as lines for a terminal of a certain size: what plays, strips, figures, news, and at the bottom the
/// line that is typed.
struct ViewPage {
  let state: ViewState
  /// What has been told, the latest last.
  var news: [String] = []
  /// What has been typed of a command; nil for nothing.
  var typed: String?
  /// The words that are sung.
  var words: StatusLine?

  /// As wide and as high as it needs to be read.
  private static let smallest = TerminalSize(columns: 60, rows: 18)
  /// Wider strips are no easier to read.
  private static let widestStrip = 110
  /// Height from which all strips stand below each other, beside their number.
  private static let tall = 20
  /// What is above and below the strips at least.
  private static let otherRows = 10

  static func fits(_ size: TerminalSize) -> Bool {
    size.columns >= smallest.columns && size.rows >= smallest.rows
  }

  /// As many lines as there are rows. The last column stays free: a terminal may go to the next line behind it.
  func lines(for size: TerminalSize) -> [StyledText] {
    let width = size.columns - 1
    var lines = [sound(width), place(width), sung(width)]
    lines += strips(width, rows: size.rows)
    lines += [StyledText(), everything(width), message(width), figures(width), legend(width)]
    return lines + latestNews(width, rows: size.rows - lines.count - 1) + [prompt(width)]
  }

  /// Where the cursor is in the last line; nil for no cursor.
  func cursor(for size: TerminalSize) -> Int? {
    typed.map { columns(Self.shown($0, size.columns - 1)) }
  }

  // MARK: - What plays

  private func sound(_ width: Int) -> StyledText {
    let fonts = state.fonts.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    func entry(_ label: String, _ text: String?) -> StyledText {
      StyledText("\(label) ", .dim) + StyledText(text ?? "off")
    }
    return .row(
      [
        StyledText("synth", .bold), StyledText(oneLine(fonts.joined(separator: ", "))),
        entry("preset", state.preset), entry("reverb", state.effects[.reverb]), entry("chorus", state.effects[.chorus]),
        state.effects[.delay].map { entry("delay", $0) } ?? StyledText(),
        state.gain == 0 ? StyledText() : entry("gain", "\(tenths(state.gain)) dB"),
      ], width: width)
  }

  private func place(_ width: Int) -> StyledText {
    guard let song = state.song else { return keyboards(width) }
    let (position, songCount) = (state.meters?.position ?? 0, state.songs?.names.count ?? 0)
    let times = StyledText("\(clock(position)) / \(clock(song.duration))  ", .bold)
    let part = song.duration > 0 ? position / song.duration : 0
    return .row(
      [
        times + StyledText(bar(part, width: min(width / 4, 40)), .usual),
        StyledText(song.isPaused ? "paused" : "", .bold),
        StyledText(prefix(oneLine(song.title), ofColumns: max(width / 3, 20))),
        StyledText(song.tempo == 1 ? "" : "\(whole(song.tempo * 100)) %"),
        StyledText(song.loop.map { "loop \(clock($0.start)) to \(clock($0.end))" } ?? ""),
        StyledText(songCount > 1 ? "song \((state.songs?.current ?? 0) + 1) of \(songCount)" : "", .dim),
      ], width: width)
  }

  private func keyboards(_ width: Int) -> StyledText {
    let names = state.keyboards
    return (StyledText("keyboards  ", .dim) + StyledText(names.isEmpty ? "none yet" : names.joined(separator: ", ")))
      .fitted(to: width)
  }

  private func sung(_ width: Int) -> StyledText {
    guard let words else { return StyledText() }
    return (StyledText(oneLine(words.bright), .bold) + StyledText(words.rest)).fitted(to: width)
  }

  // MARK: - Levels

  /// Of several ports, as many strips as fit.
  private func strips(_ width: Int, rows: Int) -> [StyledText] {
    let gap = 3
    let inOneColumn = rows >= Self.tall + state.strips.count
    let room = min(inOneColumn ? width : (width - gap) / 2, Self.widestStrip)
    let strips = state.strips.indices.map { strip($0, room) }
    if inOneColumn { return strips }
    let half = min(strips.count / 2, rows - Self.otherRows)
    return (0..<half).map { strips[$0] + StyledText(String(repeating: " ", count: gap)) + strips[$0 + half] }
  }

  /// " 1 Grand Piano  ██████░░│░  -12.3 !M•": number, name, level, peak, marks.
  private func strip(_ place: Int, _ width: Int) -> StyledText {
    let strip = state.strips[place]
    // Where there is little room, the bar says enough.
    let hasFigure = width >= 34
    let numberWidth = state.strips.count > 16 ? 3 : 2
    let room = width - (hasFigure ? 12 : 6) - numberWidth
    let nameWidth = min((room + 1) / 2, 26)
    let name = prefix(oneLine(strip.name), ofColumns: nameWidth)
    let isActive = state.time < strip.activeUntil
    let marks =
      StyledText(strip.level.hasClipped ? "!" : " ", .over)
      + StyledText(strip.isMuted ? "M" : strip.isSoloed ? "S" : " ", .bold) + StyledText(isActive ? "•" : " ")
    return StyledText("\(padded(ChannelName.text(place), numberWidth, atEnd: false)) ", .dim)
      + StyledText(padded(name, nameWidth), strip.isMuted ? .dim : .plain) + StyledText(" ")
      + Self.meter(strip.level, room - nameWidth) + StyledText(hasFigure ? Self.figure(strip.level.held) : "")
      + StyledText(" ") + marks
  }

  private func everything(_ width: Int) -> StyledText {
    let cells = min((width - 31) / 2, 50)
    let sides = zip(["L ", "  R "], state.main).map { label, level in
      StyledText(label, .dim) + Self.meter(level, cells) + StyledText(Self.figure(level.held))
    }
    let hasClipped = state.meters?.clips ?? 0 > 0
    return (StyledText("all ", .dim) + sides[0] + sides[1] + StyledText(hasClipped ? "  over" : "", .over))
      .fitted(to: width)
  }

  /// A bar from -60 dB to full scale, with a line at the peak that is held.
  private static func meter(_ level: ViewState.StripLevel, _ cells: Int) -> StyledText {
    func part(_ level: Double) -> Double { min(max(1 + level / 60, 0), 1) * Double(cells) }
    let (filled, held) = (Int(part(level.peak)), Int(part(level.held).rounded(.up)) - 1)
    let style: StyledText.Style = level.held > 0 ? .over : level.held > -6 ? .high : .usual
    let rest = (filled..<max(cells, filled)).map { $0 == held ? "│" : "░" }.joined()
    return StyledText(String(repeating: "█", count: filled), style) + StyledText(rest, .dim)
  }

  /// Six columns; nothing for what has no bar.
  private static func figure(_ level: Double) -> String { padded(level > -60 ? tenths(level) : "", 6, atEnd: false) }

  // MARK: - Figures

  private func message(_ width: Int) -> StyledText {
    guard let last = state.meters?.lastMessage else {
      return StyledText("midi  no message from a keyboard yet", .dim)
    }
    let channel = last.channel.map { "channel \(ChannelName.text(Int($0)))" } ?? ""
    return .row(
      [StyledText("midi  ", .dim) + StyledText(last.text), StyledText(channel), StyledText(oneLine(last.port))],
      width: width)
  }

  private func figures(_ width: Int) -> StyledText {
    let (output, meters) = (state.output, state.meters)
    let xruns = meters?.xruns ?? 0
    let rate = output.map { " at \(whole($0.sampleRate)) Hz" } ?? ""
    return .row(
      [
        StyledText("dsp   ", .dim)
          + StyledText(NumberFormatting.count(meters?.voices ?? 0, "voice", "voices")),
        StyledText("load \(whole(((meters?.load ?? 0) * 100).rounded(.up))) %"),
        StyledText(NumberFormatting.count(xruns, "xrun", "xruns"), xruns > 0 ? .over : .plain),
        StyledText(state.recordings.map(\.seconds).max().map { "rec \(clock(Double($0)))" } ?? "", .bold), microphone,
        StyledText(output.map { SessionReporter.text($0.latency) } ?? ""),
        StyledText(oneLine(output?.name ?? "") + rate),
      ], width: width)
  }

  private var microphone: StyledText {
    guard let microphone = state.microphone else { return StyledText() }
    if !microphone.isPresent { return StyledText("mic away") }
    return microphone.isMuted ? StyledText("mic muted") : StyledText("mic on", .over)
  }

  private func legend(_ width: Int) -> StyledText {
    let text = "── ! over 0 dB  M mute  S solo  • MIDI  │ peak "
    return StyledText(text + String(repeating: "─", count: max(0, width - columns(text))), .dim)
  }

  // MARK: - News and the line that is typed

  private func latestNews(_ width: Int, rows: Int) -> [StyledText] {
    let lines = news.suffix(rows).flatMap { filled($0, width) }.suffix(rows)
    return [StyledText](repeating: StyledText(), count: rows - lines.count) + lines.map { StyledText($0) }
  }

  private func prompt(_ width: Int) -> StyledText {
    guard let typed else { return StyledText("> type a command; help lists them, v closes this view", .dim) }
    return StyledText(Self.shown(typed, width))
  }

  /// Of a long line the end is seen.
  private static func shown(_ typed: String, _ width: Int) -> String {
    "> \(suffix(visible(typed), ofColumns: width - 3))"
  }
}
