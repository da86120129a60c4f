import SynthMIDI
import TestSupport
import Testing

/// Files are made here by "MUS File Format" 1.31 of Vladimir Arnost.
@Suite("MUS files")
struct MUSTests {
  /// The list of instruments stands between header and score.
  private func file(_ score: [UInt8], instruments: [UInt8] = [5, 0]) -> [UInt8] {
    func word(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
    let counts = word(1) + word(0) + word(instruments.count / 2) + word(0)
    return Array("MUS\u{1A}".utf8) + word(score.count) + word(16 + instruments.count) + counts + instruments + score
  }

  /// The kinds of event, each with its channel; the highest bit says that a time follows.
  private func event(_ kind: UInt8, _ channel: UInt8 = 0, _ data: UInt8..., wait: Int? = nil) -> [UInt8] {
    [(wait == nil ? 0 : 0x80) | kind << 4 | channel] + data + (wait.map(vlq) ?? [])
  }

  private let end: [UInt8] = [0x60]

  @Test("have notes with and without velocity, and 140 ticks a second")
  func notes() throws {
    let score =
      event(1, 0, 60 | 0x80, 100) + event(1, 1, 64, wait: 70) + event(0, 0, 60) + event(1, 0, 62, wait: 210)
      + event(0, 0, 62) + event(0, 1, 64) + end
    let file = try MIDIFile(bytes: file(score))
    #expect(file.kind == .mus && file.format == .single && file.warnings.isEmpty)
    #expect(file.summary == ["0:on60", "0:on64", "70:off60", "70:on62", "280:off62", "280:off64"])
    let song = Song(file)
    #expect(song.events.map(\.seconds) == [0, 0, 0.5, 0.5, 2, 2] && song.duration == 2)
    // Each channel keeps its own velocity, which is the highest at first.
    #expect(song.events.map(\.message).filter { $0.kind == .noteOn }.map(\.velocity7) == [100, 127, 100])
  }

  @Test("have their percussion on channel 15, which is MIDI's 9; those from 9 on go one up")
  func channels() throws {
    let score = [15, 0, 8, 9, 14].flatMap { event(1, $0, 40) } + end
    #expect(Song(try MIDIFile(bytes: file(score))).events.map(\.message.channel) == [9, 0, 8, 10, 15])
  }

  @Test("have controllers by numbers of their own, programs and bends among them")
  func controllers() throws {
    var score = event(4, 0, 0, 5)
    for number in 1...9 as ClosedRange<UInt8> { score += event(4, 0, number, 100 + number) }
    for number in 10...14 as ClosedRange<UInt8> { score += event(3, 0, number) }
    score += event(4, 0, 3, 200) + event(2, 0, 128) + event(2, 0, 255) + end
    let file = try MIDIFile(bytes: file(score))
    let values = [0, 1, 7, 10, 11, 91, 93, 64, 67].enumerated().map { "0:cc\($1)=\(101 + $0)" }
    let modes = [120, 123, 126, 127, 121].map { "0:cc\($0)=0" }
    let expected: [String] = ["0:program5"] + values + modes + ["0:cc7=127"]
    #expect(Array(file.summary.dropLast(2)) == expected)
    #expect(Song(file).events.suffix(2).map(\.message.bend14) == [8192, 16320])
    #expect(file.warnings.isEmpty)
  }

  @Test("end with their score, whatever its length and bars are said to be")
  func scoreEnd() throws {
    let bytes = file(event(1, 0, 60, wait: 7) + event(5, 0) + event(0, 0, 60) + end + [1, 2, 3])
    let file = try MIDIFile(bytes: bytes)
    #expect(file.summary == ["0:on60", "7:off60"] && file.warnings.isEmpty)
  }

  @Test("that are damaged play as far as they go, with one warning per defect")
  func damaged() throws {
    let cut = try MIDIFile(bytes: file(event(1, 0, 60, wait: 7) + event(4, 0, 7)))
    #expect(cut.summary == ["0:on60"] && cut.warnings.map(\.defect) == [.truncatedEvent, .missingEndOfTrack])
    let strange = try MIDIFile(bytes: file(event(7) + event(3, 0, 2) + event(4, 0, 12, 1) + event(1, 0, 60) + end))
    #expect(strange.summary == ["0:on60"])
    #expect(strange.warnings.map(\.defect) == [.illegalStatus(0x70), .illegalStatus(0x30), .illegalStatus(0x40)])
    for count in [4, 16, 18] {
      #expect(throws: MIDIFileError(.truncatedHeader(byteCount: count), reading: "a.mus")) {
        try MIDIFile(bytes: Array(file(end).prefix(count)), name: "a.mus")
      }
    }
  }
}
