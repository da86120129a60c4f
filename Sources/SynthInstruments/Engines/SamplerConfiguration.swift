import SynthDSP
import SynthMIDI
import SynthRealtime

/// The settings of the sampler.
public struct SamplerConfiguration: Sendable {
  /// What plays the soundfonts.
  public var engine = SamplerEngine.native
  /// How the native engine reads waves.
  public var interpolation = Interpolation.sinc12
  /// The threads that share out the native engine's voices. The sound is the same, bit for bit.
  public var cores = RenderingCores(1)
  /// Paths of soundfonts, stacked: a preset is looked for in the last one first.
  public var soundFonts: [String]
  /// What the present song brings: presets are looked for there first. A pool does not keep it.
  public var bank: MIDIFile.Container.Bank?
  /// How many voices may sound at once, 1 to 65535; of the native engine up to 4096.
  public var polyphony: Int {
    didSet { polyphony = Self.clamped(polyphony) }
  }
  /// The factor of the amplitude, 0 to 10, for the oscillator voices too; 0.2 is FluidSynth's default, with headroom
  /// for a full score.
  public var linearGain: Double
  /// What is loaded before the sampler plays.
  public var preload: SamplerPreload
  /// Whether the samples of presets that are loaded are in memory before they play. Else the native engine has their
  /// pages come in as notes use them, which takes less memory and may wait for a disk: for rendering by hand.
  public var touchesSamples = true
  /// Keeps the samples where many samplers follow one another that load what is used; nil to read them again.
  public var pool: SoundFontPool?

  public init(
    soundFonts: [String], polyphony: Int = 256, linearGain: Double = 0.2, preload: SamplerPreload = .all,
    pool: SoundFontPool? = nil
  ) {
    self.soundFonts = soundFonts
    self.polyphony = Self.clamped(polyphony)
    self.linearGain = linearGain
    self.preload = preload
    self.pool = pool
  }

  private static func clamped(_ polyphony: Int) -> Int { min(max(polyphony, 1), 65535) }
}

/// Threads that share out what one thread renders else.
public struct RenderingCores: Sendable {
  /// The thread that renders included, from 1 on.
  public var count: Int
  /// Whether they ask for real-time scheduling, as they have to where a device waits for them.
  public var isRealTime: Bool
  /// Threads that are there already, and have a helper; nil to start them.
  package var team: WorkerTeam?

  public init(_ count: Int, isRealTime: Bool = false) {
    self.count = max(1, count)
    self.isRealTime = isRealTime
  }
}

/// Which presets of its soundfonts a sampler loads before it plays. The sound is the same, bit for bit; memory and the
/// time until the first note are not.
public enum SamplerPreload: Sendable {
  /// All of them: every program change takes effect at once.
  case all
  /// Those that notes of these songs have, and those that channels have at first. A channel that is given another
  /// program keeps the one it has until the rack has loaded that: see `RackNode.load(_:)` and
  /// `RackNode.loadAskedPresets()`.
  case used([Song])

  /// Nil for all presets, whatever the songs are.
  var songCount: Int? { if case .used(let songs) = self { songs.count } else { nil } }
}

extension SamplerConfiguration {
  /// The configuration that a song needs: with its bank, and its presets, if only those of songs are loaded.
  func playing(_ song: Song) -> SamplerConfiguration {
    var new = self
    new.bank = song.container?.bank
    let isNew = new.bank != bank
    guard case .used(let songs) = preload, isNew || !songs.contains(where: song.hasEvents) else { return new }
    // The bank is loaded already, or else is not needed.
    var kept = song
    kept.container = nil
    new.preload = .used(isNew ? [kept] : songs + [kept])
    return new
  }
}

extension RackNode {
  /// Loads what a song is to be played with: its own bank, which plays once the song begins, and until a song with
  /// another one or without begins; ports for all of its channels; and the presets of its notes, if the configuration
  /// loads only those of its songs.
  /// To be called before the song is played or queued. [control thread]
  public func load(_ song: Song) throws(InstrumentError) {
    try loadNext { present in
      var new = present
      new.sampler = present.sampler.playing(song)
      new.portCount = max(present.portCount, song.portCount)
      return new
    }
  }

  /// Loads all presets, if the configuration does not. [control thread]
  public func loadAllPresets() throws(InstrumentError) {
    try exchange { present in
      guard case .used = present.sampler.preload else { return nil }
      var new = present
      new.sampler.preload = .all
      return new
    }
  }

  /// Loads the presets that channels were given since the last call and that were not loaded; each channel then gets
  /// its preset. [control thread]
  public func loadAskedPresets() throws(InstrumentError) {
    try exchange { takePresetRequests() ? $0 : nil }
  }
}
