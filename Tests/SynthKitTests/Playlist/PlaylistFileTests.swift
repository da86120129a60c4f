import SynthKit
import Testing

@Suite("A playlist")
struct PlaylistFileTests {
  private func list(_ bytes: [UInt8]) -> PlaylistFile { PlaylistFile(bytes: bytes, path: "/music/x.m3u") }
  private func list(_ text: String) -> PlaylistFile { list(Array(text.utf8)) }

  @Test("names files relative to its folder, with titles, and comments are passed over")
  func entries() {
    let list = list(
      "#EXTM3U\n# mine\n#EXTINF:123,Nobuo - Title, 2nd\n\n  deep/a.mid\t\nb #1.mid\n/abs/c.mid\n"
        + "#EXTINF:-1,\nd.mid\n#extinf:9 x=\"y\",e\n#EXTALB:f\ne.mid")
    #expect(
      list.entries.map(\.path) == [
        "/music/deep/a.mid", "/music/b #1.mid", "/abs/c.mid", "/music/d.mid", "/music/e.mid",
      ])
    #expect(list.entries.map(\.title) == ["Nobuo - Title, 2nd", nil, nil, nil, "e"])
    #expect(list.problems.isEmpty)
    #expect(PlaylistFile(bytes: Array("a.mid".utf8), path: "x.m3u").entries.map(\.path) == ["a.mid"])
  }

  @Test("may come from Windows: a byte order mark, its line ends, its folders, its encodings")
  func windows() {
    #expect(
      list([0xEF, 0xBB, 0xBF] + Array("#EXTM3U\r\nsub\\a.mid\r\n".utf8)).entries.map(\.path) == ["/music/sub/a.mid"])
    #expect(list(Array("caf".utf8) + [0xE9] + Array(".mid".utf8)).entries.map(\.path) == ["/music/café.mid"])
    #expect(list("café.mid").entries.map(\.path) == ["/music/café.mid"])
    // ファイナル in Shift-JIS.
    let japanese: [UInt8] = [0x83, 0x74, 0x83, 0x40, 0x83, 0x43, 0x83, 0x69, 0x83, 0x8B]
    #expect(
      list(Array("#EXTINF:1,".utf8) + japanese + Array("\na.mid".utf8)).entries.map(\.title) == ["ファイナル"])
  }

  @Test("may have file addresses")
  func addresses() {
    #expect(
      list("file:///a%20b/%C3%A9.mid\nFILE://here/c.mid").entries.map(\.path) == ["/a b/é.mid", "/c.mid"])
  }

  @Test("tells of lines that name no file here, and keeps the others")
  func problems() {
    let list = list(
      "http://x/a.mid\na.mid\nC:\\Music\\b.mid\nfile:///%zz\nx\0y\n" + String(repeating: "x", count: 5000))
    #expect(list.entries.map(\.path) == ["/music/a.mid"])
    #expect(
      list.problems == [
        "/music/x.m3u: line 1: http://x/a.mid is no file of this machine; give the path of one",
        #"/music/x.m3u: line 3: C:\Music\b.mid is no file of this machine; give the path of one"#,
        "/music/x.m3u: line 4: it is no text; correct the line",
        "/music/x.m3u: line 5: it is no text; correct the line",
        "/music/x.m3u: line 6: no path is as long; correct the line",
      ])
    #expect(
      self.list(String(repeating: "http://x\n", count: 100)).problems.last
        == "/music/x.m3u: and 95 more lines like these"
    )
  }
}
