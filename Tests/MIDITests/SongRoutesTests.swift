import TestSupport
import Testing

@testable import SynthMIDI

@Suite("Routes of a song")
struct SongRoutesTests {
  /// Two tracks, both on channels 1 and 2.
  private func song() throws -> Song {
    let track = [0, 0xF0, 3, 1, 2, 0xF7, 0, 0xC0, 7, 0, 0x91, 60, 9] + end()
    return Song(try MIDIFile(bytes: smf(tracks: [track, track])))
  }

  private func channels(_ routes: SongRoutes) throws -> [UInt8] {
    let (song, routed) = (try song(), try song().routed(by: routes))
    #expect(zip(song.events, routed.events).allSatisfy { ($0.tick, $0.track) == ($1.tick, $1.track) })
    #expect(
      routed.events.filter { $0.message.kind == .systemExclusive }
        == song.events.filter {
          $0.message.kind == .systemExclusive
        })
    return routed.events.filter { $0.message.kind != .systemExclusive }.map(\.message.channel)
  }

  @Test("lead channels and tracks elsewhere; a track's own counts first, and none follows another")
  func routing() throws {
    var routes = SongRoutes()
    #expect(try channels(routes) == [0, 1, 0, 1] && routes.isEmpty)
    routes[.channel(0)] = 1
    routes[.channel(1)] = 4
    #expect(try channels(routes) == [1, 4, 1, 4])
    routes[.track(1)] = 9
    #expect(try channels(routes) == [1, 4, 9, 9])
    #expect(routes.parts == [.channel(0), .channel(1), .track(1)])
    for part in routes.parts { routes[part] = nil }
    #expect(try channels(routes) == [0, 1, 0, 1] && routes.isEmpty)
  }

  @Test("are what is told about the file")
  func info() throws {
    var routes = SongRoutes()
    routes[.track(1)] = 9
    let file = try MIDIFile(bytes: smf(tracks: (0..<2).map { _ in [0, 0xC0, 7] + note(60) + end() }))
    let info = SongInfo(file, routes: routes)
    #expect(info.channels.map(\.number) == [0, 9] && info.channels[1].programs.first?.isDrums == true)
    #expect(info.tracks.map(\.channels) == [[0], [9]])
  }
}
