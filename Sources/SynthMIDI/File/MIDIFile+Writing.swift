import SynthFiles

extension MIDIFile {
  /// The bytes of the file: what is read from them has the same events at the same ticks. A container is left out.
  ///
  /// - Parameter runningStatus: whether a status byte that repeats the one before is left out, which the standard
  ///   recommends; note offs of velocity 64 are then note ons of velocity 0.
  /// - Throws: what a file cannot hold.
  public func bytes(runningStatus: Bool = true) throws(MIDIFileWritingError) -> [UInt8] {
    try bytes(runningStatus: runningStatus, name: "a MIDI file")
  }

  /// Writes the file. One that was there is replaced when the new one is whole.
  ///
  /// - Throws: what a file cannot hold, or what the system refuses.
  public func write(to path: String, runningStatus: Bool = true) throws(MIDIFileWritingError) {
    let bytes = try bytes(runningStatus: runningStatus, name: path)
    do throws(FileProblem) {
      try WholeFile.write(bytes, to: path)
    } catch {
      throw MIDIFileWritingError(.cannotWrite(reason: error.reason), writing: path)
    }
  }

  private func bytes(runningStatus: Bool, name: String) throws(MIDIFileWritingError) -> [UInt8] {
    var writer = MIDIFileWriter(self, usesRunningStatus: runningStatus)
    do throws(MIDIFileWritingError.Cause) {
      return try writer.write()
    } catch {
      throw MIDIFileWritingError(error, writing: name)
    }
  }
}

/// Why a MIDI file is not written.
public struct MIDIFileWritingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's path, or what else the bytes were called.
  public let name: String
  /// What could not be done.
  public let cause: Cause

  init(_ cause: Cause, writing name: String) { (self.name, self.cause) = (name, cause) }

  /// What is wrong. Tracks are counted from 0.
  public enum Cause: Error, Hashable, Sendable {
    /// More than 65535 tracks.
    case tooManyTracks(Int)
    /// A division that the header cannot say, such as 0 ticks per quarter note.
    case invalidDivision(Division)
    /// More than 2²⁸ − 1 ticks from one event to the next.
    case deltaTooLong(track: Int, from: UInt32, to: UInt32)
    /// A text or a System Exclusive of more than 2²⁸ − 1 bytes.
    case eventTooLong(byteCount: Int, track: Int, tick: UInt32)
    /// A message that MIDI 1.0 has not.
    case notInMIDI1(MIDIMessage.Kind, track: Int, tick: UInt32)
    /// What would be read as something else, in words.
    case misplaced(String, track: Int, tick: UInt32)
    /// More bytes than the largest file that is read.
    case tooLarge(maximumByteCount: Int)
    /// The file could not be opened or written; `reason` is the system's text.
    case cannotWrite(reason: String)
  }

  public var description: String {
    switch cause {
    case .tooManyTracks(let count): "writing \(name): it has \(count) tracks; join some, 65535 are the most"
    case .invalidDivision(let division): "writing \(name): a file cannot say \(division); take 1 to 32767 ticks"
    case .deltaTooLong(let track, let from, let to):
      "writing \(name): track \(track) goes from tick \(from) to \(to) at once; put an event between them"
    case .eventTooLong(let count, let track, let tick):
      "writing \(name): track \(track) has an event of \(count) bytes at tick \(tick); shorten it"
    case .notInMIDI1(let kind, let track, let tick):
      "writing \(name): MIDI 1.0 has no \(kind), which track \(track) has at tick \(tick); remove it"
    case .misplaced(let event, let track, let tick):
      "writing \(name): \(event) is among the events of track \(track) at tick \(tick); remove it"
    case .tooLarge(let maximum): "writing \(name): it is larger than \(maximum >> 20) MiB; remove some of its events"
    case .cannotWrite(let reason): "writing \(name): \(reason); check the folder and the permissions"
    }
  }
}
