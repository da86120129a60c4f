import SynthMIDI
import TestSupport
import Testing

@Suite("Damaged MIDI files play, with one warning per defect")
struct DamagedFileTests {
  /// Offset of the first byte of the first track's events: 14 bytes of header, 8 of track header.
  let trackStart = 22

  private func check(
    _ bytes: [UInt8], _ summary: [String], _ warnings: [(Int, MIDIFile.Defect)],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let file = try MIDIFile(bytes: bytes)
    #expect(file.summary == summary, sourceLocation: sourceLocation)
    #expect(file.warnings.map(\.defect) == warnings.map(\.1), sourceLocation: sourceLocation)
    #expect(file.warnings.map(\.byteOffset) == warnings.map(\.0), sourceLocation: sourceLocation)
  }

  @Test("a hopeless file has its warnings counted, and the first of them kept")
  func manyWarnings() throws {
    let nonsense = (0..<5000).flatMap { _ in [0, 0xF4] as [UInt8] }
    let file = try MIDIFile(bytes: smf(tracks: [nonsense + end()]))
    #expect(file.warningCount == 5000)
    #expect(file.warnings.count == MIDIFile.mostWarnings)
    #expect(file.warnings.allSatisfy { $0.defect == .illegalStatus(0xF4) })
    #expect(file.warnings.last?.byteOffset == trackStart + 2 * MIDIFile.mostWarnings - 1)
  }

  @Test("bytes before the header are skipped, up to 64 KiB of them")
  func junk() throws {
    let song = smf(tracks: [note(60) + end()])
    try check([1, 2, 3] + song, ["0:on60"], [(0, .junkBeforeHeader(byteCount: 3))])
    let most = [UInt8](repeating: 0, count: 65_536 - 4)
    try check(most + song, ["0:on60"], [(0, .junkBeforeHeader(byteCount: 65_532))])
    #expect(throws: MIDIFileError(.notAMIDIFile(found: "00 00 00 00"), reading: "a.mid")) {
      try MIDIFile(bytes: [0] + most + song, name: "a.mid")
    }
  }

  @Test("header fields without meaning are replaced")
  func headerFields() throws {
    let track = note(60) + end()
    try check(smf(format: 9, tracks: [track]), ["0:on60"], [(8, .unknownFormat(9))])
    try check(smf(format: 0, tracks: [track, track]), ["0:on60", "0:on60"], [(8, .severalTracksInFormat0(found: 2))])
    try check(
      smf(division: 0, tracks: [track]), ["0:on60"], [(12, .invalidDivision(0, taken: .ticksPerQuarter(480)))])
    try check(
      smf(division: 0xE700, tracks: [track]), ["0:on60"],
      [(12, .invalidDivision(0xE700, taken: .smpte(framesPerSecond: 25, ticksPerFrame: 1)))])
    try check(
      header(trackCount: 3) + chunk("MTrk", track), ["0:on60"], [(10, .trackCount(promised: 3, found: 1))])
    try check(header(trackCount: 0), [], [])
  }

  @Test("a missing end of track is noticed, what follows one is skipped")
  func endOfTrack() throws {
    try check(smf(tracks: [note(60)]), ["0:on60"], [(14, .missingEndOfTrack)])
    try check(
      smf(tracks: [note(60) + end() + note(61)]), ["0:on60"],
      [(trackStart + 8, .dataAfterEndOfTrack(byteCount: 4))])
  }

  @Test("a track cut off by the end of the file plays up to there")
  func truncated() throws {
    let song = smf(tracks: [note(60) + note(61) + end()])
    try check(
      Array(song.dropLast(6)), ["0:on60"],
      [
        (18, .truncatedChunk(claimed: 12, available: 6)), (trackStart + 5, .truncatedEvent), (14, .missingEndOfTrack),
      ])
  }

  @Test("a wrong track length does not lose the next track", arguments: [1, 7, 9, 12, 100_000, 0xFFFF_FFFF])
  func wrongLength(claimed: Int) throws {
    let first = note(60) + end()
    let bytes =
      header(trackCount: 2) + Array("MTrk".utf8) + bigEndian32(claimed) + first + chunk("MTrk", note(61) + end())
    let file = try MIDIFile(bytes: bytes)
    #expect(file.summary == ["0:on60", "0:on61"])
    #expect(file.warnings.count == 1)
    #expect(file.warnings.first?.byteOffset == 18)
  }

  @Test("bytes between chunks are skipped")
  func padding() throws {
    let bytes = header(trackCount: 2) + chunk("MTrk", note(60) + end()) + [0] + chunk("MTrk", note(61) + end())
    try check(bytes + [0, 0], ["0:on60", "0:on61"], [(30, .notAChunk(byteCount: 1)), (47, .notAChunk(byteCount: 2))])
  }

  @Test("a track header without a length at the end of the file is skipped")
  func lastTag() throws {
    let bytes = smf(tracks: [note(60) + end()])
    try check(bytes + Array("MTrk".utf8), ["0:on60"], [(30, .notAChunk(byteCount: 4))])
  }

  @Test("a claimed length is never believed beyond the track")
  func hugePayload() throws {
    try check(
      smf(tracks: [[0, 0xFF, 1, 0xFF, 0xFF, 0xFF, 0x7F, 65, 66]]), ["0:meta1[65, 66]"],
      [(trackStart + 1, .truncatedPayload(claimed: 0xFFF_FFFF, available: 2)), (14, .missingEndOfTrack)])
  }

  @Test("a quantity of more than four bytes is read, and held where it is too large")
  func longQuantity() throws {
    try check(
      smf(tracks: [[0x80, 0x80, 0x80, 0x80, 5, 0x90, 60, 1] + end()]), ["5:on60"],
      [(trackStart, .longQuantity(byteCount: 5))])
    let huge: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0x90, 60, 1]
    try check(smf(tracks: [huge + end()]), ["4294967295:on60"], [(trackStart, .longQuantity(byteCount: 5))])
  }

  @Test("time stops at the last tick that can be counted")
  func lastTick() throws {
    let beforeLast: [UInt8] = [0x8F, 0xFF, 0xFF, 0xFF, 0x7E, 0x90, 60, 1]
    try check(
      smf(tracks: [beforeLast + [9, 61, 1] + [9, 62, 1] + end()]),
      ["4294967294:on60", "4294967295:on61", "4294967295:on62"],
      [(trackStart, .longQuantity(byteCount: 5)), (trackStart + 8, .timeOutOfRange)])
  }

  @Test("data bytes without a status are skipped up to the next status")
  func strayData() throws {
    try check(
      smf(tracks: [[0, 1, 2, 3, 0x90, 60, 1] + end()]), ["0:on60"], [(trackStart + 1, .strayData(byteCount: 3))])
  }

  @Test("a data byte with its highest bit set is read without it")
  func dataRange() throws {
    try check(
      smf(tracks: [[0, 0x90, 60, 0x80 | 100] + end()]), ["0:on60"], [(trackStart + 3, .dataByteOutOfRange(0xE4))])
    try check(
      smf(tracks: [[0, 0xB0, 0x87, 100] + end()]), ["0:cc7=100"], [(trackStart + 2, .dataByteOutOfRange(0x87))])
  }

  @Test("a system message, which has no place in a file, is skipped with its data")
  func systemMessages() throws {
    try check(
      smf(tracks: [[0, 0xF8, 0, 0xF2, 1, 2, 0, 0xF3, 1] + note(60) + end()]), ["0:on60"],
      [
        (trackStart + 1, .illegalStatus(0xF8)), (trackStart + 3, .illegalStatus(0xF2)),
        (trackStart + 7, .illegalStatus(0xF3)),
      ])
  }

  @Test("a System Exclusive without end is complete when something else comes")
  func unterminated() throws {
    let warnings = [(trackStart + 1, MIDIFile.Defect.unterminatedSystemExclusive)]
    try check(
      smf(tracks: [[0, 0xF0, 2, 1, 2] + note(60, after: 7) + end()]), ["0:sysex[1, 2]", "7:on60"], warnings)
    try check(
      smf(tracks: [[0, 0xF0, 1, 1] + text(1, "x", after: 7) + end()]), ["7:meta1[120]", "7:sysex[1]"], warnings)
    try check(
      smf(tracks: [[0, 0xF0, 1, 1, 3, 0xF0, 2, 2, 0xF7] + end()]), ["0:sysex[1]", "3:sysex[2]"], warnings)
  }

  @Test("a tempo of zero or of the wrong length is ignored")
  func badTempo() throws {
    let file = try MIDIFile(
      bytes: smf(tracks: [tempo(1_000_000) + tempo(0, after: 480) + [0, 0xFF, 0x51, 2, 1, 1] + end(after: 480)]))
    #expect(file.warnings.map(\.defect) == [.invalidTempo, .invalidTempo])
    #expect(Song(file).duration == 2)
  }

  @Test("a container that claims more than the file has is read to the end of the file")
  func truncatedContainer() throws {
    let song = smf(tracks: [note(60) + end()])
    let bytes = Array("RIFF".utf8) + [0, 0, 0, 0] + Array("RMIDdata".utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + song
    try check(bytes, ["0:on60"], [(12, .truncatedContainer)])
  }

  @Test("a warning prints its place and what was done on one line")
  func warningText() throws {
    let file = try MIDIFile(bytes: smf(tracks: [note(60)]))
    #expect(file.warnings.map(\.description) == ["byte 14: track without end-of-track event"])
  }
}
