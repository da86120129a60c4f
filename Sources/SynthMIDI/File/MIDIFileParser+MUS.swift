// DMX's MUS: one track of events at 1/140 s. Source: "MUS File Format" 1.31 by Vladimir Arnost.
//
// An event says whether a time follows it. Percussion is on channel 15. A note without a velocity has that of the note
// before it on its channel.

extension MIDIFileParser {
  /// 140 ticks a second at the tempo that songs have unless they say another, 120 quarter notes a minute.
  private static let division = Division.ticksPerQuarter(70)

  /// Of the numbers that MUS has for controllers, from 1 on. Those from 10 on come without a value.
  private static let controllers: [Controller] = [
    .bankSelect, .modulation, .volume, .pan, .expression, .reverbSend, .chorusSend, .sustain, .soft, .allSoundOff,
    .allNotesOff, .monoOn, .polyOn, .resetAllControllers,
  ]

  var isMUS: Bool { hasTag("MUS\u{1A}", at: 0) }

  mutating func parseMUS() throws(MIDIFileError.Cause) -> MIDIFile {
    // The length of the score is left aside, as Doom's players do: an event ends it.
    let start = limit < 8 ? limit : Int(bytes[6]) | Int(bytes[7]) << 8
    guard start < limit else { throw .truncatedHeader(byteCount: limit) }
    position = start
    var velocities = [UInt8](repeating: 127, count: 16)
    while position < limit, !state.endOfTrack {
      let descriptor = bytes[position]
      parseMUSEvent(&velocities)
      if descriptor & 0x80 != 0, !state.endOfTrack { parseDelta() }
    }
    if !state.endOfTrack { warn(.missingEndOfTrack, at: start) }
    tracks.append(MIDIFile.Track(events: 0..<events.count, endTick: state.tick))
    return file(.mus, .single, Self.division)
  }

  private mutating func parseMUSEvent(_ velocities: inout [UInt8]) {
    let (offset, descriptor) = (position, bytes[position])
    let kind = descriptor >> 4 & 7
    let hasVelocity = kind == 1 && offset + 1 < limit && bytes[offset + 1] & 0x80 != 0
    let size = [1, hasVelocity ? 2 : 1, 1, 1, 2, 0, 0, 0][Int(kind)]
    position = min(offset + 1 + size, limit)
    guard limit - offset > size else { return warn(.truncatedEvent, at: offset) }
    let voice = Int(descriptor & 0xF)
    let channel = Self.midiChannel(ofMUS: descriptor & 0xF)
    let (first, last) = (bytes[min(offset + 1, limit - 1)], bytes[position - 1])
    switch kind {
    case 0: append(.message(.noteOff(channel: channel, note: first & 0x7F)))
    case 1:
      if hasVelocity { velocities[voice] = last & 0x7F }
      append(.message(.noteOn(channel: channel, note: first & 0x7F, velocity7: velocities[voice])))
    case 2: append(.message(.pitchBend(channel: channel, bend14: UInt16(first) << 6)))
    case 4 where first == 0: append(.message(.programChange(channel: channel, program: last & 0x7F)))
    case 3 where (10...14).contains(first):
      append(.message(.controlChange(channel: channel, Self.controllers[Int(first) - 1], value7: 0)))
    case 4 where (1...9).contains(first):
      // Doom's own songs have values beyond 127, which its players hold there.
      append(.message(.controlChange(channel: channel, Self.controllers[Int(first) - 1], value7: min(last, 127))))
    // The end of a bar.
    case 5: break
    case 6: state.endOfTrack = true
    default: warn(.illegalStatus(descriptor), at: offset)
    }
  }

  /// Channel 9 of MIDI is that of percussion.
  private static func midiChannel(ofMUS channel: UInt8) -> UInt8 {
    switch channel {
    case 15: 9
    case 9...: channel + 1
    default: channel
    }
  }
}
