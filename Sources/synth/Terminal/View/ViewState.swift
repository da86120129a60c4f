import SynthKit
import SynthMIDI

/// What the view shows, collected from what a control surface tells its clients.
struct ViewState {
  /// A channel's part of the mix.
  struct Strip {
    var name = ""
    var level = StripLevel()
    var isMuted = false
    var isSoloed = false
    /// How many messages have come, and until when the last one is shown.
    var messageCount = 0
    var activeUntil = 0.0
  }

  /// In decibels.
  struct StripLevel {
    var peak = -120.0
    var held = -120.0
    /// Whether it has been beyond full scale.
    var hasClipped = false

    mutating func take(_ peak: Double, held: Double) {
      (self.peak, self.held) = (peak, held)
      if max(peak, held) > 0 { hasClipped = true }
    }
  }

  /// How long a mark shows that a message has come, in seconds.
  private static let activity = 0.25

  private(set) var strips = [Strip](repeating: Strip(), count: 16)
  /// Left and right of everything.
  private(set) var main = [StripLevel](repeating: StripLevel(), count: 2)
  /// The latest levels and figures; nil before the first.
  private(set) var meters: SurfaceMeters?
  /// Whether there is anything to show yet.
  private(set) var isKnown = false
  private(set) var fonts: [String] = []
  private(set) var preset: String?
  /// The types of effects that are on.
  private(set) var effects: [Synthesizer.Effect: String] = [:]
  private(set) var gain = 0.0
  private(set) var song: SurfaceSong?
  private(set) var songs: SurfaceSongs?
  private(set) var keyboards: [String] = []
  private(set) var recordings: [SurfaceRecording] = []
  private(set) var microphone: SurfaceMicrophone?
  private(set) var output: SurfaceOutput?

  /// When the levels were measured.
  var time: Double { meters?.time ?? 0 }

  mutating func take(_ news: SurfaceNews) {
    switch news {
    case .state(let sections), .change(let sections):
      isKnown = true
      for section in sections { take(section) }
    case .meters(let meters): take(meters)
    case .greeting, .answer, .changed, .entry: break
    }
  }

  private mutating func take(_ section: SurfaceSection) {
    switch section {
    case .channels(let channels): channels.forEach { take($0) }
    case .fonts(let fonts): self.fonts = fonts.paths
    case .equalizer(let equalizer): preset = equalizer.preset
    case .effect(let effect, let present): effects[effect] = present.type
    case .gain(let level): gain = level
    case .song(let song): self.song = song
    case .songs(let songs): self.songs = songs
    case .keyboards(let names): keyboards = names
    case .recordings(let files, _): recordings = files
    case .microphone(let microphone): self.microphone = microphone
    case .output(let output): self.output = output
    case .instruments, .inserts, .buses, .metronome, .snapshots, .learned, .position, .effects, .log: break
    }
  }

  private mutating func take(_ channel: SurfaceChannel) {
    guard (0..<MIDIPorts.channelCount).contains(channel.channel) else { return }
    while strips.count <= channel.channel { strips.append(Strip()) }
    let isSampler = channel.instrument == "sampler"
    strips[channel.channel].name = isSampler ? channel.preset?.name ?? "" : channel.instrument
    strips[channel.channel].isMuted = channel["mute"]?.bool ?? false
    strips[channel.channel].isSoloed = channel["solo"]?.bool ?? false
  }

  private mutating func take(_ meters: SurfaceMeters) {
    self.meters = meters
    for (place, (peak, held)) in zip(meters.channels, meters.held).enumerated() where strips.indices.contains(place) {
      strips[place].level.take(peak.max(), held: held.max())
    }
    for side in main.indices { main[side].take(meters.main[side], held: meters.mainHeld[side]) }
    for (place, count) in meters.messageCounts.enumerated() where strips.indices.contains(place) {
      if count > strips[place].messageCount { strips[place].activeUntil = time + Self.activity }
      strips[place].messageCount = count
    }
  }
}
