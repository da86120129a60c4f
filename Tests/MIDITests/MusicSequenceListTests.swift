import SynthMIDI
import TestSupport
import Testing

@Suite("A song in code")
struct MusicSequenceListTests {
  @Test("tempos, signatures, markers and lyrics are lists that are read, edited and set")
  func lists() throws {
    var sequence = MusicSequence(ticksPerQuarter: 480, trackCount: 2)
    try sequence.addNote(60, at: 0, for: 1)
    sequence.tracks[1].add(.tempo(90), at: 480)
    sequence.tempos.append(PlacedValue(tick: 0, 120))
    #expect(sequence.tempos.map(\.tick) == [0, 480] && sequence.tempos.map { $0.value.rounded() } == [120, 90])
    #expect(!sequence.tracks[1].events.contains { $0.content.tempo != nil })
    #expect(sequence.tracks[0].events[0].content.tempo == 120)
    sequence.tempos[1].value = 60
    #expect(sequence.tempoMap.seconds(atBeat: 2) == 1.5)
    let waltz = try #require(SongInfo.TimeSignature(3, 4))
    let key = try #require(SongInfo.KeySignature(sharps: 2))
    sequence.timeSignatures = [PlacedValue(tick: 0, waltz)]
    sequence.keySignatures = [PlacedValue(tick: 0, key)]
    #expect(sequence.timeSignatures.map(\.value) == [waltz] && sequence.keySignatures.map(\.value) == [key])
    try sequence.setMarkers([PlacedValue(tick: 960, "Refrain"), PlacedValue(tick: 0, "Verse")])
    try sequence.setLyrics([PlacedValue(tick: 0, "lá")], track: 1)
    #expect(sequence.markers.map(\.value) == ["Verse", "Refrain"] && sequence.lyrics.map(\.value) == ["lá"])
    let read = MusicSequence(try MIDIFile(bytes: MIDIFile(sequence).bytes()))
    #expect(read == sequence && read.lyrics == sequence.lyrics)
    try sequence.setMarkers([])
    #expect(sequence.markers.isEmpty)
    #expect(throws: MusicSequenceError.noSuchTrack(2, count: 2)) { try sequence.setLyrics([], track: 2) }
    sequence.textEncoding = .windows1252
    #expect(throws: MusicSequenceError.self) { try sequence.setMarkers([PlacedValue(tick: 0, "日")]) }
  }

  private func message(_ random: inout SplitMix64) -> MIDIMessage {
    let channel = UInt8.random(in: 0...15, using: &random)
    let (a, b) = (UInt8.random(in: 0...127, using: &random), UInt8.random(in: 0...127, using: &random))
    switch Int.random(in: 0...6, using: &random) {
    case 0: return .noteOn(channel: channel, note: a, velocity7: max(b, 1))
    case 1: return .noteOff(channel: channel, note: a, velocity7: b)
    case 2: return .polyPressure(channel: channel, note: a, value7: b)
    case 3: return .controlChange(channel: channel, Controller(rawValue: a), value7: b)
    case 4: return .programChange(channel: channel, program: a)
    case 5: return .channelPressure(channel: channel, value7: a)
    default: return .pitchBend(channel: channel, bend14: UInt16(a) << 7 | UInt16(b))
    }
  }

  private func content(_ random: inout SplitMix64) -> MusicEvent.Content {
    func bytes(_ range: ClosedRange<UInt8>, _ random: inout SplitMix64) -> [UInt8] {
      (0..<Int.random(in: 1...300, using: &random)).map { _ in .random(in: range, using: &random) }
    }
    switch Int.random(in: 0...9, using: &random) {
    case 0: return .systemExclusive(bytes(0...127, &random))
    case 1: return .escape([0xF3, .random(in: 0...127, using: &random)])
    case 2: return .tempo(.random(in: 4...999, using: &random))
    case 3: return .meta([.text, .lyric, .marker, .cuePoint].randomElement(using: &random)!, bytes(32...126, &random))
    case 4: return .meta(.sequencerSpecific, bytes(0...255, &random))
    default: return .message(message(&random))
    }
  }

  @Test("300 random songs of 1 to 8 tracks read back equal, with and without running status")
  func randomSongs() throws {
    var random = SplitMix64(seed: 15)
    for number in 0..<300 {
      let tracks = (0..<Int.random(in: 1...8, using: &random)).map { _ in
        let events = (0..<Int.random(in: 0...60, using: &random)).map { _ in
          MusicEvent(tick: .random(in: 0...20_000, using: &random), content(&random))
        }
        return MusicTrack(events, endTick: .random(in: 0...30_000, using: &random))
      }
      var sequence = MusicSequence(tracks: tracks, ticksPerQuarter: .random(in: 1...32767, using: &random))
      if tracks.count == 1, number % 2 == 0 { sequence.format = .single }
      let file = try MIDIFile(bytes: MIDIFile(sequence).bytes(runningStatus: number % 3 > 0))
      #expect(file.warnings.isEmpty)
      var read = MusicSequence(file)
      // Bytes do not say which of two encodings they are of.
      read.textEncoding = sequence.textEncoding
      #expect(read == sequence)
      #expect(try Song(tracks: tracks).duration == Song(MusicSequence(tracks: tracks)).duration)
    }
  }
}
