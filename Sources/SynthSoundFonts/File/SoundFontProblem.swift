/// Something of a font that is damaged and left out.
public struct SoundFontProblem: Sendable, Equatable, CustomStringConvertible {
  /// What it is: "sample 12 (Piano C4)".
  public let subject: String
  /// What is wrong with it, and what follows: "it begins behind its end; it is silent".
  public let reason: String
  /// The chunk's tag; empty where an audio file was left out.
  public let chunk: String
  /// Bytes from the start of the file to its record.
  public let offset: Int

  public var description: String {
    "\(subject): \(reason)" + (chunk.isEmpty ? "" : " (chunk \(chunk), byte \(offset))")
  }
}

/// The first hundred problems, and how many there are: a hostile file can have one for each of its records.
public struct SoundFontProblems: Sendable, Equatable {
  /// At most a hundred, in the order in which they were found.
  public private(set) var first: [SoundFontProblem] = []
  /// Of all that were found.
  public private(set) var count = 0

  mutating func add(_ subject: @autoclosure () -> String, _ reason: String, chunk: String, offset: Int) {
    count += 1
    guard first.count < 100 else { return }
    first.append(SoundFontProblem(subject: subject(), reason: reason, chunk: chunk, offset: offset))
  }
}
