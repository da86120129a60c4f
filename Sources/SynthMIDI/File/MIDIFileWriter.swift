/// The bytes of a Standard MIDI File. Source: Standard MIDI Files 1.0, RP-001.
struct MIDIFileWriter {
  private let file: MIDIFile
  private let usesRunningStatus: Bool
  private var bytes: [UInt8] = []
  private var track = 0
  private var tick: UInt32 = 0
  private var runningStatus: UInt8?

  init(_ file: MIDIFile, usesRunningStatus: Bool) {
    (self.file, self.usesRunningStatus) = (file, usesRunningStatus)
  }

  mutating func write() throws(MIDIFileWritingError.Cause) -> [UInt8] {
    guard file.tracks.count <= UInt16.max else { throw .tooManyTracks(file.tracks.count) }
    guard let division = file.division.bits else { throw .invalidDivision(file.division) }
    bytes.reserveCapacity(4 * file.events.count + file.payloads.count + 64)
    bytes += Array("MThd".utf8)
    add32(6)
    for value in [file.format.rawValue, UInt16(file.tracks.count), division] {
      bytes += [UInt8(value >> 8), UInt8(value & 0xFF)]
    }
    for index in file.tracks.indices {
      track = index
      try writeTrack()
    }
    return bytes
  }

  private mutating func writeTrack() throws(MIDIFileWritingError.Cause) {
    bytes += Array("MTrk".utf8)
    let lengthPlace = bytes.count
    add32(0)
    (tick, runningStatus) = (0, nil)
    for event in file.events[file.tracks[track].events] {
      try addDelta(to: event.tick)
      try add(event.content)
      guard bytes.count <= MIDIFile.maximumByteCount else {
        throw .tooLarge(maximumByteCount: MIDIFile.maximumByteCount)
      }
    }
    try addDelta(to: file.tracks[track].endTick)
    bytes += [0xFF, MetaType.endOfTrack.rawValue, 0]
    let length = bytes.count - lengthPlace - 4
    for (index, shift) in [24, 16, 8, 0].enumerated() {
      bytes[lengthPlace + index] = UInt8(truncatingIfNeeded: length >> shift)
    }
  }

  private mutating func addDelta(to next: UInt32) throws(MIDIFileWritingError.Cause) {
    guard let delta = Int(exactly: Int64(next) - Int64(tick)), (0...Self.longestQuantity).contains(delta) else {
      throw .deltaTooLong(track: track, from: tick, to: next)
    }
    addQuantity(delta)
    tick = next
  }

  private mutating func add(_ content: MIDIFile.Content) throws(MIDIFileWritingError.Cause) {
    switch content {
    case .message(let message):
      guard let messages = message.shortMessages else { throw .notInMIDI1(message.kind, track: track, tick: tick) }
      for (index, short) in messages.enumerated() {
        if index > 0 { bytes.append(0) }
        add(short)
      }
    case .systemExclusive(let payload):
      bytes.append(0xF0)
      try add(file.bytes(of: payload), end: [0xF7])
    case .escape(let payload):
      let payload = file.bytes(of: payload)
      // It would be read as a System Exclusive.
      guard payload.first != 0xF0 else { throw .misplaced("an escape that begins with F0", track: track, tick: tick) }
      bytes.append(0xF7)
      try add(payload)
    case .meta(let payload, let type):
      guard type != .endOfTrack else { throw .misplaced("an end of track", track: track, tick: tick) }
      bytes += [0xFF, type.rawValue]
      try add(file.bytes(of: payload))
    }
  }

  /// With running status, a note off is a note on of velocity 0, so that the status goes on.
  private mutating func add(_ message: ShortMessage) {
    guard usesRunningStatus else {
      bytes += [message.status, message.data1]
      return bytes += [message.data2].compactMap(\.self)
    }
    let isPlainOff = message.status & 0xF0 == 0x80 && message.data2 == 64
    let status = isPlainOff ? message.status | 0x10 : message.status
    if status != runningStatus { bytes.append(status) }
    runningStatus = status
    bytes.append(message.data1)
    if let data2 = message.data2 { bytes.append(isPlainOff ? 0 : data2) }
  }

  private mutating func add(
    _ payload: ArraySlice<UInt8>, end: [UInt8] = []
  ) throws(MIDIFileWritingError.Cause) {
    // The standard ends running status here.
    runningStatus = nil
    let count = payload.count + end.count
    guard count <= Self.longestQuantity else { throw .eventTooLong(byteCount: count, track: track, tick: tick) }
    addQuantity(count)
    bytes += payload
    bytes += end
  }

  /// Four bytes of seven bits each.
  private static let longestQuantity = 0xFFF_FFFF

  private mutating func addQuantity(_ value: Int) {
    for shift in [21, 14, 7] where value >> shift > 0 { bytes.append(UInt8(value >> shift & 0x7F) | 0x80) }
    bytes.append(UInt8(value & 0x7F))
  }

  private mutating func add32(_ value: UInt32) {
    bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

extension Division {
  /// As a file's header has it; nil for what it cannot say.
  fileprivate var bits: UInt16? {
    switch self {
    case .ticksPerQuarter(let ticks): (1...0x7FFF).contains(ticks) ? ticks : nil
    case .smpte(let frames, let ticks):
      (1...128).contains(frames) && ticks > 0 ? UInt16(~frames &+ 1) << 8 | UInt16(ticks) : nil
    }
  }
}
