// Miles' XMIDI: the events of a Standard MIDI File, with other times. Source: "Extended MIDI Technical Reference" of
// the Miles Sound System SDK 7.2a.
//
// An event is preceded by bytes below 128, whose sum is the time since the one before. A note on is followed by its
// length, and note offs do not exist. All times are ticks of 1/120 s: tempo events only say what the song was made of.

extension MIDIFileParser {
  /// 120 ticks a second, whatever the tempo is.
  private static let division = Division.smpte(framesPerSecond: 30, ticksPerFrame: 4)

  private typealias NoteOff = (tick: UInt32, message: MIDIMessage)

  /// Whether the file is IFF with songs, or with the directory that may come before them.
  var isXMIDI: Bool {
    (hasTag("FORM", at: 0) || hasTag("CAT ", at: 0)) && (hasTag("XDIR", at: 8) || hasTag("XMID", at: 8))
  }

  /// Reads the event chunk of each song; lists of timbres and places to branch to are passed over.
  mutating func parseXMIDI() -> MIDIFile {
    let end = limit
    while position < end {
      let chunk = position
      guard isTag(at: chunk) else {
        position = find("EVNT", in: chunk + 1..<end) ?? end
        warn(.notAChunk(byteCount: position - chunk), at: chunk)
        continue
      }
      if hasTag("FORM", at: chunk) || hasTag("CAT ", at: chunk) {
        position = min(chunk + 12, end)
        continue
      }
      let (claimed, start) = (bigEndian32(at: chunk + 4), chunk + 8)
      if Int(claimed) > end - start { warn(.truncatedChunk(claimed: claimed, available: end - start), at: start - 4) }
      limit = start + min(Int(claimed), end - start)
      let next = limit
      if hasTag("EVNT", at: chunk) { parseXMIDISong(from: start) }
      limit = end
      // Chunks are padded to an even length, by most programs.
      position = next < end && claimed % 2 == 1 && bytes[next] == 0 ? next + 1 : next
    }
    return file(.xmidi, tracks.count == 1 ? .single : .independent, Self.division)
  }

  private mutating func parseXMIDISong(from start: Int) {
    position = start
    state = TrackState()
    state.firstEvent = events.count
    var noteOffs: [NoteOff] = []
    while position < limit, !state.endOfTrack {
      let offset = position
      if bytes[offset] < 0x80 {
        position += 1
        advance(by: UInt32(bytes[offset]), at: offset)
      } else {
        parseXMIDIEvent(&noteOffs)
      }
    }
    finishPending()
    if !state.endOfTrack { warn(.missingEndOfTrack, at: start - 8) }
    add(noteOffs)
    let endTick = max(state.tick, events[state.firstEvent...].last?.tick ?? 0)
    tracks.append(MIDIFile.Track(events: state.firstEvent..<events.count, endTick: endTick))
  }

  private mutating func parseXMIDIEvent(_ noteOffs: inout [NoteOff]) {
    let (offset, count) = (position, events.count)
    position += 1
    dispatch(status: bytes[offset], at: offset)
    guard bytes[offset] & 0xF0 == 0x90, events.count > count else { return }
    let length = position
    guard let duration = quantity() else { return warn(.truncatedEvent, at: length) }
    guard case .message(let note) = events[events.count - 1].content, note.kind == .noteOn else { return }
    // Of no length, it would end before it begins: note offs come first at their tick.
    let (tick, overflow) = state.tick.addingReportingOverflow(max(duration, 1))
    noteOffs.append((overflow ? .max : tick, .noteOff(channel: note.channel, note: note.note)))
  }

  /// Puts note offs in their places, before what else happens at their ticks, as a key may be struck again.
  private mutating func add(_ noteOffs: [NoteOff]) {
    let offs = noteOffs.map { MIDIFile.Event(tick: $0.tick, content: .message($0.message)) }
    let song = state.firstEvent...
    events.replaceSubrange(song, with: (offs + events[song]).sorted { $0.tick < $1.tick })
  }
}
