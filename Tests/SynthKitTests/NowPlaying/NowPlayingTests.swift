import Foundation
import SynthKit
import SynthMIDI
import TestSupport
import Testing

@Suite("What plays, on the session's bus", .timeLimit(.minutes(5)))
struct NowPlayingTests {
  private let bus: SessionBus
  private let player: MockTransport
  private let nowPlaying: NowPlaying

  init() throws {
    bus = try SessionBus()
    var state = MediaState()
    state.track = MediaState.Track(
      number: 7, title: "Für Élise", artist: "Ludwig", comment: "slow", path: "/a b/é.mid", duration: 90)
    state.status = .paused
    state.position = 12.5
    player = MockTransport(state)
    nowPlaying = try #require(NowPlaying(player, name: "mock", identity: "Mock", address: bus.address))
    #expect(try eventually { try playerctl("status") == "Paused" })
  }

  private func playerctl(_ words: String...) throws -> String {
    switch words.count {
    case 1: try bus.run("playerctl", "-p", "mock", words[0], turn: nowPlaying.turn)
    case 2: try bus.run("playerctl", "-p", "mock", words[0], words[1], turn: nowPlaying.turn)
    default: try bus.run("playerctl", "-p", "mock", words[0], words[1], words[2], turn: nowPlaying.turn)
    }
  }

  /// Calls a method of an interface; of the answer, the lines after the first.
  private func send(_ method: String, _ arguments: String...) throws -> String {
    let words = (arguments + ["", "", ""]).prefix(3)
    let command = "dbus-send --session --print-reply --dest=org.mpris.MediaPlayer2.mock /org/mpris/MediaPlayer2"
    return try bus.run(
      "bash", "-c", "\(command) \(method) \(words.joined(separator: " ")) 2>&1 | grep -v '^method return'",
      turn: nowPlaying.turn)
  }

  private func set(_ property: String, _ value: String) throws -> String {
    try send("org.freedesktop.DBus.Properties.Set", "string:org.mpris.MediaPlayer2.Player", "string:\(property)", value)
  }

  @Test("is described")
  func metadata() throws {
    #expect(
      try playerctl("metadata", "--format", "{{title}}|{{artist}}|{{xesam:comment}}|{{xesam:url}}|{{mpris:length}}")
        == "Für Élise|Ludwig|slow|file:///a%20b/%C3%A9.mid|90000000")
    #expect(try playerctl("position") == "12.500000")
    player.state.track = nil
    #expect(try playerctl("metadata", "mpris:trackid") == "'/org/mpris/MediaPlayer2/TrackList/NoTrack'")
  }

  @Test("is steered; places beyond the track are its end, or the next track")
  func steering() throws {
    for words in [["play"], ["play-pause"], ["stop"], ["volume", "0.5"], ["loop", "Playlist"], ["shuffle", "On"]] {
      #expect(try words.count == 1 ? playerctl(words[0]) == "" : playerctl(words[0], words[1]) == "")
    }
    #expect(player.commands == [.play, .pause, .stop, .volume(0.5), .loop(.list), .shuffle(true)])
    #expect(try playerctl("loop") == "Playlist" && playerctl("shuffle") == "On")
    player.state.status = .paused
    #expect(try playerctl("position", "30") == "" && playerctl("position", "5-") == "")
    #expect(try playerctl("position") == "25.000000")
    _ = try send("org.mpris.MediaPlayer2.Player.Seek", "int64:999999999")
    #expect(player.commands.last == .seek(to: 90))
    _ = try send("org.mpris.MediaPlayer2.Player.Seek", "int64:-999999999")
    #expect(player.commands.last == .seek(to: 0))
    player.state.hasNext = true
    _ = try send("org.mpris.MediaPlayer2.Player.Seek", "int64:999999999")
    #expect(player.commands.last == .next)
    // Another track's, and beyond the end.
    let count = player.commands.count
    _ = try send("org.mpris.MediaPlayer2.Player.SetPosition", "objpath:/synth/track/7", "int64:5")
    _ = try send("org.mpris.MediaPlayer2.Player.SetPosition", "objpath:/synth/track/8", "int64:90000001")
    #expect(player.commands.count == count)
    _ = try send("org.mpris.MediaPlayer2.Quit")
    #expect(player.commands.last == .quit)
  }

  @Test("has a rate within its limits; none at all is a pause")
  func rate() throws {
    for (value, command) in [
      ("2", .rate(2)), ("0.01", .rate(0.25)), ("-3", .rate(0.25)), ("1000", .rate(4)), ("0", .pause),
    ] as [(String, MediaCommand)] {
      #expect(try set("Rate", "variant:double:\(value)") == "")
      #expect(player.commands.last == command)
    }
  }

  @Test("answers what it does not understand with an error")
  func errors() throws {
    let errors = [
      try set("Rate", "variant:string:fast"), try set("Rate", "variant:double:nan"),
      try set("Volume", "variant:int32:1"),
      try set("LoopStatus", "variant:string:Sometimes"), try set("Position", "variant:int64:1"),
      try set("Nothing", "variant:int64:1"), try send("org.mpris.MediaPlayer2.Player.Seek", "string:x"),
      try send("org.mpris.MediaPlayer2.Player.Rewind"), try send("org.mpris.MediaPlayer2.Player.OpenUri", "string:x"),
      try send("org.freedesktop.DBus.Properties.Get", "string:org.mpris.MediaPlayer2.Player", "string:Nothing"),
    ]
    let kinds = errors.map { $0.split(separator: " ").dropFirst().first.map { $0.dropLast() } ?? "" }
    #expect(
      kinds.map { $0.split(separator: ".").last ?? "" } == [
        "InvalidArgs", "InvalidArgs", "InvalidArgs", "InvalidArgs", "PropertyReadOnly", "UnknownProperty",
        "InvalidArgs",
        "UnknownMethod", "NotSupported", "UnknownProperty",
      ])
    #expect(player.commands.isEmpty)
    struct Refusal: Error, CustomStringConvertible { let description = "not now" }
    player.refusal = Refusal()
    #expect(try playerctl("play").contains("not now"))
  }

  @Test("tells of changes and of places that were sought")
  func signals() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "signals-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    let monitor = Process()
    monitor.executableURL = URL(filePath: "/usr/bin/dbus-monitor")
    monitor.arguments = ["--address", bus.address, "type=signal,path=/org/mpris/MediaPlayer2"]
    try Data().write(to: file)
    monitor.standardOutput = try FileHandle(forWritingTo: file)
    try monitor.run()
    defer { kill(monitor.processIdentifier, SIGKILL) }
    // Data(contentsOf:) leaks its memory where the file is empty.
    func heard() throws -> String {
      String(decoding: try FileHandle(forReadingFrom: file).readToEnd() ?? Data(), as: UTF8.self)
    }
    func sees(_ text: String) throws -> Bool {
      try eventually {
        nowPlaying.turn()
        return try heard().contains(text)
      }
    }
    // The monitor is there once it hears of something.
    #expect(
      try eventually {
        player.state.volume += 0.01
        nowPlaying.turn()
        return try !heard().isEmpty
      })
    player.state.status = .playing
    #expect(try sees("\"Playing\""))
    player.state.track?.title = "Another"
    #expect(try sees("\"Another\""))
    player.state.position = 47
    #expect(try sees("member=Seeked\n   int64 47"))
  }

  @Test("has another name where one is taken, and none when it is over")
  func names() throws {
    var second: NowPlaying? = NowPlaying(player, name: "mock", identity: "Mock", address: bus.address)
    let name = "mock.instance\(ProcessInfo.processInfo.processIdentifier)"
    let isListed = try eventually {
      try bus.run("playerctl", "-l") {
        nowPlaying.turn()
        second?.turn()
      }.split(separator: "\n").contains { $0 == name }
    }
    #expect(isListed)
    second = nil
    #expect(try eventually { try playerctl("-l") == "mock" })
  }

  @Test("a bus that goes away, or is not there, is let alone")
  func noBus() throws {
    #expect(NowPlaying(player, name: "mock", identity: "Mock", address: "unix:path=/nonexistent") == nil)
    #expect(NowPlaying(player, name: "no name", identity: "Mock", address: bus.address) == nil)
    bus.stop()
    let isGone = eventually {
      nowPlaying.turn()
      return !nowPlaying.isConnected
    }
    #expect(isGone)
    nowPlaying.turn()
  }

  @Test("may be a session")
  func session() throws {
    let synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont]))
    let session = Session(synthesizer, output: Recording().paced())
    #expect(session.mediaState == MediaState())
    let named = smf(format: 0, tracks: [text(3, "Title") + strike(60, ticks: 57_600) + end()])
    try session.play(Song(try MIDIFile(bytes: named)))
    #expect(session.mediaState.status == .playing)
    for command in [.pause, .seek(to: 20), .rate(2), .volume(0.5), .loop(.track)] as [MediaCommand] {
      try session.perform(command)
    }
    var state = session.mediaState
    #expect(state.track?.title == "Title" && state.track?.duration == 60 && state.status == .paused)
    #expect(state.position == 20 && state.rate == 2 && abs(state.volume - 0.5) < 1e-6 && state.loop == .track)
    try session.perform(.volume(0))
    try session.perform(.loop(.none))
    try session.perform(.play)
    state = session.mediaState
    #expect(state.status == .playing && state.volume == 0 && state.loop == .none)
    #expect(throws: (any Error).self) { try session.perform(.next) }
    try session.perform(.stop)
    #expect(session.mediaState.status == .stopped)
  }
}
