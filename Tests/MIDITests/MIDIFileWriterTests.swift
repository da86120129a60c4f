import Glibc
import TestSupport
import Testing

@testable import SynthMIDI

@Suite("A MIDI file is written")
struct MIDIFileWriterTests {
  @Test("byte by byte as the standard has it, with running status and without")
  func bytes() throws {
    var sequence = MusicSequence(ticksPerQuarter: 96)
    try sequence.setTempo(120)
    try sequence.addNote(60, velocity: 100, at: 0, for: 1)
    try sequence.addNote(64, velocity: 90, channel: 1, at: 200, for: 1)
    let start: [UInt8] = [0, 0xFF, 0x51, 3, 7, 0xA1, 0x20, 0, 0x90, 60, 100, 96]
    // 199 × 96 ticks are 19104, 0x81 0x95 0x20.
    let running = start + [60, 0, 0x81, 0x95, 0x20, 0x91, 64, 90, 96, 64, 0] + end()
    let full = start + [0x80, 60, 64, 0x81, 0x95, 0x20, 0x91, 64, 90, 96, 0x81, 64, 64] + end()
    #expect(try MIDIFile(sequence).bytes() == smf(division: 96, tracks: [running]))
    #expect(try MIDIFile(sequence).bytes(runningStatus: false) == smf(division: 96, tracks: [full]))
  }

  @Test("running status ends at a text and at a System Exclusive")
  func runningStatusEnds() throws {
    let track = MusicTrack([
      MusicEvent(tick: 0, .message(.controlChange(channel: 2, .volume, value7: 1))),
      MusicEvent(tick: 0, .meta(.marker, [65])),
      MusicEvent(tick: 0, .message(.controlChange(channel: 2, .volume, value7: 2))),
      MusicEvent(tick: 5, .systemExclusive([1, 2])),
      MusicEvent(tick: 5, .message(.controlChange(channel: 2, .volume, value7: 3))),
      MusicEvent(tick: 5, .escape([0xF3, 1])),
    ])
    var sequence = MusicSequence()
    sequence.tracks = [track]
    let expected: [UInt8] =
      [0, 0xB2, 7, 1, 0, 0xFF, 6, 1, 65, 0, 0xB2, 7, 2, 5, 0xF0, 3, 1, 2, 0xF7, 0, 0xB2, 7, 3, 0, 0xF7, 2, 0xF3, 1]
      + end()
    #expect(try MIDIFile(sequence).bytes() == smf(tracks: [expected]))
  }

  @Test("what MIDI 2.0 has in one message becomes control changes, and back they are the same")
  func wideMessages() throws {
    var sequence = MusicSequence()
    sequence.tracks[0].add(.message(.programChange(channel: 3, program: 7, bank: 130)), at: 0)
    sequence.tracks[0].add(.message(.registeredController(channel: 3, parameter: 129, value32: 0x8200_0000)), at: 0)
    sequence.tracks[0].add(.message(.noteOn(channel: 3, note: 60, velocity16: 5)), at: 0)
    let summary = try MIDIFile(bytes: MIDIFile(sequence).bytes()).summary
    #expect(
      summary == [
        "0:cc0=1", "0:cc32=2", "0:program7", "0:cc101=1", "0:cc100=1", "0:cc6=65", "0:cc38=0", "0:on60",
      ])
  }

  private func cause(_ sequence: MusicSequence) throws -> MIDIFileWritingError.Cause? {
    let file = try MIDIFile(sequence)
    do {
      _ = try file.bytes()
      return nil
    } catch {
      #expect(error.description.hasPrefix("writing a MIDI file: ") && error.description.contains("; "))
      return error.cause
    }
  }

  @Test("what a file cannot hold is an error that says where it is")
  func refusals() throws {
    var far = MusicSequence(trackCount: 2)
    far.tracks[1].add(.meta(.text, []), at: 0xFFF_FFFF)
    #expect(try cause(far) == nil)
    far.tracks[1].add(.meta(.text, []), at: .max)
    #expect(try cause(far) == .deltaTooLong(track: 1, from: 0xFFF_FFFF, to: .max))
    var late = MusicSequence()
    late.tracks[0].endTick = 0x1000_0000
    #expect(try cause(late) == .deltaTooLong(track: 0, from: 0, to: 0x1000_0000))

    #expect(try cause(MusicSequence(trackCount: 65535)) == nil)
    #expect(try cause(MusicSequence(trackCount: 65536)) == .tooManyTracks(65536))

    for division in [
      Division.ticksPerQuarter(0), .ticksPerQuarter(32768), .smpte(framesPerSecond: 0, ticksPerFrame: 1),
    ] {
      var sequence = MusicSequence()
      sequence.division = division
      #expect(try cause(sequence) == .invalidDivision(division))
    }
    let refused: [(MusicEvent.Content, MIDIFileWritingError.Cause)] = [
      (.message(.perNotePitchBend(channel: 0, note: 1, value32: 0)), .notInMIDI1(.perNotePitchBend, track: 0, tick: 7)),
      (.meta(.endOfTrack, []), .misplaced("an end of track", track: 0, tick: 7)),
      (.escape([0xF0, 1]), .misplaced("an escape that begins with F0", track: 0, tick: 7)),
    ]
    for (content, expected) in refused {
      var sequence = MusicSequence()
      sequence.tracks[0].add(content, at: 7)
      #expect(try cause(sequence) == expected)
    }
  }

  @Test("a file is replaced when the new one is whole; what cannot be written leaves the old one")
  func files() throws {
    var template = Array("/tmp/midi-writer-XXXXXX".utf8CString)
    let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    defer { for name in ["/a.mid", "/link.mid", ""] { remove(folder + name) } }
    let path = folder + "/a.mid"
    var sequence = MusicSequence()
    try sequence.addNote(60, at: 0, for: 1)
    try sequence.write(to: path)
    #expect(symlink(path, folder + "/link.mid") == 0)
    try sequence.addNote(62, at: 1, for: 1)
    try sequence.write(to: folder + "/link.mid", format: .single)
    #expect(try MIDIFile(path: path).summary == ["0:on60", "480:off60", "480:on62", "960:off62"])
    #expect(try MIDIFile(path: path).format == .single)

    sequence.tracks[0].add(.meta(.endOfTrack, []), at: 0)
    #expect(throws: MIDIFileWritingError.self) { try sequence.write(to: path) }
    #expect(try MIDIFile(path: path).events.count == 4)
    let missing = folder + "/none/a.mid"
    #expect(throws: MIDIFileWritingError(.cannotWrite(reason: "no such file or directory"), writing: missing)) {
      try MIDIFile(bytes: smf(tracks: [end()])).write(to: missing)
    }
  }
}
