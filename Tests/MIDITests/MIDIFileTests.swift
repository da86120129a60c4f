import Glibc
import SynthMIDI
import TestSupport
import Testing

@Suite("MIDI files")
struct MIDIFileTests {
  @Test("an ordinary file reads without warnings")
  func ordinary() throws {
    let file = try MIDIFile(
      bytes: smf(tracks: [
        text(3, "A") + tempo(500_000) + end(),
        [0, 0xC0, 5] + note(60) + vlq(480) + [0x80, 60, 0] + end(after: 10),
      ]))
    #expect(file.format == .simultaneous)
    #expect(file.division == .ticksPerQuarter(480))
    #expect(file.summary == ["0:meta3[65]", "0:meta81[7, 161, 32]", "0:program5", "0:on60", "480:off60"])
    #expect(file.tracks.map(\.events) == [0..<2, 2..<5])
    #expect(file.tracks.map(\.endTick) == [0, 490])
    #expect(file.warnings.isEmpty)
  }

  @Test("running status holds, also across meta and System Exclusive events")
  func runningStatus() throws {
    let track: [UInt8] =
      note(60) + [1, 61, 100] + text(1, "x") + [1, 62, 100] + [0, 0xF0, 2, 9, 0xF7] + [1, 63, 0] + end()
    let file = try MIDIFile(bytes: smf(tracks: [track]))
    #expect(file.summary == ["0:on60", "1:on61", "1:meta1[120]", "2:on62", "2:sysex[9]", "3:off63"])
    #expect(file.warnings.isEmpty)
  }

  @Test("the packets of a System Exclusive are joined at the time of the last")
  func packets() throws {
    let track: [UInt8] =
      [0, 0xF0, 2, 1, 2] + [10, 0xF7, 1, 3] + text(1, "x", after: 5) + [5, 0xF7, 2, 4, 0xF7] + end()
    let file = try MIDIFile(bytes: smf(tracks: [track]))
    #expect(file.summary == ["15:meta1[120]", "20:sysex[1, 2, 3, 4]"])
    #expect(file.warnings.isEmpty)
  }

  @Test("an F7 event alone is an escape, unless it holds a whole System Exclusive")
  func escapes() throws {
    let track: [UInt8] = [0, 0xF7, 2, 0xF3, 1] + [0, 0xF7, 3, 0xF0, 5, 0xF7] + end()
    let file = try MIDIFile(bytes: smf(tracks: [track]))
    #expect(file.summary == ["0:escape[243, 1]", "0:sysex[5]"])
  }

  @Test("the first byte of a SMPTE division is the negative frame rate")
  func smpte() throws {
    let files = try [0xE728, 0xE250, 0xE301, 0xE8FF].map {
      try MIDIFile(bytes: smf(division: $0, tracks: [end()]))
    }
    #expect(
      files.map(\.division) == [
        .smpte(framesPerSecond: 25, ticksPerFrame: 40), .smpte(framesPerSecond: 30, ticksPerFrame: 80),
        .smpte(framesPerSecond: 29, ticksPerFrame: 1), .smpte(framesPerSecond: 24, ticksPerFrame: 255),
      ])
    #expect(files.flatMap(\.warnings).isEmpty)
    #expect(
      files.map(\.division.description).prefix(3) == [
        "25 frames per second, 40 ticks each", "30 frames per second, 80 ticks each",
        "29.97 frames per second, 1 tick each",
      ])
  }

  @Test("chunks of other types are passed over silently, a longer header too")
  func otherChunks() throws {
    let long = chunk("MThd", [0, 1, 0, 1, 1, 0xE0, 7, 7])
    let file = try MIDIFile(bytes: long + chunk("XFIH", [1, 2, 3]) + chunk("MTrk", note(60) + end()))
    #expect(file.summary == ["0:on60"])
    #expect(file.warnings.map(\.defect) == [.headerLength(8)])
  }

  @Test(
    "a header of a wrong length, or none, loses no track; what is missing is format 1 at 480 ticks",
    arguments: [
      (5, 6), (5, 5), (4, 4), (2, 2), (0, 6), (0, 0), (7, 6), (10, 6), (200, 6), (UInt32.max, 6),
    ] as [(UInt32, Int)])
  func wrongHeaders(claimed: UInt32, present: Int) throws {
    let fields: [UInt8] = [0, 1, 0, 1, 0, 96]
    let header = Array("MThd".utf8) + bigEndian32(Int(claimed)) + fields.prefix(present)
    let file = try MIDIFile(bytes: header + chunk("MTrk", note(60) + end()))
    #expect(file.summary == ["0:on60"])
    #expect(file.warnings.map(\.defect) == [.headerLength(claimed)])
    #expect(file.format == .simultaneous)
    #expect(file.division == .ticksPerQuarter(present == 6 ? 96 : 480))
  }

  @Test("tracks without a header are a song")
  func headerless() throws {
    let file = try MIDIFile(bytes: chunk("MTrk", note(60) + end()) + chunk("MTrk", note(62) + end()))
    #expect(file.tracks.count == 2)
    #expect(file.warnings.map(\.description) == ["byte 0: header without a length"])
  }

  @Test("a RIFF RMID container is opened, whatever chunks stand around its data")
  func container() throws {
    func littleEndian(_ count: Int) -> [UInt8] { bigEndian32(count).reversed() }
    func riff(_ tag: String, _ bytes: [UInt8]) -> [UInt8] {
      Array(tag.utf8) + littleEndian(bytes.count) + bytes + (bytes.count % 2 == 1 ? [0] : [])
    }
    let song = smf(tracks: [note(60) + end()])
    let chunks = riff("DISP", [1, 2, 3]) + riff("data", song) + riff("LIST", [4, 5])
    let file = try MIDIFile(bytes: riff("RIFF", Array("RMID".utf8) + chunks))
    #expect(file.summary == ["0:on60"])
    #expect(file.warnings.isEmpty)
  }

  @Test("a file is read by its path, and a bad path gives the system's reason")
  func paths() throws {
    let missing = "/nonexistent.mid"
    #expect(throws: MIDIFileError(.cannotRead(reason: "no such file or directory"), reading: missing)) {
      try MIDIFile(path: missing)
    }
    #expect(throws: MIDIFileError(.cannotRead(reason: "is a directory"), reading: "/")) { try MIDIFile(path: "/") }
    #expect(throws: MIDIFileError(.notRegular, reading: "/dev/null")) { try MIDIFile(path: "/dev/null") }
    let pipe = "/tmp/MIDIFileTests.\(getpid())"
    #expect(mkfifo(pipe, 0o600) == 0)
    defer { unlink(pipe) }
    #expect(throws: MIDIFileError(.notRegular, reading: pipe)) { try MIDIFile(path: pipe) }

    var path = Array("/tmp/MIDIFileTests.XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(name) }
    // Larger than the 64 KiB read at a time.
    let bytes = smf(tracks: [(0..<30_000).flatMap { _ in note(60, after: 1) } + end()])
    #expect(write(descriptor, bytes, bytes.count) == bytes.count)
    #expect(try MIDIFile(path: name).tracks[0].endTick == 30_000)
    // A hole costs no disk.
    #expect(ftruncate(descriptor, MIDIFile.maximumByteCount + 1) == 0)
    close(descriptor)
    #expect(throws: MIDIFileError(.tooLarge(maximumByteCount: 1 << 30), reading: name)) { try MIDIFile(path: name) }
  }

  @Test("what is no MIDI file says so in one line, showing what it is instead")
  func notAFile() {
    func expect(_ cause: MIDIFileError.Cause, _ bytes: [UInt8]) {
      #expect(throws: MIDIFileError(cause, reading: "a.mid")) { try MIDIFile(bytes: bytes, name: "a.mid") }
    }
    expect(.empty, [])
    expect(.notAMIDIFile(found: "\"Oggs\""), Array("Oggs....".utf8))
    expect(.anotherFile(kind: "an Ogg audio file"), Array("OggS....".utf8))
    expect(.anotherFile(kind: "a WAV audio file"), Array("RIFF....WAVEfmt ".utf8))
    expect(.anotherFile(kind: "an MP3 audio file"), [0xFF, 0xFB, 0x90])
    expect(.anotherFile(kind: "a SoundFont"), Array("RIFF....sfbkLIST".utf8))
    expect(.notAMIDIFile(found: "7f 45 4c 46"), [0x7F, 0x45, 0x4C, 0x46])
    expect(.notAMIDIFile(found: "00"), [0])
    expect(.truncatedHeader(byteCount: 13), Array(header().dropLast()))
    let causes: [MIDIFileError.Cause] = [
      .empty, .notAMIDIFile(found: "\"Oggs\""), .anotherFile(kind: "a SoundFont"), .truncatedHeader(byteCount: 3),
      .tooLarge(maximumByteCount: 1 << 30),
      .cannotRead(reason: "permission denied"),
    ]
    for cause in causes {
      let line = MIDIFileError(cause, reading: "a.mid").description
      #expect(line.hasPrefix("reading a.mid: ") && !line.contains("\n"))
    }
  }
}
