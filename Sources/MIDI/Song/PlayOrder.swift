/// The order in which the events of a file's tracks are played, and the ticks of the song at which they are.
///
/// In formats 0 and 1 all tracks start at tick 0; in format 2 each starts where the one before it ends.
struct PlayOrder {
  /// The song tick at which each track starts.
  let trackStarts: [UInt32]
  /// The song tick at which the last track ends.
  let endTick: UInt32

  init(_ file: MIDIFile) {
    var starts: [UInt32] = []
    var end: UInt32 = 0
    for track in file.tracks {
      let start = file.format == .independent ? end : 0
      starts.append(start)
      end = max(end, Self.sum(start, track.endTick))
    }
    trackStarts = starts
    endTick = end
  }

  /// The song tick of an event of the track that starts at `trackStart`, held at the largest value.
  func tick(_ event: MIDIFile.Event, trackStart: UInt32) -> UInt32 { Self.sum(trackStart, event.tick) }

  /// An event in its place in the song.
  struct Entry {
    let tick: UInt32
    let track: Int
    let event: MIDIFile.Event
  }

  /// Calls `body` for every event of the file in playing order.
  func forEach(_ file: MIDIFile, _ body: (Entry) -> Void) {
    // A key is a tick and an index into the file's events; the index keeps lower tracks first within a tick.
    var keys: [UInt64] = []
    var trackOfEvent: [UInt32] = []
    keys.reserveCapacity(file.events.count)
    trackOfEvent.reserveCapacity(file.events.count)
    for (number, track) in file.tracks.enumerated() {
      for index in track.events {
        let tick = tick(file.events[index], trackStart: trackStarts[number])
        keys.append(UInt64(tick) << 32 | UInt64(index))
        trackOfEvent.append(UInt32(number))
      }
    }
    // The tracks are runs in order already, which the standard library's merge sort takes as they are.
    keys.sort()
    for key in keys {
      let index = Int(key & 0xFFFF_FFFF)
      body(Entry(tick: UInt32(key >> 32), track: Int(trackOfEvent[index]), event: file.events[index]))
    }
  }

  private static func sum(_ a: UInt32, _ b: UInt32) -> UInt32 {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? .max : sum
  }
}
