/// A part of a song that a player ought to repeat, as the file says.
public struct LoopPoints: Hashable, Sendable {
  /// A moment of the song.
  public struct Moment: Hashable, Sendable {
    /// Ticks from the start of the song.
    public let tick: UInt32
    /// Seconds from the start of the song.
    public let seconds: Double
  }

  /// Where the player goes back to.
  public let start: Moment
  /// Where it goes back from; the end of the song, where a file gives no end.
  public let end: Moment
  /// How many times it goes back; nil for ever.
  public let repeats: Int?
  /// How the file says it.
  public let convention: Convention

  /// The ways in which files give loop points; no standard has any.
  public enum Convention: String, CaseIterable, Sendable {
    /// Markers `loopStart` and `loopEnd`: Final Fantasy VII for Windows, and Sekaiju, libADLMIDI, foo_midi and Woof
    /// after it.
    case markers
    /// Markers `[` and `]`: Nintendo's tool for the Game Boy Advance (`mid2agb`).
    case brackets
    /// Controller 111: RPG Maker. It goes back from the end of the song.
    case rpgMaker
    /// Controllers 110 and 111: Descent, whose sound system was HMI's, and LeapFrog's toys, where the value of 110 is
    /// how many times it is repeated (libADLMIDI issue 175, foo_midi issue 45).
    case controllers110And111
    /// Controllers 116 and 117, for each track: Apogee's EMIDI. The value of 116 is how many times it is repeated, 0
    /// for ever (EMIDI API 1.1).
    case emidiTrack
    /// Controllers 118 and 119, for all tracks at once: EMIDI.
    case emidiSong
    /// Controllers 102 to 105, for each channel: start and end with the number of the loop, 104 the times it is played,
    /// 105 the same less 128 (Nintendo 64 Programming Manual, 20.5.1).
    case nintendo64
    /// Controllers 2 and 4 of value 0 in a file of one track: Touhou 6 to 9 (foo_midi's "Touhou loops").
    case touhou
    /// Controllers 116 and 117 in Miles' XMIDI, for a whole song and nested. The value of 116 is how many times it is
    /// played, 0 for ever; values of 117 below 64 leave the loop (Miles Sound System SDK 7.2a).
    case xmidi

    /// The controllers that say it; none where markers do.
    package var controllers: [UInt8] {
      switch self {
      case .markers, .brackets: []
      case .rpgMaker: [111]
      case .controllers110And111: [110, 111]
      case .emidiTrack, .xmidi: [116, 117]
      case .emidiSong: [118, 119]
      case .nintendo64: [102, 103, 104, 105]
      case .touhou: [2, 4]
      }
    }
  }
}

extension LoopPoints.Convention: CustomStringConvertible {
  public var description: String {
    switch self {
    case .markers: "markers loopStart, loopEnd"
    case .brackets: "markers [ and ]"
    case .rpgMaker: "controller 111"
    case .controllers110And111: "controllers 110, 111"
    case .emidiTrack, .xmidi: "controllers 116, 117"
    case .emidiSong: "controllers 118, 119"
    case .nintendo64: "controllers 102, 103"
    case .touhou: "controllers 2, 4"
    }
  }
}

extension Song {
  /// What the song says about repeating, convention by convention, in the order in which a player might prefer them;
  /// of one convention by time. Tracks or channels that agree give one entry. Looks through the whole song.
  public var loopPoints: [LoopPoints] { LoopFinder(self).all }
}

/// Finds the loop points of each convention.
private struct LoopFinder {
  /// A place at which something about a loop is said.
  private struct Sign {
    let tick: UInt32
    let isStart: Bool
    /// Of a start.
    var repeats: Int?
  }

  private let song: Song
  /// The control changes that may matter, in order.
  private let controls: [(tick: UInt32, track: UInt32, channel: UInt8, controller: UInt8, value: UInt8)]

  init(_ song: Song) {
    self.song = song
    controls = song.events.compactMap { event in
      let message = event.message
      guard message.kind == .controlChange else { return nil }
      let controller = message.controller.rawValue
      guard controller == 2 || controller == 4 || (102...119).contains(controller) else { return nil }
      return (event.tick, event.track, UInt8(message.channelIndex), controller, message.value7)
    }
  }

  var all: [LoopPoints] {
    if song.kind == .xmidi { return xmidi }
    return markers(.markers, "loopstart", "loopend") + markers(.brackets, "[", "]") + emidi(.emidiSong, start: 118)
      + emidi(.emidiTrack, start: 116) + controllers110And111 + rpgMaker + nintendo64 + touhou
  }

  private func markers(_ convention: LoopPoints.Convention, _ start: String, _ end: String) -> [LoopPoints] {
    let signs = song.texts.compactMap { text -> Sign? in
      guard text.type == .marker || text.type == .text, text.string.utf8.count < 16 else { return nil }
      let word = text.string.filter { !$0.isWhitespace }.lowercased()
      if word == start { return Sign(tick: text.tick, isStart: true) }
      return word == end ? Sign(tick: text.tick, isStart: false) : nil
    }
    return loops(convention, [signs])
  }

  /// Each track is a group, or each channel where all stand in one track.
  private func emidi(_ convention: LoopPoints.Convention, start: UInt8) -> [LoopPoints] {
    let signs = controls.filter { $0.controller == start || $0.controller == start + 1 }
    let groups = Dictionary(grouping: signs) { $0.track << 6 | UInt32($0.channel) }
    return loops(
      convention,
      groups.values.map { group in
        group.map {
          Sign(
            tick: $0.tick, isStart: $0.controller == start,
            repeats: $0.value == 0 ? nil : Int($0.value))
        }
      })
  }

  /// Whether the file has EMIDI's own controllers, of which 110 and 111 have nothing to do with loops.
  private var isEMIDI: Bool { controls.contains { (112...119).contains($0.controller) } }

  /// An end follows each start, or it is EMIDI, which says 110 at the start of each track.
  private var controllers110And111: [LoopPoints] {
    let signs = controls.filter { $0.controller == 110 || $0.controller == 111 }
    let isAlternating = signs.enumerated().allSatisfy { $1.controller == ($0 % 2 == 0 ? 110 : 111) }
    guard signs.count > 1, isAlternating, !isEMIDI else { return [] }
    return loops(
      .controllers110And111,
      [
        signs.map {
          // 127 is the most there can be.
          Sign(
            tick: $0.tick, isStart: $0.controller == 110,
            repeats: $0.value == 0 || $0.value == 127 ? nil : Int($0.value))
        }
      ])
  }

  private var rpgMaker: [LoopPoints] {
    guard let start = controls.first(where: { $0.controller == 111 }), !isEMIDI,
      !controls.contains(where: { $0.controller == 110 })
    else { return [] }
    return loops(.rpgMaker, [[Sign(tick: start.tick, isStart: true)]])
  }

  private var nintendo64: [LoopPoints] {
    var open: [UInt8: [(tick: UInt32, number: UInt8, count: Int)]] = [:]
    var found: [LoopPoints] = []
    for sign in controls {
      switch sign.controller {
      case 102:
        // A number that is begun again was never ended, so there are at most 128.
        open[sign.channel]?.removeAll { $0.number == sign.value }
        open[sign.channel, default: []].append((sign.tick, sign.value, 0))
      case 104, 105:
        guard var present = open[sign.channel]?.popLast() else { continue }
        present.count = Int(sign.value) + (sign.controller == 105 ? 128 : 0)
        open[sign.channel, default: []].append(present)
      case 103:
        guard let present = open[sign.channel], let place = present.lastIndex(where: { $0.number == sign.value })
        else { continue }
        // Loops nest, so what was opened within it and is still open never ends.
        open[sign.channel] = Array(present[..<place])
        let start = present[place]
        if start.count != 1 {
          found += loop(.nintendo64, start.tick, sign.tick, start.count == 0 ? nil : start.count - 1)
        }
      default: break
      }
    }
    return inOrder(found)
  }

  private var xmidi: [LoopPoints] {
    var open: [UInt32: [(tick: UInt32, count: Int)]] = [:]
    var found: [LoopPoints] = []
    for sign in controls {
      if sign.controller == 116 { open[sign.track, default: []].append((sign.tick, Int(sign.value))) }
      guard sign.controller == 117, let start = open[sign.track]?.popLast(), sign.value >= 64, start.count != 1 else {
        continue
      }
      found += loop(.xmidi, start.tick, sign.tick, start.count == 0 ? nil : start.count - 1)
    }
    return inOrder(found)
  }

  private var touhou: [LoopPoints] {
    let signs = controls.filter { $0.controller == 2 || $0.controller == 4 }
    guard signs.map(\.controller) == [2, 4], signs.allSatisfy({ $0.value == 0 }),
      song.events.allSatisfy({ $0.track == 0 })
    else { return [] }
    return loop(.touhou, signs[0].tick, signs[1].tick, nil)
  }

  /// Pairs the signs of each group: an end with the first start since the last end. Without an end, the end of the song
  /// is meant; an end before any start goes back to the start of the song.
  private func loops(_ convention: LoopPoints.Convention, _ groups: [[Sign]]) -> [LoopPoints] {
    var found: [LoopPoints] = []
    for signs in groups {
      var open: Sign?
      var isFirst = true
      for sign in signs {
        if sign.isStart {
          open = open ?? sign
          continue
        }
        if let start = open ?? (isFirst ? Sign(tick: 0, isStart: true) : nil) {
          found += loop(convention, start.tick, sign.tick, start.repeats)
        }
        (open, isFirst) = (nil, false)
      }
      if let open { found += loop(convention, open.tick, nil, open.repeats) }
    }
    return inOrder(found)
  }

  private func inOrder(_ loops: [LoopPoints]) -> [LoopPoints] {
    Set(loops).sorted {
      ($0.start.tick, $0.end.tick, $0.repeats ?? .max) < ($1.start.tick, $1.end.tick, $1.repeats ?? .max)
    }
  }

  /// The loop, unless it is empty.
  private func loop(
    _ convention: LoopPoints.Convention, _ start: UInt32, _ end: UInt32?, _ repeats: Int?
  ) -> [LoopPoints] {
    let end = end ?? song.tempoMap.tick(at: song.duration)
    guard start < end else { return [] }
    func moment(_ tick: UInt32) -> LoopPoints.Moment { .init(tick: tick, seconds: song.tempoMap.seconds(at: tick)) }
    return [LoopPoints(start: moment(start), end: moment(end), repeats: repeats, convention: convention)]
  }
}
