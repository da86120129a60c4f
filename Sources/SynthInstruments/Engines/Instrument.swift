import SynthMIDI
import SynthRealtime
import SynthSoundFonts

/// What a channel can be assigned to play. Instruments of one type are played by one sound engine, which the type
/// loads.
public protocol Instrument: Sendable, Equatable {
  /// What assignments call it: "sampler", "warm-pad".
  var name: String { get }

  /// What people are told that a channel plays, where the engine has no presets; the name if nothing else is said.
  var title: String { get }

  /// Loads the engine that plays all instruments of this type in a rack. [control thread]
  static func load(_ loading: EngineLoading<Self>) throws(InstrumentError) -> LoadedEngine
}

extension Instrument {
  public var title: String { name }
}

/// What an engine is loaded for.
public struct EngineLoading<Playable: Instrument> {
  /// The instruments and their places, in the order of the assignments; never empty.
  public let parts: [InstrumentPart<Playable>]
  /// That of the rack which loads it.
  public let configuration: RackConfiguration
  /// In hertz.
  public let sampleRate: Double
  /// Presets that channels asked for and that were not loaded.
  package let askedPresets: Set<PresetRequest>
  /// Takes what channels ask for that is not loaded.
  package let presetRequests: RingBuffer<PresetRequest>
}

/// An instrument and its place in a rack. `EngineEvent.isFor(part:)` tells which of them a note is for.
public struct InstrumentPart<Playable: Instrument> {
  /// What was assigned.
  public let instrument: Playable
  let place: InstrumentPlace

  /// A bit for each channel.
  public var channels: UInt16 { place.channels }
  /// 0 to 127.
  public var keys: ClosedRange<UInt8> { place.lowKey...place.highKey }
}

/// A preset as a channel asks for it. FluidSynth substitutes another for one that a soundfont does not have.
package struct PresetRequest: BitwiseCopyable, Hashable, Sendable {
  package var isDrum: Bool
  /// 0 to 16383; drums have one of their own.
  package var bank: Int32
  /// Where the program is looked for that the bank does not have, before bank 0.
  package var fallbackBank: Int32
  package var program: Int32

  @_noLocks
  package init(isDrum: Bool, bank: Int32, fallbackBank: Int32 = 0, program: Int32) {
    self.isDrum = isDrum
    self.bank = bank
    self.fallbackBank = fallbackBank
    self.program = program
  }
}

/// Why an instrument could not be loaded.
public enum InstrumentError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file cannot be opened or read, for a reason in the system's words.
  case soundFontUnreadable(path: String, reason: String)
  /// The file is no soundfont, or so damaged that nothing of it can be played.
  case notASoundFont(path: String, reason: String)
  /// An audio file, or a folder of them, that is to be played as an instrument.
  case samplesUnreadable(path: String, reason: String)
  /// The soundfont has no preset of this bank and program.
  case presetMissing(path: String, bank: Int, program: Int)
  /// The bank in a song's file.
  case songBank(reason: String)
  /// libfluidsynth renders at 8 to 96 kHz.
  case sampleRateOutOfRange(Double)
  /// The system refused memory for voices or samples.
  case outOfMemory
  /// For engines of other modules.
  case notLoaded(instrument: String, reason: String)

  public var description: String {
    switch self {
    case .soundFontUnreadable(let path, let reason):
      "loading soundfont \(path): \(reason); give the path of an .sf2 or .sf3 file"
    case .notASoundFont(let path, let reason):
      "loading soundfont \(path): \(reason); give an .sf2 or .sf3 file"
    case .samplesUnreadable(let path, let reason):
      "loading samples \(path): \(reason); give a WAV, FLAC or AIFF file, mono or stereo, or a folder of them"
    case .presetMissing(let path, let bank, let program):
      "loading preset \(program) of bank \(bank) of \(path): it is not there; `synth font` lists those that are"
    case .songBank(let reason):
      "loading the bank in the song's file: \(reason); play the song without it"
    case .sampleRateOutOfRange(let rate):
      "making a sampler at \(rate) Hz: FluidSynth renders at 8000 to 96000 Hz; choose a rate in that range"
    case .outOfMemory:
      "making a sampler: out of memory"
    case .notLoaded(let instrument, let reason):
      "loading instrument \(instrument): \(reason)"
    }
  }
}

extension InstrumentError {
  /// The same about a font that an instrument was to play.
  package init(_ error: SoundFontError) {
    if error.isOfSamples {
      self = .samplesUnreadable(path: error.path, reason: error.reason)
    } else if case .cannotOpen = error.cause {
      self = .soundFontUnreadable(path: error.path, reason: error.reason)
    } else {
      self = .notASoundFont(path: error.path, reason: error.reason)
    }
  }
}

/// A sound engine in memory. The control thread makes and frees it; between the two, the audio thread alone touches its
/// state.
public final class LoadedEngine: @unchecked Sendable {
  let state: UnsafeMutableRawPointer
  let entry: RenderFunction
  let receivesAllNotes: Bool
  let presetName: (@Sendable (_ channel: Int, _ code: UInt32) -> ChannelPreset?)?
  /// The state, and what it points into.
  private let retained: [AnyObject]

  /// - Parameters:
  ///   - engine: moved into memory, and deinitialized with this object.
  ///   - retained: objects that the engine points into.
  ///   - receivesAllNotes: for an engine that follows all keys; `EngineEvent.isFor(part:)` is false for every part then
  ///     where a note is for others.
  ///   - presetName: the preset of a channel, 0 to 15, by the code that `SoundEngine.preset(ofChannel:)` gave; nil for
  ///     the titles of the instruments on that channel.
  public init<Engine: SoundEngine & ~Copyable>(
    _ engine: consuming Engine, retaining retained: [AnyObject] = [], receivesAllNotes: Bool = false,
    presetName: (@Sendable (_ channel: Int, _ code: UInt32) -> ChannelPreset?)? = nil
  ) {
    let box = Box(engine)
    state = UnsafeMutableRawPointer(box.pointer)
    entry = Engine.entry
    self.receivesAllNotes = receivesAllNotes
    self.retained = [box] + retained
    self.presetName = presetName
  }
}

/// What a channel plays, for people.
public struct ChannelPreset: Sendable, Hashable {
  /// The soundfont's name of it, or a patch's title.
  public let name: String
  /// The soundfont's bank, 128 for drums; nil where an engine has no banks.
  public let bank: Int?
  /// 0 to 127; nil where an engine has no programs.
  public let program: Int?

  public init(name: String, bank: Int? = nil, program: Int? = nil) {
    self.name = name
    self.bank = bank
    self.program = program
  }
}
