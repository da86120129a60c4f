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
