import Foundation
import TestSupport
import Testing

@Suite("Songs that play, on the session's bus", .timeLimit(.minutes(5)))
struct NowPlayingTests {
  private let directory = try! TemporaryDirectory()

  /// Ten hours: `null` takes them as fast as they are rendered.
  private func add(_ name: String, title: String) throws {
    let song = smf(format: 0, tracks: [text(3, title) + note(60) + [48, 0x80, 60, 0] + end(after: 960 * 36000 - 48)])
    try Data(song).write(to: URL(filePath: directory.path(name)))
  }

  /// What a script prints in which `synth` plays the songs; it has a bus of its own.
  private func run(_ script: String) throws -> Program.Result {
    // `see TEXT COMMAND…` waits until a command of playerctl prints a text.
    let prelude = """
      cd "$1"
      # A test's thread may have signals blocked, and its children too.
      exec 3< <(exec dbus-daemon --session --nofork --print-address 2>/dev/null)
      trap "kill -KILL $!" EXIT
      read -r DBUS_SESSION_BUS_ADDRESS <&3
      export DBUS_SESSION_BUS_ADDRESS
      p() { playerctl -p synth "$@" 2>&1; }
      send() {
        dbus-send --session --print-reply --dest=org.mpris.MediaPlayer2.synth /org/mpris/MediaPlayer2 "$@" 2>&1
      }
      see() {
        local wanted=$1 seen
        shift
        for _ in {1..400}; do
          seen=$(p "$@")
          [[ $seen == "$wanted" ]] && { echo "$*: $seen"; return; }
          sleep 0.05
        done
        echo "$*: $seen, not $wanted"
      }
      """
    return try Program.run(
      ["-s", "KILL", "150", "bash", "-c", prelude + "\n" + script, Program.executable.path, directory.path("")],
      of: URL(filePath: "/usr/bin/timeout"),
      environment: ["PATH": "/usr/bin:/bin", "HOME": directory.path("")])
  }

  @Test("are shown, steered, and gone when they are over")
  func player() throws {
    try add("1.mid", title: "One")
    try add("2.mid", title: "Two")
    let result = try run(
      """
      "$0" 1.mid 2.mid --out null </dev/null &
      player=$!
      see Playing status
      see One metadata title
      see 36000000000 metadata mpris:length
      see "file://$(realpath 1.mid)" metadata xesam:url | sed 's|file.*/|…/|'
      p pause; see Paused status
      p position 30; see 30.000000 position
      p position 5-; see 25.000000 position
      p play; see Playing status
      p next; see Two metadata title
      p previous; see One metadata title
      p loop Track; see Track loop
      p loop Playlist; see Playlist loop
      p loop None; see None loop
      p shuffle On; see On shuffle
      p shuffle Off; see Off shuffle
      p volume 0.5; see 0.500000 volume
      rate=(string:org.mpris.MediaPlayer2.Player string:Rate)
      send org.freedesktop.DBus.Properties.Set "${rate[@]}" variant:double:4 >/dev/null
      send org.freedesktop.DBus.Properties.Get "${rate[@]}" | grep -o 'double.*'
      send org.mpris.MediaPlayer2.Player.Seek string:x | cut -d: -f1
      p next; see Two metadata title
      p position 35999
      wait $player; echo "ended $?"
      see 'No players found' -l
      """)
    #expect(
      result.text == """
        status: Playing
        metadata title: One
        metadata mpris:length: 36000000000
        metadata xesam:url: …/1.mid
        status: Paused
        position: 30.000000
        position: 25.000000
        status: Playing
        metadata title: Two
        metadata title: One
        loop: Track
        loop: Playlist
        loop: None
        shuffle: On
        shuffle: Off
        volume: 0.500000
        double 4
        Error org.freedesktop.DBus.Error.InvalidArgs
        metadata title: Two
        ended 0
        -l: No players found

        """)
  }

  @Test("of several programs each has a name, and Quit ends one")
  func several() throws {
    try add("1.mid", title: "One")
    let result = try run(
      """
      "$0" 1.mid --out null </dev/null &
      first=$!
      see Playing status
      "$0" 1.mid --out null </dev/null &
      second=$!
      see $'synth\\nsynth.instance'$second -l | sed 's/instance.*/instance/'
      send org.mpris.MediaPlayer2.Quit >/dev/null
      wait $first; echo "ended $?"
      see synth.instance$second -l | sed 's/instance.*/instance/'
      kill $second; wait $second; echo "ended $?"
      """)
    #expect(
      result.text == """
        status: Playing
        -l: synth
        synth.instance
        ended 0
        -l: synth.instance
        ended 143

        """)
  }

  @Test("play as ever where the bus is a dead one")
  func deadBus() throws {
    try add("1.mid", title: "One")
    let result = try Program.run(
      [directory.path("1.mid"), "--out", "null", "--start", "35999"],
      environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"])
    #expect(result.status == 0 && result.errors.isEmpty)
  }
}
