// The events of a track: delta times, running status, channel messages, SysEx packets, meta events.

extension MIDIFileParser {
  /// What the parser carries from event to event of a track.
  struct TrackState {
    var tick: UInt32 = 0
    /// The last channel status; meta and SysEx events leave it alone, as tolerant players do. 0 where none came yet.
    var runningStatus: UInt8 = 0
    var firstEvent = 0
    var endOfTrack = false
    /// The packets of a System Exclusive that has not ended, and where and when they came.
    var pending: [UInt8] = []
    var pendingOffset: Int?
    var pendingTick: UInt32 = 0
  }

  /// Reads the track between `position` and `limit`.
  mutating func parseTrack() {
    let start = position
    state = TrackState()
    state.firstEvent = events.count
    while position < limit, !state.endOfTrack {
      parseDelta()
      parseEvent()
    }
    finishPending()
    if !state.endOfTrack {
      warn(.missingEndOfTrack, at: start - 8)
    } else if position < limit {
      warn(.dataAfterEndOfTrack(byteCount: limit - position), at: position)
    }
    tracks.append(MIDIFile.Track(events: state.firstEvent..<events.count, endTick: state.tick))
  }

  mutating func parseDelta() {
    let offset = position
    advance(by: quantity() ?? 0, at: offset)
  }

  mutating func advance(by delta: UInt32, at offset: Int) {
    let (tick, overflow) = state.tick.addingReportingOverflow(delta)
    if overflow && state.tick != .max { warn(.timeOutOfRange, at: offset) }
    state.tick = overflow ? .max : tick
  }

  private mutating func parseEvent() {
    guard position < limit else {
      return warn(.truncatedEvent, at: limit)
    }
    let offset = position
    if bytes[offset] >= 0x80 {
      position += 1
      dispatch(status: bytes[offset], at: offset)
    } else if state.runningStatus != 0 {
      parseChannelMessage(state.runningStatus, at: offset)
    } else {
      while position < limit, bytes[position] < 0x80 { position += 1 }
      warn(.strayData(byteCount: position - offset), at: offset)
      if position < limit { parseEvent() }
    }
  }

  mutating func dispatch(status: UInt8, at offset: Int) {
    switch status {
    case ..<0xF0:
      state.runningStatus = status
      parseChannelMessage(status, at: offset)
    case 0xF0: parseSystemExclusive(at: offset)
    case 0xF7: parseContinuation(at: offset)
    case 0xFF: parseMeta(at: offset)
    default:
      warn(.illegalStatus(status), at: offset)
      // Song position has two data bytes, time code and song select one, the rest none.
      let dataCount = status == 0xF2 ? 2 : status == 0xF1 || status == 0xF3 ? 1 : 0
      position = min(limit, position + dataCount)
    }
  }

  private mutating func parseChannelMessage(_ status: UInt8, at offset: Int) {
    let dataCount = status & 0xE0 == 0xC0 ? 1 : 2
    guard limit - position >= dataCount else {
      position = limit
      return warn(.truncatedEvent, at: offset)
    }
    let data1 = bytes[position]
    let data2 = dataCount == 2 ? bytes[position + 1] : 0
    if (data1 | data2) & 0x80 != 0 {
      warn(.dataByteOutOfRange(data1 & 0x80 != 0 ? data1 : data2), at: position + (data1 & 0x80 != 0 ? 0 : 1))
    }
    position += dataCount
    if state.pendingOffset != nil { finishPending() }
    if let message = MIDIMessage(status: status, data1: data1, data2: data2) { append(.message(message)) }
  }

  mutating func append(_ content: MIDIFile.Content) {
    events.append(MIDIFile.Event(tick: state.tick, content: content))
  }

  private mutating func store(_ range: Range<Int>) -> MIDIFile.Payload {
    let start = UInt32(payloads.count)
    payloads += bytes[range]
    return MIDIFile.Payload(start: start, count: UInt32(range.count))
  }
}

// MARK: - Meta and System Exclusive

extension MIDIFileParser {
  private mutating func parseMeta(at offset: Int) {
    guard position < limit else {
      return warn(.truncatedEvent, at: offset)
    }
    let type = MetaType(rawValue: bytes[position])
    position += 1
    guard let payload = payloadRange(at: offset) else { return }
    if type == .endOfTrack {
      state.endOfTrack = true
      return
    }
    if type == .tempo, payload.count != 3 || payload.allSatisfy({ bytes[$0] == 0 }) {
      warn(.invalidTempo, at: offset)
    }
    append(.meta(store(payload), type))
  }

  private mutating func parseSystemExclusive(at offset: Int) {
    finishPending()
    guard let payload = payloadRange(at: offset) else { return }
    state.pendingOffset = offset
    addPacket(payload)
  }

  /// F7: the next packet of a System Exclusive, or an escape: bytes to be sent as they are.
  private mutating func parseContinuation(at offset: Int) {
    guard let payload = payloadRange(at: offset) else { return }
    if state.pendingOffset != nil {
      addPacket(payload)
    } else if let first = payload.first, bytes[first] == 0xF0 {
      // Some programs write whole System Exclusive messages so.
      state.pendingOffset = offset
      addPacket(payload.dropFirst())
    } else {
      append(.escape(store(payload)))
    }
  }

  /// Adds a packet to the pending System Exclusive, which is complete if the packet ends with F7.
  private mutating func addPacket(_ packet: Range<Int>) {
    state.pendingTick = state.tick
    guard let last = packet.last, bytes[last] == 0xF7 else {
      state.pending += bytes[packet]
      return
    }
    state.pending += bytes[packet.dropLast()]
    emitPending()
  }

  /// Takes a pending System Exclusive as complete, with a warning: something else came before its end.
  mutating func finishPending() {
    guard let offset = state.pendingOffset else { return }
    warn(.unterminatedSystemExclusive, at: offset)
    emitPending()
  }

  private mutating func emitPending() {
    // Meta events may have come between the packets; ticks must not fall.
    let previous = events.count > state.firstEvent ? events[events.count - 1].tick : 0
    let payload = MIDIFile.Payload(start: UInt32(payloads.count), count: UInt32(state.pending.count))
    payloads += state.pending
    events.append(MIDIFile.Event(tick: max(previous, state.pendingTick), content: .systemExclusive(payload)))
    state.pending.removeAll(keepingCapacity: true)
    state.pendingOffset = nil
  }

  /// Reads a length and steps over as many bytes, or as many as there are.
  private mutating func payloadRange(at offset: Int) -> Range<Int>? {
    guard let claimed = quantity() else {
      warn(.truncatedEvent, at: offset)
      return nil
    }
    let available = limit - position
    if Int(claimed) > available { warn(.truncatedPayload(claimed: claimed, available: available), at: offset) }
    let start = position
    position += min(Int(claimed), available)
    return start..<position
  }

  /// A variable-length quantity, held at 2³² − 1; nil at the end of the track.
  mutating func quantity() -> UInt32? {
    let start = position
    var value: UInt64 = 0
    while position < limit {
      let byte = bytes[position]
      position += 1
      value = min(value << 7 | UInt64(byte & 0x7F), UInt64(UInt32.max))
      guard byte & 0x80 != 0 else {
        if position - start > 4 { warn(.longQuantity(byteCount: position - start), at: start) }
        return UInt32(value)
      }
    }
    return nil
  }
}
