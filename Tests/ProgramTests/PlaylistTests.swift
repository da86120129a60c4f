import Foundation
import TestSupport
import Testing

@Suite("Lists of songs", .timeLimit(.minutes(5)))
struct PlaylistTests {
  private let directory = try! TemporaryDirectory()

  private func add(_ name: String, seconds: Int = 36000) throws {
    let url = URL(filePath: directory.path(name))
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(smf(format: 0, tracks: [note(60) + [48, 0x80, 60, 0] + end(after: 960 * seconds)])).write(to: url)
  }

  private func play(_ arguments: String..., input: String) throws -> Program.Result {
    try Program.run(arguments + ["--out", "null", "--rate", "8000"], input: input)
  }

  @Test("folders and playlists are played in their order, titles are shown, and songs are read in their turn")
  func order() throws {
    for name in ["all/b.mid", "all/a.mid", "all/deep/c.mid", "1.mid"] { try add(name) }
    let list = try directory.write(
      "list.m3u8", "#EXTM3U\n#EXTINF:5,The First\n1.mid\nnowhere.mid\nall\nlist.m3u8\n")
    let result = try play(list, input: "list\nnext\nlist\nn\nn\nlist\np\nlist\nquit\n")
    #expect(
      result.errors == """
        playing    The First
        next       nowhere.mid
                   a.mid
                   b.mid
                   c.mid
        synth: reading \(directory.path("nowhere.mid")): no such file or directory; check the name and the permissions
        playing    a.mid
        next       b.mid
                   c.mid
        playing    c.mid
        next       nothing
        playing    b.mid
        next       c.mid

        """)
    #expect(result.status == 1)
  }

  @Test("of ten thousand songs only those are read that are played")
  func many() throws {
    try add("1.mid")
    let list = try directory.write(
      "list.m3u", "1.mid\n" + (0..<9999).map { "missing \($0).mid\n" }.joined())
    let result = try play(list, input: "list\nquit\n")
    #expect(result.errors.hasSuffix("           missing 4.mid\n           and 9994 more\n"))
    #expect(result.status == 0)
  }

  @Test("a folder may hold thousands")
  func manyInFolder() throws {
    let song = Data(smf(format: 0, tracks: [note(60) + end(after: 960 * 36000)]))
    for index in 1000..<4000 { try song.write(to: URL(filePath: directory.path("\(index).mid"))) }
    let result = try play(directory.path(""), input: "list\nquit\n")
    #expect(result.errors.hasPrefix("playing    1000.mid\nnext       1001.mid\n"))
    #expect(result.errors.hasSuffix("           and 2994 more\n") && result.status == 0)
  }

  @Test("--repeat begins again after the last song, until it is switched off")
  func repetition() throws {
    for name in ["1.mid", "2.mid"] { try add(name) }
    let result = try play(
      directory.path("1.mid"), directory.path("2.mid"), "--repeat",
      input: "n\nlist\nn\nlist\nrepeat off\nlist\nshuffle\nshuffle on\nn\nlist\nn\n")
    #expect(
      result.errors == """
        playing    2.mid
        next       1.mid
                   2.mid
        playing    1.mid
        next       2.mid
                   1.mid
                   2.mid
        repeat     off
        playing    1.mid
        next       2.mid
        synth: shuffle: give shuffle on, or shuffle off
        shuffle    on
        playing    2.mid
        next       nothing

        """)
    #expect(result.status == 0)
  }

  @Test("song goes to one of the list by its number, and what is none is refused")
  func chosen() throws {
    for number in 1...4 { try add("\(number).mid") }
    let result = try play(directory.path(""), input: "song 3\nlist\nsong 5\nsong x\nsong\nsong 1\nlist\nquit\n")
    #expect(
      result.errors == """
        playing    3.mid
        next       4.mid
        synth: song 5: give a number from 1 to 4
        synth: song x: give a number from 1 to 4
        synth: song: give a number from 1 to 4
        playing    1.mid
        next       2.mid
                   3.mid
                   4.mid

        """)
    #expect(result.status == 0)
  }

  @Test("--shuffle has every song once")
  func shuffle() throws {
    let names = (0..<8).map { "\($0).mid" }
    for name in names { try add(name) }
    let result = try play(
      directory.path(""), "--shuffle", input: String(repeating: "list\nnext\n", count: 8))
    let played = result.errors.split(separator: "\n").filter { $0.hasPrefix("playing") }.map { $0.dropFirst(11) }
    #expect(played.map(String.init).sorted() == names && result.status == 0)
  }

  @Test("short songs follow one another until the last, whatever is broken between them")
  func ends() throws {
    for name in ["1.mid", "2.mid", "3.mid"] { try add(name, seconds: 0) }
    let broken = try directory.write("broken.mid", "no song")
    let result = try play(
      directory.path("1.mid"), directory.path("2.mid"), broken, broken, directory.path("3.mid"), input: "")
    let line = "synth: reading \(broken): neither a MIDI nor an audio file (it starts with \"no s\"); give "
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix(line) } && result.status == 1)
  }

  @Test("a list of nothing is told of")
  func nothing() throws {
    let empty = try directory.write("empty.m3u", "#EXTM3U\n")
    let kinds = ".mid, .midi, .kar, .rmi, .smf, .xmi or .mus"
    let none = "synth: looking for songs in \(empty): no \(kinds) file, and no audio file; name others\n"
    #expect(try play(empty, input: "").errors == none)
    let elsewhere = try directory.write("web.m3u", "https://example.org/a.mid\n")
    let result = try play(elsewhere, input: "")
    #expect(
      result.errors
        == "synth: \(elsewhere): line 1: https://example.org/a.mid is no file of this machine; give the path of one\n")
    #expect(result.status == 1)
    #expect(try Program.run(["--shuffle"]).errors.hasPrefix("synth: --shuffle is for songs: name a MIDI or audio file"))
  }

  @Test("a song, a list and a line of it may have any bytes as their name")
  func bytesOfNames() throws {
    try add("short.mid", seconds: 0)
    let script = #"""
      cd "$1"; name=$(printf 'caf\351'); mv short.mid "$name.mid"; echo "$name.mid" >"$name.m3u"
      "$0" "$name.mid" "$name.m3u" --out null --rate 8000 </dev/null; "$0" info --json "$name.m3u"
      """#
    let result = try Program.run(script: script, directory.path(""))
    #expect(result.errors.isEmpty && result.status == 0, "\(result.errors)")
    #expect(result.text.contains(#"caf\udbff\udfe9.mid"#), "\(result.text)")
  }

  @Test("synth render takes playlists too: songs as if they were named, once, and folders with their paths")
  func render() throws {
    for name in ["deep/a.mid", "b.mid", "all/c.mid"] { try add(name, seconds: 0) }
    _ = try directory.write("list.m3u", "deep/a.mid\nb.mid\nb.mid\nall\n")
    let result = try Program.run(
      script: #"cd "$1" && "$0" render list.m3u -o out/ --rate 8000"#, directory.path(""))
    #expect(result.status == 0 && result.errors == "3 rendered, 0 failed\n", "\(result.errors)")
    let out = try FileManager.default.subpathsOfDirectory(atPath: directory.path("out"))
    #expect(out.sorted() == ["a.wav", "all", "all/c.wav", "b.wav"])
  }
}
