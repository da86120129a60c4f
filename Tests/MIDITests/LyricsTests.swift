import SynthMIDI
import TestSupport
import Testing

@Suite("Lyrics")
struct LyricsTests {
  private func lyrics(_ tracks: [UInt8]...) throws -> Lyrics {
    Song(try MIDIFile(bytes: smf(tracks: tracks.map { $0 + end() }))).lyrics
  }

  /// Text events of a type, a beat (half a second) after one another.
  private func texts(_ type: UInt8, _ texts: String...) -> [UInt8] {
    texts.flatMap { text(type, $0, after: 480) }
  }

  @Test("of Soft Karaoke come from its track of words, with what it says about the song")
  func softKaraoke() throws {
    let lyrics = try lyrics(
      text(3, "Soft karaoke") + texts(1, "@KMIDI KARAOKE FILE", "@V0100", "@INothing else"),
      text(3, "Words")
        + texts(1, "@LENGL", "@TDaisy Bell", "@THarry Dacre", "\\Dai", "sy,", " Dai", "sy,", "/give", " me", "\\your"))
    #expect(lyrics.lines.map(\.text) == ["Daisy, Daisy,", "give me", "your"])
    #expect(lyrics.lines.map(\.beginsParagraph) == [true, false, true])
    #expect(lyrics.lines[0].syllables.map(\.seconds) == [2, 2.5, 3, 3.5])
    #expect(lyrics.lines[0].syllables.map(\.text) == ["Dai", "sy,", " Dai", "sy,"])
    #expect(lyrics.lines[1].seconds == 4)
    #expect(lyrics.titles == ["Daisy Bell", "Harry Dacre"])
    #expect(lyrics.language == "ENGL" && lyrics.notes == ["Nothing else"])
  }

  @Test("of RP-017 have a carriage return at the end of a line and a line feed at the end of a paragraph")
  func lyricEvents() throws {
    let lyrics = try lyrics(
      texts(5, "Dai", "sy, ", "Dai", "sy,\r", "give ", "me\n", "your", "\\r", "an", "swer\r\n", "do"))
    #expect(lyrics.lines.map(\.text) == ["Daisy, Daisy,", "give me", "your", "answer", "do"])
    #expect(lyrics.lines.map(\.beginsParagraph) == [true, false, true, false, false])
  }

  @Test("of RP-026 are read without its tags")
  func tags() throws {
    let lyrics = try lyrics(texts(5, "{@LATIN}{#Title=Daisy}", "{@LATIN}la ", "{la"))
    #expect(lyrics.lines.map(\.text) == ["la {la"])
  }

  @Test("of either kind are understood with the breaks of the other, also behind a syllable")
  func mixed() throws {
    #expect(
      try lyrics(texts(5, "\\one ", "two", "/three", "four/", "five")).lines.map(\.text) == [
        "one two", "threefour", "five",
      ])
    #expect(try lyrics(text(3, "Words") + texts(1, "one\r", "and/or")).lines.map(\.text) == ["one", "and/or"])
  }

  @Test("are those of the fullest track, once")
  func fullest() throws {
    let duplicate = try lyrics(texts(5, "one ", "two "), texts(5, "one ", "two ", "three"))
    #expect(duplicate.lines.map(\.text) == ["one two three"])
    let both = try lyrics(texts(1, "@KMIDI", "/one", " two") + texts(5, "uno ", "due "))
    #expect(both.lines.map(\.text) == ["uno due"])
  }

  @Test("are not just any texts")
  func otherTexts() throws {
    #expect(try lyrics(texts(1, "Sequenced by a friend", "1999")).lines.isEmpty)
  }

  @Test("lose the hyphens that only mark syllables, and keep those of words")
  func hyphens() throws {
    #expect(
      try lyrics(texts(5, "hap-", "py ", "birth-", "day ", "dear ", "Ann-", "Sue\r")).lines.map(\.text) == [
        "happy birthday dear AnnSue"
      ])
    #expect(
      try lyrics(texts(5, "hap", "py ", "ding-", "dong ", "wed", "ding\r")).lines.map(\.text) == [
        "happy ding-dong wedding"
      ])
    #expect(try lyrics(texts(5, "- ", "one ", "- ")).lines.map(\.text) == ["- one -"])
  }

  @Test("without any space are those of a notation program: a word ends where there is no hyphen")
  func notation() throws {
    #expect(
      try lyrics(texts(5, "Hap-", "py", "birth-", "day", "to", "you")).lines.map(\.text) == [
        "Happy birthday to you"
      ])
    #expect(try lyrics(texts(5, "さ", "く", "ら\r")).lines.map(\.text) == ["さくら"])
  }

  @Test("without line breaks have one at each rest of more than two seconds, and after twelve syllables")
  func unbroken() throws {
    let rest = text(5, "three ", after: 480 * 5)
    #expect(try lyrics(texts(5, "one ", "two ") + rest).lines.map(\.text) == ["one two", "three"])
    #expect(try lyrics(texts(5, "one ", "two\r") + rest + text(5, "four", after: 9999)).lines.count == 2)
    let many = (0..<30).flatMap { _ in text(5, "la ", after: 1) }
    #expect(try lyrics(many).lines.map(\.syllables.count) == [12, 12, 6])
  }
}
