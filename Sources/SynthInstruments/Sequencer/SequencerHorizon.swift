import SynthMIDI

/// As far as loops without end are written out: some half an hour ahead, less where they have very many events. A
/// sequencer writes them out farther when half of that is played.
struct SequencerHorizon: Sendable {
  /// In beats.
  let end: Double
  /// The last beat there can be.
  let limit: Double
  private let reach: Double

  /// Nil if no track is repeated without end.
  ///
  /// - Parameter beat: from where on they have to be there.
  init?(_ sequence: MusicSequence, _ tracks: [SequencerTrack], from beat: Double) {
    guard tracks.contains(where: \.isEndless) else { return nil }
    // Events in a beat. Each pass may also have some that release keys and set channels.
    let density = zip(tracks, sequence.tracks).reduce(1.0) { sum, pair in
      guard pair.0.isEndless, let loop = pair.0.loop else { return sum }
      let count = pair.1.events.count { (loop.start..<loop.end).contains(sequence.beat(at: $0.tick)) }
      return sum + Double(2 * count + 8) / (loop.end - loop.start)
    }
    reach = min(max(400_000 / density, 64), 4096)
    limit = max(min(4_000_000 / density, 100_000), beat)
    end = min(beat + reach, limit)
  }

  /// Whether a beat is so near to the end that more is needed.
  func isNear(_ beat: Double) -> Bool { end < limit && beat > end - reach / 2 }
}

extension SequencerTrack {
  /// Whether it is repeated without end.
  var isEndless: Bool { loop?.isEndless ?? false }
}

extension Sequencer {
  /// Writes loops without end out farther, if it is time.
  func extend() {
    state.withLock { state in
      guard state.transport == .playing, state.rendition.isShort(at: beat(state)) else { return }
      // What could be played before can be.
      try? render(&state, state.sequence, state.tracks)
    }
  }
}
