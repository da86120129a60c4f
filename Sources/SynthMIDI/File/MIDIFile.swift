import SynthFiles

/// A Standard MIDI File, read whole: format 0, 1 or 2, plain or in a RIFF (RMID) container; or music of a game in
/// Miles' XMIDI or DMX's MUS. The first bytes say what a file is, not its name.
///
/// Damaged files are read as far as they make sense; each defect is a `Warning` with its byte offset. Only bytes
/// without a MIDI header throw. Memory is proportional to the size of the file, not to the lengths it claims.
/// Source: Standard MIDI Files 1.0, RP-001.
public struct MIDIFile: Sendable {
  /// What the bytes are. The events are those of a Standard MIDI File in each case.
  public enum Kind: String, Sendable {
    /// A Standard MIDI File.
    case standard
    /// Extended MIDI of the Miles Sound System, `.xmi`. Each of its songs is a track.
    case xmidi
    /// Music of Doom and its kin, whose sound library was DMX, `.mus`.
    case mus
  }

  /// How the tracks belong together.
  public enum Format: UInt16, Sendable {
    /// One track.
    case single = 0
    /// Tracks that play at the same time.
    case simultaneous = 1
    /// Tracks that are separate songs.
    case independent = 2
  }

  /// What the bytes of an event are.
  ///
  /// Payloads come first in the cases so that the enum stays 10 bytes and an event 16.
  public enum Content: BitwiseCopyable, Hashable, Sendable {
    /// A channel voice message.
    case message(MIDIMessage)
    /// A whole System Exclusive message, without F0 and F7, its continuation packets joined.
    case systemExclusive(Payload)
    /// Bytes to be sent as they are (F7), other than a System Exclusive.
    case escape(Payload)
    /// A meta event.
    case meta(Payload, MetaType)
  }

  /// A place in the file's payload store.
  public struct Payload: BitwiseCopyable, Hashable, Sendable {
    let start: UInt32
    /// The number of bytes.
    public let count: UInt32
  }

  /// An event of a track.
  public struct Event: BitwiseCopyable, Hashable, Sendable {
    /// Ticks since the start of the track. Held at the largest value rather than wrapped.
    public let tick: UInt32
    /// What happens.
    public let content: Content
  }

  /// A track: a run of `events`.
  public struct Track: Hashable, Sendable {
    /// Where the track's events stand in `events`, in file order; ticks never fall within a track.
    public let events: Range<Int>
    /// The tick of the end-of-track event, or of the last event where that is missing.
    public let endTick: UInt32
  }

  /// What the bytes were.
  public let kind: Kind
  /// How the tracks belong together.
  public let format: Format
  /// What a tick is.
  public let division: Division
  /// The tracks, in file order.
  public let tracks: [Track]
  /// The events of all tracks, one track after the other. End-of-track events are not among them.
  public let events: [Event]
  /// The defects of the file, in the order they were met; at most `mostWarnings`.
  public let warnings: [Warning]
  /// The number of defects, those beyond `mostWarnings` included.
  public let warningCount: Int
  /// What stands around the song in a RIFF container (RMID); nil for a plain file.
  public let container: Container?
  /// The bytes of all payloads.
  let payloads: [UInt8]
  /// How its texts are encoded, where someone knows; nil where that is decided from the texts.
  let textEncoding: TextEncoding?

  /// How many warnings are kept: a hopeless file has one for every other byte.
  public static let mostWarnings = 1000

  /// The largest file read, in bytes: 1 GiB.
  public static let maximumByteCount = 1 << 30

  /// Reads a file from its bytes; `name` is what errors call it.
  public init(bytes: [UInt8], name: String = "a MIDI file") throws(MIDIFileError) {
    try self.init(bytes: bytes, name: name, textEncoding: nil)
  }

  /// The same, of texts in a known encoding; nil decides it from them.
  package init(bytes: [UInt8], name: String, textEncoding: TextEncoding?) throws(MIDIFileError) {
    var parser = MIDIFileParser(bytes: bytes, textEncoding: textEncoding)
    do throws(MIDIFileError.Cause) {
      self = try parser.parse()
    } catch {
      throw MIDIFileError(error, reading: name)
    }
  }

  /// Reads the file at `path`.
  public init(path: String) throws(MIDIFileError) {
    try self.init(bytes: Self.bytes(ofFile: path), name: path)
  }

  /// What a file holds, before it is looked at; at most `maximumByteCount`.
  public static func bytes(ofFile path: String) throws(MIDIFileError) -> [UInt8] {
    do throws(FileProblem) {
      return try OutsideFile(path: path, pipes: .ofTheProgram).bytes(limit: maximumByteCount)
    } catch {
      let cause: MIDIFileError.Cause =
        switch error {
        case .system: .cannotRead(reason: error.reason)
        case .notRegular: .notRegular
        case .tooLarge(let limit): .tooLarge(maximumByteCount: limit)
        }
      throw MIDIFileError(cause, reading: path)
    }
  }

  init(
    kind: Kind = .standard, format: Format, division: Division, tracks: [Track], events: [Event], warnings: [Warning],
    warningCount: Int, container: Container?, payloads: [UInt8], textEncoding: TextEncoding? = nil
  ) {
    self.kind = kind
    self.format = format
    self.division = division
    self.tracks = tracks
    self.events = events
    self.warnings = warnings
    self.warningCount = warningCount
    self.container = container
    self.payloads = payloads
    self.textEncoding = textEncoding
  }

  /// The bytes of a payload of this file.
  public func bytes(of payload: Payload) -> ArraySlice<UInt8> {
    let start = Int(payload.start)
    return payloads[start..<start + Int(payload.count)]
  }
}

/// What a tick of a MIDI file is: a part of a quarter note, or a part of a video frame.
public enum Division: Hashable, Sendable {
  /// Metrical time: ticks per quarter note, 1–32767; the tempo says how long a quarter note is.
  case ticksPerQuarter(UInt16)

  /// SMPTE time, independent of the tempo: whole frames counted per second, 1–128, and ticks per frame, 1–255.
  /// A count of 29 is 30-frame drop code, whose frames come at 30000/1001 per second.
  case smpte(framesPerSecond: UInt8, ticksPerFrame: UInt8)
}

extension Division: CustomStringConvertible {
  public var description: String {
    switch self {
    case .ticksPerQuarter(let ticks): "\(ticks) tick\(ticks == 1 ? "" : "s") per quarter note"
    case .smpte(29, let ticks): "29.97 frames per second, \(ticks) tick\(ticks == 1 ? "" : "s") each"
    case .smpte(let frames, let ticks): "\(frames) frames per second, \(ticks) tick\(ticks == 1 ? "" : "s") each"
    }
  }
}

/// The type of a meta event, with the standard's names. Source: Standard MIDI Files 1.0, "Meta-Events".
public struct MetaType: RawRepresentable, BitwiseCopyable, Hashable, Sendable {
  /// The type byte.
  public let rawValue: UInt8

  /// A type by its byte.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Sequence number, 2 bytes (0x00).
  public static let sequenceNumber = MetaType(rawValue: 0x00)
  /// Any text (0x01); karaoke files keep their lyrics here.
  public static let text = MetaType(rawValue: 0x01)
  /// Copyright notice (0x02).
  public static let copyright = MetaType(rawValue: 0x02)
  /// Name of the sequence (first track) or of the track (0x03).
  public static let trackName = MetaType(rawValue: 0x03)
  /// Name of the instrument (0x04).
  public static let instrumentName = MetaType(rawValue: 0x04)
  /// A syllable to be sung (0x05).
  public static let lyric = MetaType(rawValue: 0x05)
  /// A named place (0x06).
  public static let marker = MetaType(rawValue: 0x06)
  /// Something to happen in a film or on a stage (0x07).
  public static let cuePoint = MetaType(rawValue: 0x07)
  /// Program name (0x08).
  public static let programName = MetaType(rawValue: 0x08)
  /// Device or port name (0x09).
  public static let deviceName = MetaType(rawValue: 0x09)
  /// Channel of the meta events that follow, 1 byte (0x20).
  public static let channelPrefix = MetaType(rawValue: 0x20)
  /// Port of the track, 1 byte (0x21).
  public static let port = MetaType(rawValue: 0x21)
  /// End of the track (0x2F).
  public static let endOfTrack = MetaType(rawValue: 0x2F)
  /// Microseconds per quarter note, 3 bytes (0x51).
  public static let tempo = MetaType(rawValue: 0x51)
  /// SMPTE time at which the track starts, 5 bytes (0x54).
  public static let smpteOffset = MetaType(rawValue: 0x54)
  /// Time signature, 4 bytes (0x58).
  public static let timeSignature = MetaType(rawValue: 0x58)
  /// Key signature, 2 bytes (0x59).
  public static let keySignature = MetaType(rawValue: 0x59)
  /// Bytes of a manufacturer or program (0x7F).
  public static let sequencerSpecific = MetaType(rawValue: 0x7F)

  /// Whether the payload is text (0x01–0x0F).
  public var isText: Bool { (0x01...0x0F).contains(rawValue) }
}
