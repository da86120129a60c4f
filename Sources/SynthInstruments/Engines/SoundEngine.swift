import AudioGraph
import SynthMIDI
import SynthRealtime

/// The render side of a sound engine: a struct in raw memory that plays events and renders quanta. [audio thread]
///
/// Its functions neither allocate, lock, wait nor throw; mark them `@_noLocks`. The rack calls them through one C
/// function pointer, which the engine writes down, because it cannot be formed in a generic context:
///
///     static let entry: RenderFunction = { EngineCall.at($1).perform(on: $0, as: Square.self) }
public protocol SoundEngine: ~Copyable {
  /// Plays an event, which the performance has followed already. Notes come only for the engine's channels and keys,
  /// all other events always. All events of a quantum come before it is rendered.
  mutating func play(_ event: EngineEvent)

  /// Adds a quantum to the buses and reports on it.
  mutating func render(_ quantum: inout EngineQuantum)

  /// Returns to the initial state, as the performance has done: between songs, and for the resets of GM, GS and XG.
  mutating func reset(_ reset: EngineReset)

  /// Becomes the engine of a performance that has begun. It has played nothing yet. Not needed by an engine that reads
  /// what channels were told from the performance.
  mutating func takeOver(_ handover: EngineHandover)

  /// A number for the preset of a channel, 0 for none; 1 where an engine has no presets. The name belonging to it is
  /// given by `LoadedEngine.presetName`. Asked only for channels that the engine plays; of several engines on a channel
  /// the first with a preset names it.
  func preset(ofChannel channel: Int) -> UInt32

  /// What the rack calls, with the engine's memory and an `EngineCall`.
  static var entry: RenderFunction { get }
}

extension SoundEngine where Self: ~Copyable {
  @_noLocks
  public mutating func takeOver(_ handover: EngineHandover) {}

  @_noLocks
  public func preset(ofChannel channel: Int) -> UInt32 { 1 }
}

/// One call of a function of a sound engine. [audio thread]
public enum EngineCall {
  /// Play an event at its frame.
  case play(UnsafePointer<EngineEvent>)
  /// Add a quantum of all voices to the channels' buses.
  case render(UnsafeMutablePointer<EngineQuantum>)
  /// End notes, and forget as far as the reset says.
  case reset(UnsafePointer<EngineReset>)
  /// Begin within a performance that another engine has played so far.
  case takeOver(UnsafePointer<EngineHandover>)
  /// Tell which preset a channel plays.
  case preset(UnsafeMutablePointer<EnginePreset>)

  /// The argument of `SoundEngine.entry`.
  @inlinable
  public static func at(_ argument: UnsafeMutableRawPointer) -> EngineCall {
    argument.assumingMemoryBound(to: EngineCall.self).pointee
  }

  /// Calls the engine in a place in memory.
  @inlinable
  public func perform<Engine: SoundEngine & ~Copyable>(on state: UnsafeMutableRawPointer, as type: Engine.Type) {
    let engine = state.assumingMemoryBound(to: Engine.self)
    switch self {
    case .play(let event): engine.pointee.play(event.pointee)
    case .render(let quantum): engine.pointee.render(&quantum.pointee)
    case .reset(let reset): engine.pointee.reset(reset.pointee)
    case .takeOver(let handover): engine.pointee.takeOver(handover.pointee)
    case .preset(let preset): preset.pointee.code = engine.pointee.preset(ofChannel: preset.pointee.channel)
    }
  }
}

/// An event as an engine plays it. [audio thread]
public struct EngineEvent {
  /// What was played: of a note, with the key and the velocity that its part gives it.
  public internal(set) var message: MIDIMessage
  /// What it asks of voices.
  public internal(set) var action: EngineAction
  /// What a System Exclusive message says. Resets come as `SoundEngine.reset`.
  public let systemExclusive: SystemExclusive
  /// The frame of the next quantum at which it is due, 0 to 63. An engine may play it at the start of the quantum.
  public let frame: Int
  /// Of a note that begins, the number by which `EngineQuantum.sounds` records it; a voice keeps it. 0 for none.
  public let number: UInt32
  /// What the channels were told, this event included.
  public let performance: UnsafePointer<Performance>
  /// Where the instruments of the engine play.
  var places: InstrumentPlaces

  /// Lets the performance follow a message.
  ///
  /// - Parameters:
  ///   - frame: from the start of the next quantum; what is late is due at once.
  ///   - number: in the log of notes.
  ///   - places: of the engine that plays it.
  @_noLocks
  package init(
    _ message: MIDIMessage, _ systemExclusive: SystemExclusive = .other, frame: Int64 = 0,
    number: UInt32 = 0, followedBy performance: UnsafeMutablePointer<Performance>,
    places: InstrumentPlaces = InstrumentPlaces()
  ) {
    let message = performance.pointee.sounding(message)
    self.message = message
    self.systemExclusive = systemExclusive
    self.frame = Int(min(max(frame, 0), Int64(renderQuantum) &- 1))
    self.number = number
    action = performance.pointee.follow(message, systemExclusive)
    self.performance = UnsafePointer(performance)
    self.places = places
  }

  /// Whether a note is for an instrument of the engine, by its number in `EngineLoading.parts`. Members of an MPE zone
  /// play their master's.
  @_noLocks
  public func isFor(part: Int) -> Bool { isFor(part: part, key: message.note) }

  /// The same for another key of the channel.
  @_noLocks
  func isFor(part: Int, key: UInt8) -> Bool {
    places[part].contains(key, performance.pointee.zones.master(of: message.channel))
  }

  /// Whether it tunes a key that sounds.
  @_noLocks
  public func retunes(_ key: UInt8, on channel: UInt8) -> Bool {
    switch action {
    case .tune(let change):
      change.retunes(key, channel: channel, address: performance.pointee.tuningAddress(channel))
    default: false
    }
  }
}

/// A quantum to render, and what the engine tells about it. [audio thread]
public struct EngineQuantum {
  /// Its output buses are the 16 channels of the engine's port, in stereo. A bus that `isSilent` holds zeros; who adds
  /// to it lowers the flag.
  public internal(set) var context: RenderContext
  /// What the channels were told so far.
  public internal(set) var performance: UnsafePointer<Performance>
  /// So many quanta, from this one on, are rendered before the engine is given another event, 1 to `longestCalm`: an
  /// engine may render all of them at once.
  public internal(set) var calmLength = 1
  /// 11 ms at 48 kHz; longer ones are told of piece by piece.
  public static var longestCalm: Int {
    @_noLocks get { 8 }
  }
  /// How many voices sound; the engine adds its own.
  public var voiceCount = 0
  /// How many voices of new notes could not be had since the last quantum; the engine adds its own.
  public var lostVoiceCount = 0
  /// How many voices that had been heard were ended for others since the last quantum; the engine adds its own.
  public var stolenVoiceCount = 0
  /// Whether nothing will sound until the next note; the engine lowers it.
  public var isSilent = true
  /// Whether a channel may have got another preset; the engine raises it.
  public var hasNewPresets = false
  /// The rack's.
  var gain: Float = 1
  /// Memory of the rack's.
  let corrections: UnsafeMutablePointer<SendCorrections>
  private let notes: NoteMemory?

  @_noLocks
  init(
    _ context: RenderContext, _ performance: UnsafePointer<Performance>, _ notes: NoteMemory?, calmLength: Int,
    _ corrections: UnsafeMutablePointer<SendCorrections>
  ) {
    self.corrections = corrections
    self.calmLength = calmLength
    self.context = context
    self.performance = performance
    self.notes = notes
  }

  /// Whether the engine is to tell which notes sound. Else it need not call `sounds` and `stole`, which do nothing.
  public var isRecording: Bool {
    @_noLocks get { notes != nil }
  }

  /// Records that a voice of a note sounds in this quantum; for every voice, in every quantum, until it has ended.
  ///
  /// - Parameters:
  ///   - number: `EngineEvent.number` of the note.
  ///   - frame: where in the quantum it begins; 0 for one that goes on.
  @_noLocks
  public func sounds(_ number: UInt32, from frame: Int = 0) {
    guard let trace = notes?.trace(of: number) else { return }
    trace.pointee.start = min(trace.pointee.start, context.sampleTime &+ Int64(frame))
    trace.pointee.end = max(trace.pointee.end, context.sampleTime &+ Int64(renderQuantum))
  }

  /// Records that a voice of a note was ended because another note needed it. It may fade, and sounds until then.
  @_noLocks
  public func stole(_ number: UInt32) { notes?.trace(of: number)?.pointee.isStolen = true }

  /// What a channel's left and right are multiplied by at the end of the quantum: volume, expression and pan of the
  /// channel, volume and expression of its zone's master, and the rack's gain. The engine applies it, in a ramp; the
  /// mixer does not.
  ///
  /// Volume and expression are squares: 40·log₁₀ of their values in dB (General MIDI 2, "Channel Volume" and
  /// "Expression"). Pan has constant power: 0.707 on both sides in the middle.
  @_noLocks
  public func amplitude(ofChannel channel: Int) -> SIMD2<Float> {
    let channels = performance.pointee.channels
    let pan = channels[channel].pan
    var level = channels[channel].volume * channels[channel].expression
    let master = Int(performance.pointee.zones.master(of: UInt8(truncatingIfNeeded: channel)))
    if master != channel { level *= channels[master].volume * channels[master].expression }
    let amplitude = gain * level * level * performance.pointee.offsets(UInt8(truncatingIfNeeded: channel)).amplitude
    return SIMD2(squareRoot(1 - pan), squareRoot(pan)) * amplitude
  }
}

/// A reset of an engine. [audio thread]
public struct EngineReset {
  /// What the channels were told so far.
  public let performance: UnsafePointer<Performance>
  /// Whether the next sound is to be the same, bit for bit, as that of a new engine, and what sounds ends at once. Else
  /// what sounds may fade.
  public let isComplete: Bool
  /// The message that asks for it; nil where none does, between two songs.
  public let message: SystemReset?

  @_noLocks
  package init(_ performance: UnsafePointer<Performance>, isComplete: Bool, message: SystemReset? = nil) {
    self.performance = performance
    self.isComplete = isComplete
    self.message = message
  }
}

/// What an engine begins with that comes into a performance. [audio thread]
public struct EngineHandover {
  /// What the channels were told so far.
  public let performance: UnsafePointer<Performance>
  /// The engine of the same type that played before, which goes on with the notes it began; nil for none.
  public let predecessor: UnsafeMutableRawPointer?

  @_noLocks
  init(_ performance: UnsafePointer<Performance>, from predecessor: UnsafeMutableRawPointer?) {
    self.performance = performance
    self.predecessor = predecessor
  }
}

/// A question for the preset of a channel, and its answer. [audio thread]
public struct EnginePreset {
  /// 0 to 15.
  public let channel: Int
  /// The engine's number of the preset; 0 for none.
  public var code: UInt32 = 0

  @_noLocks
  init(ofChannel channel: Int) { self.channel = channel }
}
