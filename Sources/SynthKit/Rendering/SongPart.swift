import SynthInstruments
import SynthMIDI

/// The part of a song that is rendered, and what of it is repeated, as `Session.play` has them. Times are the song's:
/// seconds at the tempo of its file.
public struct SongPart: Hashable, Sendable {
  /// Where it begins. Channels have then been told what the song tells them before; notes that begin before it are not
  /// played.
  public var start: Double
  /// Where it ends, and what the song holds there is released; nil for the song's own end.
  public var end: Double?
  /// What is repeated; nil for nothing.
  public var loop: SongLoop?

  public init(from start: Double = 0, to end: Double? = nil, loop: SongLoop? = nil) {
    self.start = start
    self.end = end
    self.loop = loop
  }

  /// From its start to its end with all repetitions, in seconds at the tempo of the file; infinite where they have no
  /// end.
  func duration(in song: Song) -> Double {
    let repeats = loop.map { ($0.passCount.map { Double(max($0, 1) - 1) } ?? .infinity) * ($0.end - $0.start) } ?? 0
    return (end ?? song.duration) - start + repeats
  }
}

extension Synthesizer {
  /// - Returns: the song's number.
  func play(_ timeline: Timeline, _ part: SongPart, notes: NoteLog? = nil) -> Int {
    play(
      timeline, from: timeline.frame(at: part.start), to: part.end.map(timeline.frame(at:)),
      loop: part.loop?.frames(of: timeline), notes: notes)
  }

  /// How long instruments that begin a song are told what it tells them before its start, in frames of the engine.
  var chaseLength: Int { Int(instruments.events.chaseLength) * framesPerInstrumentFrame }
}
