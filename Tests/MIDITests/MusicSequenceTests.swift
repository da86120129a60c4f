import SynthMIDI
import TestSupport
import Testing

@Suite("A song as an editable value")
struct MusicSequenceTests {
  @Test("what is added stands in order; what comes to one tick stays in the order it was added")
  func order() throws {
    var sequence = MusicSequence(ticksPerQuarter: 4)
    try sequence.addNote(60, at: 1, for: 1)
    try sequence.addNote(61, at: 0, for: 1)
    try sequence.add(.message(.controlChange(channel: 0, .volume, value7: 5)), at: 1)
    #expect(try MIDIFile(sequence).summary == ["0:on61", "4:on60", "4:off61", "4:cc7=5", "8:off60"])
    #expect(sequence.duration == 2)
    sequence.tracks[0].events.reverse()
    #expect(sequence.tracks[0].events.map(\.tick) == [0, 4, 4, 4, 8])
    sequence.tracks[0].events.removeAll()
    #expect(sequence.tracks[0].endTick == 8)
    sequence.tracks[0].endTick = 0
    #expect(sequence.duration == 0)
  }

  @Test("beats, seconds and frames through two changes of tempo, and between ticks")
  func beats() throws {
    var sequence = MusicSequence(ticksPerQuarter: 480, trackCount: 2)
    try sequence.setTempo(60)
    sequence.tracks[1].add(.tempo(240), at: 960)
    try sequence.setTempo(120, at: 2)
    let map = sequence.tempoMap
    #expect([0, 0.5, 2, 3, 10, -1].map(map.seconds(atBeat:)) == [0, 0.5, 2, 2.5, 6, -1])
    #expect([0, 0.5, 2, 2.5, 6].map(map.beat(atSeconds:)) == [0, 0.5, 2, 3, 10])
    #expect(map.frame(atBeat: 3, sampleRate: 48000) == 120_000 && map.beat(atFrame: 120_000, sampleRate: 48000) == 3)
    #expect(map.frame(atBeat: 1e300, sampleRate: 48000) == .max && map.frame(atBeat: .nan, sampleRate: 1) == 0)
    #expect(sequence.beat(at: 720) == 1.5)
    #expect(try sequence.tick(at: 1.5) == 720)
    // The map of the song that it becomes is the same.
    #expect(try Song(sequence).tempoMap.seconds(at: 1440) == map.seconds(atBeat: 3))
  }

  @Test("in SMPTE time a beat is half a second, whatever tempo is set")
  func smpte() throws {
    var sequence = MusicSequence()
    sequence.division = .smpte(framesPerSecond: 25, ticksPerFrame: 40)
    try sequence.setTempo(30)
    #expect(sequence.ticksPerBeat == 500)
    #expect(sequence.tempoMap.seconds(atBeat: 3) == 1.5)
    sequence.division = .smpte(framesPerSecond: 29, ticksPerFrame: 4)
    #expect(abs(sequence.tempoMap.seconds(atBeat: 3) - 1.5) < 1e-12)
    #expect(try MIDIFile(bytes: MIDIFile(sequence).bytes()).division == sequence.division)
  }

  @Test("signatures and tempos are what a file says of them")
  func meaning() throws {
    let six = try #require(SongInfo.TimeSignature(6, 8))
    let key = try #require(SongInfo.KeySignature(sharps: -3, isMinor: true))
    var sequence = MusicSequence()
    try sequence.add(.timeSignature(six), at: 0)
    try sequence.add(.keySignature(key), at: 0)
    try sequence.setTempo(90)
    #expect(sequence.tracks[0].events.compactMap(\.content.timeSignature) == [six])
    #expect(sequence.tracks[0].events.compactMap(\.content.keySignature) == [key])
    let info = SongInfo(try MIDIFile(bytes: MIDIFile(sequence).bytes()))
    #expect(info.timeSignatures.map(\.value) == [six] && info.keySignatures.map(\.value) == [key])
    #expect(abs((info.tempos.first?.value ?? 0) - 90) < 1e-4)
    #expect(SongInfo.TimeSignature(0, 4) == nil && SongInfo.TimeSignature(4, 6) == nil)
    #expect(SongInfo.KeySignature(sharps: .min) == nil)
    // What cannot be said in three bytes is the nearest that can.
    for (tempo, bytes) in [
      (0, [255, 255, 255]), (-1, [255, 255, 255]), (.nan, [255, 255, 255]), (1e300, [0, 0, 1]),
    ]
      as [(Double, [UInt8])]
    {
      #expect(MusicEvent.Content.tempo(tempo) == .meta(.tempo, bytes))
    }
  }

  @Test("texts are added in the encoding of the file, and names replaced")
  func texts() throws {
    // カ and タ in Shift-JIS.
    let japanese: [UInt8] = [0, 0xFF, 1, 4, 0x83, 0x4A, 0x83, 0x5E]
    var sequence = MusicSequence(try MIDIFile(bytes: smf(tracks: [text(3, "A") + japanese + end()])))
    #expect(sequence.textEncoding == .shiftJIS)
    try sequence.setName("カ", ofTrack: 0)
    try sequence.addText("タ", .lyric, at: 2)
    let file = try MIDIFile(bytes: MIDIFile(sequence).bytes())
    #expect(
      file.summary == [
        "0:meta3[131, 74]", "0:meta1[131, 74, 131, 94]", "960:meta5[131, 94]",
      ])
    #expect(Song(file).texts.map(\.string) == ["カ", "カタ", "タ"])
    #expect(sequence.name(ofTrack: 0) == "カ" && sequence.name(ofTrack: 1) == nil)
    #expect(sequence.texts(.lyric, .marker).map(\.string) == ["タ"])
    #expect(throws: MusicSequenceError.unencodableText("é€", .shiftJIS)) { try sequence.setName("é€", ofTrack: 0) }
  }

  @Test("a text goes there and back in every encoding", arguments: TextEncoding.allCases)
  func encodings(encoding: TextEncoding) throws {
    let words: [TextEncoding: String] = [
      .utf8: "naïve – 日本", .windows1252: "déjà – vu", .shiftJIS: "かな カナ", .windows1251: "Привет",
      .utf16: "日本語", .utf32: "日本語", .eucJP: "日本語の歌", .iso2022JP: "日本語の歌", .gb18030: "中文歌曲",
      .big5: "中文歌曲", .eucKR: "한국어노래", .windows1250: "Příliš žluťoučký kůň", .windows1253: "Τραγούδι",
      .windows1254: "Şarkı değil", .windows1255: "שיר ישראלי", .windows1256: "أغنية عربية",
      .windows1257: "Dainų šventė", .windows1258: "Bài hát tiếng Việt", .koi8R: "Подмосковные вечера",
      .latin9: "Cœur de bœuf à 5 €",
    ]
    var sequence = MusicSequence()
    sequence.textEncoding = encoding
    let word = try #require(words[encoding])
    try sequence.addText(word, .marker, at: 0)
    let read = MusicSequence(try MIDIFile(bytes: MIDIFile(sequence).bytes()))
    #expect(read.textEncoding == encoding && read.texts(.marker).map(\.string) == [word])
    let isUnicode = [.utf8, .utf16, .utf32, .gb18030, .eucKR].contains(encoding)
    #expect(isUnicode || encoding.bytes(of: "한") == nil)
  }

  @Test("a place that there is not is an error")
  func hostilePlaces() throws {
    var sequence = MusicSequence(ticksPerQuarter: 480)
    for beat in [-1, .nan, .infinity, -.infinity, 8_947_848.6, 1e300] as [Double] {
      #expect(throws: MusicSequenceError.self) { try sequence.addNote(60, at: beat, for: 1) }
      #expect(throws: MusicSequenceError.self) { try sequence.addNote(60, at: 0, for: beat) }
      #expect(throws: MusicSequenceError.self) { try sequence.setTempo(100, at: beat) }
    }
    #expect(throws: MusicSequenceError.noSuchBeat(1)) { try sequence.addNote(60, at: 2, for: -1) }
    for track in [-1, 1, .max] {
      #expect(throws: MusicSequenceError.noSuchTrack(track, count: 1)) {
        try sequence.addNote(60, at: 0, for: 1, track: track)
      }
    }
    #expect(sequence.tracks[0].events.isEmpty)
    #expect(throws: MusicSequenceError.noSuchTrack(0, count: 0)) {
      var empty = MusicSequence(trackCount: -5)
      try empty.setTempo(100)
    }
  }

  @Test("many tracks become one by tick, then by track; separate songs follow one another")
  func formats() throws {
    let tracks = [
      note(60) + end(after: 480), tempo(1_000_000) + note(61) + end(after: 480), note(62) + end(after: 480),
    ]
    let simultaneous = MusicSequence(try MIDIFile(bytes: smf(tracks: tracks)))
    let single = try MIDIFile(simultaneous, format: .single)
    #expect(single.tracks.count == 1 && single.format == .single)
    #expect(single.summary == ["0:on60", "0:meta81[15, 66, 64]", "0:on61", "0:on62"])

    let file = try MIDIFile(bytes: smf(format: 2, tracks: tracks))
    let independent = MusicSequence(file)
    #expect(try MIDIFile(independent).format == .independent)
    for format in [MIDIFile.Format.single, .simultaneous] {
      let joined = try MIDIFile(independent, format: format)
      #expect(Song(joined).events.map(\.seconds) == [0, 0.5, 1.5] && Song(joined).duration == Song(file).duration)
    }
    #expect(independent.duration == 3 && independent.tempoMap.seconds(atBeat: 3) == 2)
    var endless = independent
    for track in endless.tracks.indices { endless.tracks[track].endTick = .max }
    #expect(throws: MusicSequenceError.self) { try MIDIFile(endless, format: .simultaneous) }
  }
}
