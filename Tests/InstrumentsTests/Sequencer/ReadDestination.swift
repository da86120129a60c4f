import SynthMIDI

@testable import SynthInstruments

/// A destination of a sequencer that is read quantum by quantum, as a rack does in which nothing sounds.
final class ReadDestination: SequencerDestination, @unchecked Sendable {
  // Unchecked: one thread uses it.
  let events = EventInput()
  let sampleRate: Double
  private var reader: EventReader
  private(set) var time: Int64 = 0

  init(sampleRate: Double = 48000) {
    self.sampleRate = sampleRate
    reader = EventReader(events)
  }

  /// What is read: "0 on 1 60".
  func read(_ quantumCount: Int, hostTime: UInt64 = 0) -> [String] {
    var events: [String] = []
    for _ in 0..<quantumCount {
      if reader.adopt(at: time, hostTime: hostTime) { reader.begin(at: time) }
      while let event = reader.next(before: time + 64, drums: [9]) {
        events.append("\(max(event.time, time)) \(ReadSong.text(event.message))")
      }
      time += 64
      reader.finish(at: time)
    }
    return events
  }
}

extension MusicSequence {
  /// Tracks of notes, each a key, a beat and a length in beats, at 120 quarter notes per minute: a beat is 24000 frames
  /// at 48 kHz, 375 quanta. Track n is channel n.
  static func notes(_ tracks: [(key: UInt8, beat: Double, length: Double)]...) throws -> MusicSequence {
    var sequence = MusicSequence(trackCount: tracks.count)
    for (track, notes) in tracks.enumerated() {
      for note in notes {
        try sequence.addNote(note.key, channel: UInt8(track), at: note.beat, for: note.length, track: track)
      }
    }
    return sequence
  }
}
