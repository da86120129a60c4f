import Foundation
import TestSupport
import Testing

@Suite("--route", .timeLimit(.minutes(5)))
struct RouteOptionTests {
  private let songs = SongFolder()

  /// Two tracks of a note each; the second with an organ, on a channel.
  private func duet(second channel: UInt8, rest: Int = 0) -> [UInt8] {
    smf(tracks: [
      note(60) + vlq(240) + [0x80, 60, 0] + end(),
      [0, 0xC0 | channel, 19, 0, 0x90 | channel, 64, 100] + vlq(240) + [0x80 | channel, 64, 0] + end(after: rest),
    ])
  }

  @Test("a rendering is that of a song on those channels; its notes, its stems and its manifest say so")
  func render() throws {
    try songs.add("duet.mid", bytes: duet(second: 0))
    let arguments = ["--notes", "--instrument", "12=pad", "--manifest", songs.path("manifest")]
    let route = ["--route", "track:2=12"]
    #expect(try Program.run(songs.arguments(into: "routed") + arguments + route).status == 0)
    #expect(try Program.run(songs.arguments(into: "stems") + ["--stems", "channel"] + route).status == 0)
    try songs.add("duet.mid", bytes: duet(second: 11))
    _ = try Program.run(songs.arguments(into: "plain") + arguments)
    let (routed, plain) = (try songs.files(in: "routed"), try songs.files(in: "plain"))
    let isSame = routed == plain && routed.count == 2
    #expect(isSame)
    #expect(try songs.files(in: "stems").keys.filter { $0.contains("12 ") } == ["duet/12 Church Organ.wav"])
    let manifest = try String(contentsOf: URL(filePath: songs.path("manifest")), encoding: .utf8)
    #expect(manifest.contains(#""routes": ["track:2=12"]"#))
  }

  @Test("info tells the channels that sound")
  func info() throws {
    try songs.add("duet.mid", bytes: duet(second: 0))
    let result = try Program.run(["info", songs.path("songs/duet.mid"), "--json", "--route", "1=3,track:2=10"])
    let facts = try #require(try JSONSerialization.jsonObject(with: result.output) as? [[String: Any]])
    let channels = try #require(facts.first?["channels"] as? [[String: Any]])
    #expect(channels.compactMap { $0["channel"] as? Int } == [3, 10])
  }

  @Test("is typed too, listed, and taken back")
  func typed() throws {
    try songs.add("duet.mid", bytes: duet(second: 0, rest: 960 * 3600))
    let commands = """
      route
      route track:2 10
      route 1 3
      route track 2 off
      route track:3 5
      route 65 1
      route 3 x
      route 3
      quit
      """
    let path = songs.path("songs/duet.mid")
    let result = try Program.run([path, "--out", "null", "--route", "4=5"], input: commands)
    #expect(
      result.errors == """
        synth: warning: --route 4: duet.mid plays nothing there
        route      4=5
        route      4=5 track:2=10
        route      1=3 4=5 track:2=10
        route      1=3 4=5
        synth: route: track 3 is not in the song, which has 2
        synth: route 65: give a channel from 1 to 16, B1 to D16 for other ports, or a track as in track:2
        synth: route 3 x: give a channel from 1 to 16, B1 to D16 for other ports, or off
        synth: a word is missing: route CHANNEL|track:N CHANNEL|off

        """)
    #expect(result.status == 0)
    for wrong in ["3", "3=65", "track:0=1", "3=track:2", "3=5,", "=5"] {
      #expect(try Program.run([path, "--route", wrong]).status == 2, "\(wrong)")
    }
  }
}
