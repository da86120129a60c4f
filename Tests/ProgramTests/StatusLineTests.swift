import SynthMIDI
import TestSupport
import Testing

@testable import synth

@Suite("The last line of the terminal")
struct StatusLineTests {
  /// "Daisy," from 1 s on, a second for a syllable, and "give me" from 10 s on.
  private let lyrics: Lyrics = {
    let words =
      text(3, "Words") + text(1, "/Dai", after: 960) + text(1, "sy,", after: 960) + text(1, "/give", after: 960 * 8)
      + text(1, " me", after: 960)
    return Song(try! MIDIFile(bytes: smf(tracks: [words + end()]))).lyrics
  }()

  @Test("shows a line a second before it is sung, what has been sung bright, and no line in a long rest")
  func words() {
    #expect(StatusLine(Lyrics(), at: 1) == nil)
    #expect(StatusLine(lyrics, at: -0.1) == nil)
    #expect(StatusLine(lyrics, at: 0) == StatusLine(rest: "Daisy,"))
    #expect(StatusLine(lyrics, at: 1.5) == StatusLine(bright: "Dai", rest: "sy,"))
    #expect(StatusLine(lyrics, at: 5.9) == StatusLine(bright: "Daisy,", rest: ""))
    #expect(StatusLine(lyrics, at: 6) == nil)
    #expect(StatusLine(lyrics, at: 10) == StatusLine(bright: "give", rest: " me"))
    #expect(StatusLine(lyrics, at: 100) == nil)
  }

  @Test("has a song's place and name first; a long name is shortened, and what is left over is cut at the end")
  func names() {
    let facts = "██░░ -6.0 dB  12 voices"
    func line(_ name: String, _ width: Int = 79) -> String {
      StatusLine("1:23 / 4:05  ", name: name, facts: facts, width: width).cut(to: width).rest
    }
    #expect(line("song.mid") == "1:23 / 4:05  song.mid  \(facts)")
    let long = line(String(repeating: "long name ", count: 9))
    #expect(columns(long) == 79 && long.hasPrefix("1:23 / 4:05  long name long name") && long.hasSuffix("…  \(facts)"))
    #expect(line(String(repeating: "さ", count: 40), 40) == "1:23 / 4:05  さささささささささささ…  ██")
  }

  @Test("is cut at the width of the terminal, where wide characters take two columns and marks none")
  func cut() {
    let line = StatusLine(bright: "さく", rest: "ら is e\u{301} tree")
    #expect(line.cut(to: 80) == line)
    #expect(line.cut(to: 11) == StatusLine(bright: "さく", rest: "ら is e\u{301}"))
    #expect(line.cut(to: 5) == StatusLine(bright: "さく", rest: ""))
    #expect(line.cut(to: 3) == StatusLine(bright: "さ", rest: ""))
    #expect(line.cut(to: 0) == StatusLine(rest: ""))
  }

  @Test("a word of any length is broken, also one that is a single character of many marks")
  func longWords() {
    let marks = "a" + String(repeating: "\u{903}", count: 200)
    #expect(filled("b \(marks) c", 10) == ["b \(marks) c"])
    #expect(filled(String(repeating: "さ", count: 12), 10).map(columns) == [10, 10, 4])
    #expect(filled("one two three", 8) == ["one two", "three"])
  }
}
