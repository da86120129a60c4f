import AudioGraph
import MIDI
import Realtime

/// The render side of a sound engine: a struct in raw memory that plays events and renders quanta. [audio thread]
///
/// Its functions neither allocate, lock, wait nor throw; mark them `@_noLocks`. The rack calls them through C function
/// pointers, so the engine writes its table down once, because a C function pointer cannot be formed in a generic
/// context:
///
///     static let entries = EngineEntries(
///       play: { $0.assumingMemoryBound(to: Square.self).pointee.play(EngineEvent.at($1)) },
///       render: { $0.assumingMemoryBound(to: Square.self).pointee.render(&EngineQuantum.at($1).pointee) },
///       reset: { $0.assumingMemoryBound(to: Square.self).pointee.reset(EngineReset.at($1)) },
///       takeOver: { $0.assumingMemoryBound(to: Square.self).pointee.takeOver(EngineHandover.at($1)) },
///       preset: { EnginePreset.at($1).pointee.code = $0.assumingMemoryBound(to: Square.self).pointee
///         .preset(ofChannel: EnginePreset.at($1).pointee.channel) })
public protocol SoundEngine: ~Copyable {
  /// Plays an event, which the performance has followed already. Notes come only for the engine's channels and keys,
  /// all other events always.
  mutating func play(_ event: EngineEvent)

  /// Adds a quantum to the buses and reports on it.
  mutating func render(_ quantum: inout EngineQuantum)

  /// Returns to the initial state, as the performance has done.
  mutating func reset(_ reset: EngineReset)

  /// Becomes the engine of a performance that has begun. It has played nothing yet.
  mutating func takeOver(_ handover: EngineHandover)

  /// A number for the preset of a channel; 0 for none. The name belonging to it is given by `LoadedEngine.presetName`.
  func preset(ofChannel channel: Int) -> UInt32

  /// The functions above, as the rack calls them.
  static var entries: EngineEntries { get }
}

/// The functions of a sound engine: each takes the engine's memory and one argument.
public struct EngineEntries: Sendable {
  let play: RenderFunction
  let render: RenderFunction
  let reset: RenderFunction
  let takeOver: RenderFunction
  let preset: RenderFunction

  /// - Parameters:
  ///   - play: its argument is an `EngineEvent`.
  ///   - render: its argument is an `EngineQuantum`, which it changes.
  ///   - reset: its argument is an `EngineReset`.
  ///   - takeOver: its argument is an `EngineHandover`.
  ///   - preset: its argument is an `EnginePreset`, whose code it sets.
  public init(
    play: @escaping RenderFunction, render: @escaping RenderFunction, reset: @escaping RenderFunction,
    takeOver: @escaping RenderFunction, preset: @escaping RenderFunction
  ) {
    self.play = play
    self.render = render
    self.reset = reset
    self.takeOver = takeOver
    self.preset = preset
  }
}

/// An event as an engine plays it. [audio thread]
public struct EngineEvent {
  public internal(set) var message: MIDIMessage
  /// What a System Exclusive message says.
  public let systemExclusive: SystemExclusive
  /// The frame of the next quantum at which it is due, 0 to 63.
  public let frame: Int
  /// What it changed beside the values of its channel.
  public let change: PerformanceChange
  /// What the channels were told, this event included.
  public let performance: UnsafePointer<Performance>

  /// Lets the performance follow a message.
  ///
  /// - Parameter frame: from the start of the next quantum; what is late is due at once.
  @_noLocks
  public init(
    _ message: MIDIMessage, _ systemExclusive: SystemExclusive = .other, frame: Int64 = 0,
    followedBy performance: UnsafeMutablePointer<Performance>
  ) {
    self.message = message
    self.systemExclusive = systemExclusive
    self.frame = Int(min(max(frame, 0), Int64(renderQuantum) &- 1))
    change = performance.pointee.follow(message, systemExclusive)
    self.performance = UnsafePointer(performance)
  }

  /// The argument of `EngineEntries.play`.
  @_noLocks
  public static func at(_ argument: UnsafeMutableRawPointer) -> EngineEvent {
    argument.assumingMemoryBound(to: EngineEvent.self).pointee
  }
}

/// A quantum to render, and what the engine tells about it. [audio thread]
public struct EngineQuantum {
  /// Its output buses are the 16 channels, in stereo. A bus that `isSilent` holds zeros; who adds to it lowers the
  /// flag.
  public let context: RenderContext
  public let performance: UnsafePointer<Performance>
  /// How many voices sound; the engine adds its own.
  public var voiceCount = 0
  /// How many voices of new notes could not be had since the last quantum; the engine adds its own.
  public var lostVoiceCount = 0
  /// Whether nothing will sound until the next note; the engine lowers it.
  public var isSilent = true
  /// Whether a channel may have got another preset; the engine raises it.
  public var hasNewPresets = false

  @_noLocks
  init(_ context: RenderContext, _ performance: UnsafePointer<Performance>) {
    self.context = context
    self.performance = performance
  }

  /// The argument of `EngineEntries.render`.
  @_noLocks
  public static func at(_ argument: UnsafeMutableRawPointer) -> UnsafeMutablePointer<EngineQuantum> {
    argument.assumingMemoryBound(to: EngineQuantum.self)
  }
}

/// How far an engine is to be reset. [audio thread]
public struct EngineReset {
  public let performance: UnsafePointer<Performance>
  /// Whether the next sound is to be the same, bit for bit, as that of a new engine, and what sounds ends at once. Else
  /// what sounds may fade.
  public let isComplete: Bool

  @_noLocks
  init(_ performance: UnsafePointer<Performance>, isComplete: Bool) {
    self.performance = performance
    self.isComplete = isComplete
  }

  /// The argument of `EngineEntries.reset`.
  @_noLocks
  public static func at(_ argument: UnsafeMutableRawPointer) -> EngineReset {
    argument.assumingMemoryBound(to: EngineReset.self).pointee
  }
}

/// What an engine begins with that comes into a performance. [audio thread]
public struct EngineHandover {
  public let performance: UnsafePointer<Performance>
  /// The engine of the same type that played before, which goes on with the notes it began; nil for none.
  public let predecessor: UnsafeMutableRawPointer?

  @_noLocks
  init(_ performance: UnsafePointer<Performance>, from predecessor: UnsafeMutableRawPointer?) {
    self.performance = performance
    self.predecessor = predecessor
  }

  /// The argument of `EngineEntries.takeOver`.
  @_noLocks
  public static func at(_ argument: UnsafeMutableRawPointer) -> EngineHandover {
    argument.assumingMemoryBound(to: EngineHandover.self).pointee
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

  /// The argument of `EngineEntries.preset`.
  @_noLocks
  public static func at(_ argument: UnsafeMutableRawPointer) -> UnsafeMutablePointer<EnginePreset> {
    argument.assumingMemoryBound(to: EnginePreset.self)
  }
}
