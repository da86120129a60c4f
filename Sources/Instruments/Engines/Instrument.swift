import MIDI
import Realtime

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
  public let configuration: RackConfiguration
  /// In hertz.
  public let sampleRate: Double
  /// Presets that channels asked for and that were not loaded.
  let askedPresets: Set<PresetRequest>
  /// Takes what channels ask for that is not loaded.
  let presetRequests: RingBuffer<PresetRequest>
}

/// An instrument and its place in a rack. `EngineEvent.isFor(part:)` tells which of them a note is for.
public struct InstrumentPart<Playable: Instrument> {
  public let instrument: Playable
  let place: InstrumentPlace

  /// A bit for each channel.
  public var channels: UInt16 { place.channels }
  /// 0 to 127.
  public var keys: ClosedRange<UInt8> { place.lowKey...place.highKey }
}

/// The channels and keys that an instrument plays.
struct InstrumentPlace: BitwiseCopyable, Hashable {
  /// A bit for each channel.
  var channels: UInt16
  var lowKey: UInt8 = 0
  var highKey: UInt8 = 127

  /// - Parameter channel: of a member of a zone, its master.
  @_noLocks
  func contains(_ key: UInt8, _ channel: UInt8) -> Bool {
    channels & (1 &<< UInt16(channel & 15)) != 0 && key >= lowKey && key <= highKey
  }
}

/// The places of an engine's instruments, in memory that the rack owns. [audio thread]
struct InstrumentPlaces: BitwiseCopyable {
  private(set) var count = 0
  private var places: UnsafeMutablePointer<InstrumentPlace>?

  /// None.
  @_noLocks
  init() {}

  init(_ places: [InstrumentPlace]) {
    count = places.count
    let memory = UnsafeMutablePointer<InstrumentPlace>.allocate(capacity: count)
    for index in 0..<count { (memory + index).initialize(to: places[index]) }
    self.places = memory
  }

  func free() { places?.deallocate() }

  subscript(index: Int) -> InstrumentPlace {
    @_noLocks get {
      guard let places, index < count else { return InstrumentPlace(channels: 0) }
      return places[index]
    }
  }

  /// - Parameter channel: of a member of a zone, its master.
  @_noLocks
  func contain(_ key: UInt8, _ channel: UInt8) -> Bool {
    for index in 0..<count where self[index].contains(key, channel) { return true }
    return false
  }

  /// The channels of all of them, a bit each.
  var channels: UInt16 { (0..<count).reduce(0) { $0 | self[$1].channels } }
}

/// A preset as a channel asks for it. FluidSynth substitutes another for one that a soundfont does not have.
struct PresetRequest: BitwiseCopyable, Hashable, Sendable {
  var isDrum: Bool
  /// 0 to 16383; drums have one of their own.
  var bank: Int32
  var program: Int32

  @_noLocks
  init(isDrum: Bool, bank: Int32, program: Int32) {
    self.isDrum = isDrum
    self.bank = bank
    self.program = program
  }
}

/// Why an instrument could not be loaded.
public enum InstrumentError: Error, Equatable, Sendable, CustomStringConvertible {
  case soundFontUnreadable(path: String, reason: String)
  case notASoundFont(path: String, reason: String)
  case sampleRateOutOfRange(Double)
  case outOfMemory
  /// For engines of other modules.
  case notLoaded(instrument: String, reason: String)

  public var description: String {
    switch self {
    case .soundFontUnreadable(let path, let reason):
      "loading soundfont \(path): \(reason); give the path of an .sf2 or .sf3 file"
    case .notASoundFont(let path, let reason):
      "loading soundfont \(path): \(reason); give an .sf2 or .sf3 file"
    case .sampleRateOutOfRange(let rate):
      "making a sampler at \(rate) Hz: FluidSynth renders at 8000 to 96000 Hz; choose a rate in that range"
    case .outOfMemory:
      "making a sampler: out of memory"
    case .notLoaded(let instrument, let reason):
      "loading instrument \(instrument): \(reason)"
    }
  }
}
