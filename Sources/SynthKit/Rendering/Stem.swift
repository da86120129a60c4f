import SynthInstruments
import SynthMIDI

/// What the mix of a song is divided into.
public enum StemDivision: String, CaseIterable, Sendable {
  /// Each channel with notes.
  case channel
  /// Each track of the file with notes.
  case track
  /// Drums, and all that is not drums.
  case drums
}

/// A part of a song's mix before equalizer and limiter, in stereo: channels, dry and before their inserts, or what an
/// effect returns.
public struct Stem: Hashable, Sendable {
  /// Where it is taken from.
  public enum Source: Hashable, Sendable {
    /// MIDI channels. Several are added in their order.
    case channels(ChannelSet)
    /// A track, counted from 0, that shares a channel with others. It sounds by itself in a pass after the song's: on
    /// the channels as the whole song sets them, but without other tracks' notes. So it lacks what notes do to each
    /// other there: voices that are stolen, keys struck again, drums that end others, mono mode. A voice of FluidSynth
    /// that has sounded before begins its first 64 frames at the gain it had, so these differ too.
    case track(Int)
    /// What the effect returns, of all channels.
    case reverb, chorus, delay
  }

  /// What of the song it has.
  public let source: Source
  /// What it is, as a file's name without extension: "03 Acoustic Bass". Names of a song differ, and sort in the order
  /// in which the mix adds its stems.
  public let name: String

  public init(_ source: Source, name: String) {
    self.source = source
    self.name = name
  }

  var isTrack: Bool { if case .track = source { true } else { false } }
}

extension Synthesizer {
  /// The stems that a song has here, in the order of their names: parts with notes, then reverb and chorus, and the
  /// delay if the song uses it, unless they are left out.
  ///
  /// Divided by channel and added in this order to silence, in Float, they are the mix before equalizer and limiter bit
  /// for bit, while nothing is inserted and the faders of `mixer` and `mainMixer` stand as they do at first. Drums and
  /// tracks are added in another order than the mix has, so there the sum is the mix to within rounding, and where
  /// tracks share channels, to within what `Stem.Source.track` lacks.
  public func stems(of song: Song, by division: StemDivision) -> [Stem] {
    let song = song.routed(by: instruments.events.routes)
    let channels = song.channels
    let parts: [Stem] =
      switch division {
      case .track:
        trackStems(of: song) { channel in channels.first { $0.number == channel }.map(title(of:)) ?? "" }
      case .channel:
        channels.map { Stem(.channels([Int($0.number)]), name: "\(Self.number($0)) \(title(of: $0))") }
      case .drums:
        [("01 Drums", channels.filter(\.isDrums)), ("02 Rest", channels.filter { !$0.isDrums })].map { name, channels in
          Stem(.channels(channels.reduce(into: []) { $0.insert(Int($1.number)) }), name: name)
        }
      }
    let returns = [
      (Effect.reverb, Stem(.reverb, name: "FX1 Reverb")), (.chorus, Stem(.chorus, name: "FX2 Chorus")),
      (.delay, Stem(.delay, name: "FX3 Delay")),
    ]
    let used = returns.filter { isAttached($0.0) && ($0.0 != .delay || song.usesDelay) }
    return parts + used.map(\.1)
  }

  /// What a channel plays first.
  private func title(of channel: SongInfo.Channel) -> String {
    let assignments = instruments.configuration.assignments
    let own = assignments.filter { $0.channel == channel.number }
    let titles = (own.isEmpty ? assignments.filter { $0.channel == nil } : own).map(\.instrument.title)
    if !titles.isEmpty, titles != [SamplerInstrument().title] {
      return FileNames.safe(titles.joined(separator: " + "))
    }
    return channel.isDrums ? "Drums" : GeneralMIDI.name(ofProgram: channel.programs.first?.number ?? 0)
  }

  /// "03", or "B03" on the second port.
  private static func number(_ channel: SongInfo.Channel) -> String {
    let (port, number) = (Int(channel.number) / 16, Int(channel.number) % 16 + 1)
    return (port == 0 ? "" : ChannelName.port(port)) + (number < 10 ? "0\(number)" : "\(number)")
  }
}

extension SongInfo.Channel {
  /// Whether its first note is one of drums.
  fileprivate var isDrums: Bool { programs.first?.isDrums ?? false }
}

/// Names for files.
enum FileNames {
  /// No system takes longer ones than 255 bytes; number and extension need some.
  private static let mostBytes = 200

  /// A text as a part of a file's name that every file system takes.
  static func safe(_ text: String) -> String {
    var name = ""
    for character in text {
      let isRefused = character.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
      let next = isRefused || #"<>:"/\|?*"#.contains(character) ? "-" : character
      guard name.utf8.count + next.utf8.count <= mostBytes else { break }
      name.append(next)
    }
    while let last = name.last, last == " " || last == "." { name.removeLast() }
    return name
  }
}
