/// A MIDI file read a second time, without anything of the library: tracks merged, ticks turned into frames.
///
/// Formats 0 and 1 with ticks per quarter note. Times are whole numbers all the way, ticks times microseconds, so that
/// the frame of an event is the nearest to its exact time.
struct PlainMIDIFile {
  struct Event {
    let frame: Int
    /// Status and data; of System Exclusive what stands between F0 and F7.
    let bytes: [UInt8]
    let isSystemExclusive: Bool
  }

  /// In the order of their ticks; within a tick in that of their tracks.
  private(set) var events: [Event] = []

  private struct Placed {
    let tick: Int
    let event: [UInt8]
  }

  init(_ file: [UInt8], sampleRate: Int) {
    let division = Int(file[12]) << 8 | Int(file[13])
    var placed: [Placed] = []
    var position = 14
    while position + 8 <= file.count {
      let length = file[position + 4..<position + 8].reduce(0) { $0 << 8 | Int($1) }
      placed += Self.events(of: Array(file[position + 8..<position + 8 + length]))
      position += 8 + length
    }
    let order = placed.indices.sorted { (placed[$0].tick, $0) < (placed[$1].tick, $1) }
    var (tick, units, tempo) = (0, 0, 500_000)
    for event in Self.endingOlderNotes(order.map { placed[$0] }) {
      units += (event.tick - tick) * tempo
      tick = event.tick
      if event.event.starts(with: [0xFF, 0x51, 3]) {
        tempo = event.event[3...].reduce(0) { $0 << 8 | Int($1) }
      } else if event.event[0] != 0xFF {
        let scale = 1_000_000 * division
        let isExclusive = event.event[0] == 0xF0
        events.append(
          Event(
            frame: (2 * units * sampleRate + scale) / (2 * scale),
            bytes: Array(event.event.dropFirst(isExclusive ? 1 : 0)),
            isSystemExclusive: isExclusive))
      }
    }
  }

  /// Where a key that is down is struck and let go at one tick, the older note ends before the new one begins.
  private static func endingOlderNotes(_ placed: [Placed]) -> [Placed] {
    var result: [Placed] = []
    var isDown: Set<[UInt8]> = []
    for item in placed {
      let event = item.event
      guard event[0] & 0xE0 == 0x80 else {
        result.append(item)
        continue
      }
      let key = [event[0] & 15, event[1]]
      func strikes(_ other: Placed) -> Bool { other.event.starts(with: [0x90 | key[0], key[1]]) && other.event[2] > 0 }
      if strikes(item) {
        // The mark of a key that was down already.
        if !isDown.insert(key).inserted { isDown.insert(key + [0]) }
        result.append(item)
      } else if isDown.remove(key + [0]) != nil, let place = result.lastIndex(where: strikes),
        result[place].tick == item.tick
      {
        result.insert(item, at: place)
      } else {
        isDown.remove(key)
        result.append(item)
      }
    }
    return result
  }

  /// Messages as they would go over a wire, meta events with type and length, of System Exclusive neither length nor
  /// F7.
  private static func events(of track: [UInt8]) -> [Placed] {
    var (position, tick, status) = (0, 0, UInt8(0))
    func quantity() -> Int {
      var value = 0
      repeat {
        value = value << 7 | Int(track[position] & 0x7F)
        position += 1
      } while track[position - 1] & 0x80 != 0
      return value
    }
    var events: [Placed] = []
    while position < track.count {
      tick += quantity()
      if track[position] & 0x80 != 0 {
        status = track[position]
        position += 1
      }
      switch status {
      case 0xFF:
        let type = track[position]
        position += 1
        let count = quantity()
        events.append(
          Placed(tick: tick, event: [0xFF, type, UInt8(count & 0x7F)] + track[position..<position + count]))
        position += count
      case 0xF0:
        let count = quantity()
        events.append(Placed(tick: tick, event: [0xF0] + track[position..<position + count - 1]))
        position += count
      default:
        let count = status & 0xE0 == 0xC0 ? 1 : 2
        events.append(Placed(tick: tick, event: [status] + track[position..<position + count]))
        position += count
      }
    }
    return events
  }
}
