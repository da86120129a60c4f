extension Song {
  /// The same where, of a key that is down, a note-off stands behind a note-on at the same tick: it ends the older
  /// note, so it comes first. Else it would end the new one, which stands in no other tick.
  func endingOlderNotesFirst() -> Song {
    var isDown = [Bool](repeating: false, count: MIDIPorts.channelCount * 128)
    /// The note-on of each key that struck it again last, and had no note-off since.
    var again = [Int?](repeating: nil, count: MIDIPorts.channelCount * 128)
    /// What comes before a note-on, by its index; and what therefore does not stand where it stood.
    var earlier: [Int: Int] = [:]
    var moved: Set<Int> = []
    for (index, event) in events.enumerated() {
      let message = event.message
      let key = message.channelIndex * 128 + Int(message.note & 127)
      switch message.kind {
      case .noteOn:
        if isDown[key], again[key].map({ events[$0].tick != event.tick }) ?? true { again[key] = index }
        isDown[key] = true
      case .noteOff:
        if let note = again[key], events[note].tick == event.tick {
          earlier[note] = index
          moved.insert(index)
        } else {
          isDown[key] = false
        }
        again[key] = nil
      // Modes let all keys of the channel go.
      case .controlChange where message.controller.isChannelMode:
        let first = message.channelIndex * 128
        for key in first..<first + 128 { (isDown[key], again[key]) = (false, nil) }
      default: break
      }
    }
    guard !moved.isEmpty else { return self }
    var song = self
    song.events = events.indices.flatMap { index -> [Event] in
      if moved.contains(index) { return [] }
      return earlier[index].map { [events[$0], events[index]] } ?? [events[index]]
    }
    return song
  }
}
