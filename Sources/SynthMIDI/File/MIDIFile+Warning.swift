extension MIDIFile {
  /// A defect of a file that plays nevertheless.
  public struct Warning: Hashable, Sendable {
    /// Where, in bytes from the start of the file.
    public let byteOffset: Int
    /// The defect.
    public let defect: Defect
  }

  /// The kinds of defect, each with the remedy taken.
  public enum Defect: Hashable, Sendable {
    /// Bytes before the header, skipped.
    case junkBeforeHeader(byteCount: Int)
    /// A RIFF container that ends before its data does.
    case truncatedContainer
    /// A header length other than 6, or 0 for no header. The fields that are there are read; without them it is
    /// format 1 at 480 ticks a quarter note.
    case headerLength(UInt32)
    /// A format above 2, read as format 1.
    case unknownFormat(UInt16)
    /// Format 0 with several tracks, read as format 1.
    case severalTracksInFormat0(found: Int)
    /// A division without meaning; the one given is taken.
    case invalidDivision(UInt16, taken: Division)
    /// Another number of tracks than the header promises.
    case trackCount(promised: Int, found: Int)
    /// Bytes where a chunk should begin, skipped.
    case notAChunk(byteCount: Int)
    /// A chunk longer than what is left of the file.
    case truncatedChunk(claimed: UInt32, available: Int)
    /// A track length that does not end at a chunk; the next track header or the end of the file ends the track.
    case wrongTrackLength(claimed: UInt32)
    /// A track without end-of-track event.
    case missingEndOfTrack
    /// Bytes after the end-of-track event, skipped.
    case dataAfterEndOfTrack(byteCount: Int)
    /// An event cut off by the end of its track, dropped.
    case truncatedEvent
    /// A payload longer than what is left of its track, shortened.
    case truncatedPayload(claimed: UInt32, available: Int)
    /// A variable-length quantity of more than four bytes, held at the largest value if need be.
    case longQuantity(byteCount: Int)
    /// Data bytes without a status byte to belong to, skipped.
    case strayData(byteCount: Int)
    /// A data byte with its highest bit set, which is ignored.
    case dataByteOutOfRange(UInt8)
    /// A status byte that has no place in a file, skipped with its data.
    case illegalStatus(UInt8)
    /// A System Exclusive without F7 at its end, taken as complete.
    case unterminatedSystemExclusive
    /// A tempo that is zero or not three bytes long, ignored.
    case invalidTempo
    /// A time beyond 2³² − 1 ticks, held there.
    case timeOutOfRange
  }
}

extension MIDIFile.Warning: CustomStringConvertible {
  public var description: String { "byte \(byteOffset): \(defect)" }
}

extension MIDIFile.Defect: CustomStringConvertible {
  public var description: String {
    switch self {
    case .junkBeforeHeader(let count): "\(bytes(count)) before the MIDI header, skipped"
    case .truncatedContainer: "the RIFF container ends before its data does"
    case .headerLength(let length): length == 0 ? "header without a length" : "header of \(bytes(length)) instead of 6"
    case .unknownFormat(let format): "unknown format \(format), read as format 1"
    case .severalTracksInFormat0(let found): "\(found) tracks in a format 0 file, read as format 1"
    case .invalidDivision(let bits, let taken): "division \(bits) has no meaning, \(taken) taken"
    case .trackCount(let promised, let found):
      "\(found) track\(found == 1 ? "" : "s") instead of the promised \(promised)"
    case .notAChunk(let count): "\(bytes(count)) where a chunk should begin, skipped"
    case .truncatedChunk(let claimed, let available): "chunk of \(bytes(claimed)), but only \(bytes(available)) left"
    case .wrongTrackLength(let claimed): "track length \(claimed) is wrong, ignored"
    case .missingEndOfTrack: "track without end-of-track event"
    case .dataAfterEndOfTrack(let count): "\(bytes(count)) after the end of the track, skipped"
    case .truncatedEvent: "event cut off by the end of the track, dropped"
    case .truncatedPayload(let claimed, let available): "\(bytes(claimed)) announced, only \(bytes(available)) left"
    case .longQuantity(let count): "variable-length quantity of \(bytes(count))"
    case .strayData(let count): "\(bytes(count, of: "data ")) without a status, skipped"
    case .dataByteOutOfRange(let byte): "data byte \(byte) out of range, its highest bit ignored"
    case .illegalStatus(let status): "status \(status) has no place in a file, skipped"
    case .unterminatedSystemExclusive: "System Exclusive without end, taken as complete"
    case .invalidTempo: "tempo that is zero or not three bytes long, ignored"
    case .timeOutOfRange: "time beyond \(UInt32.max) ticks, held there"
    }
  }
}

func bytes(_ count: some BinaryInteger, of kind: String = "") -> String {
  "\(count) \(kind)byte\(count == 1 ? "" : "s")"
}
