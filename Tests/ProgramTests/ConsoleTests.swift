import Foundation
import SynthAudioFiles
import TestSupport
import Testing

@Suite("Commands while it plays")
struct ConsoleTests {
  private let directory = try! TemporaryDirectory()

  /// Nobody waits for its end.
  private func endless() throws -> String {
    let path = directory.path("endless.mid")
    try Data(smf(format: 0, tracks: [note(60) + end(after: 960 * 36000)])).write(
      to: URL(filePath: path))
    return path
  }

  private func short() throws -> String {
    let path = directory.path("short.mid")
    try Data(smf(format: 0, tracks: [note(60) + end(after: 96)])).write(to: URL(filePath: path))
    return path
  }

  private func play(_ songs: String..., input: String) throws -> Program.Result {
    try Program.run(songs + ["--out", "null"], input: input)
  }

  @Test("come from a pipe, and each is answered in a line, good or bad, in their order")
  func piped() throws {
    let commands = """
      preset pop
      preset popp

      reverb platte
        level   3 -6
      presett x
      xyzzy
      reverb off
      mute 10
      quit
      preset rock
      """
    let result = try play(try endless(), input: commands)
    #expect(
      result.errors == """
        preset     pop
        synth: preset popp: no such preset; did you mean pop?
        synth: reverb platte: no such reverb; did you mean plate?
        level      channel 3 −6.0 dB
        synth: presett: no such command; did you mean preset?
        synth: xyzzy: no such command; help lists them
        reverb     off
        mute       channel 10 on

        """)
    #expect(result.status == 0 && result.output.isEmpty)
  }

  @Test(
    "a line that is too long for a command is one line of error, and the next is performed", .timeLimit(.minutes(5)))
  func longLine() throws {
    let result = try play(try endless(), input: String(repeating: "x", count: 3_000_000) + "\ngain -3\nquit\n")
    #expect(
      result.errors == """
        synth: reading commands: a line is longer than 1024 bytes; end each command with a line break
        gain       −3.0 dB

        """)
    #expect(result.status == 0)
  }

  @Test("record writes what is played, and a recording that is not stopped is whole at the end")
  func record() throws {
    let (first, other, second) = (directory.path("a.wav"), directory.path("a.ogg"), directory.path("b.flac"))
    let commands =
      "record \(first)\nrecord \(other)\nsave x.mid\nseek 1\nrecord stop\nrecord stop\nrecord \(second)\nquit\n"
    let result = try play(try endless(), input: commands)
    let lines = result.errors.split(separator: "\n").map(String.init)
    #expect(result.status == 0 && lines.count == 9)
    #expect(lines[0] == "recording  \(first)" && lines[4].hasPrefix("recorded   \(first), "))
    #expect(lines[1] == "recording  \(other)" && lines[5].hasPrefix("recorded   \(other), "))
    #expect(lines[2] == "synth: writing x.mid: no keyboards are joined, whose notes it would have")
    #expect(lines[6] == "recording  none" && lines[8].hasPrefix("recorded   \(second), "))
    for path in [first, other, second] { #expect(try AudioFileReader(path: path).channelCount == 2) }
  }

  @Test("--record writes from the first sound on, and overwrites nothing; a kill leaves a file that opens")
  func recordOption() throws {
    let (path, other) = (directory.path("take.wav"), directory.path("take.flac"))
    let result = try Program.run([try short(), "--out", "null", "--record", path, "--record", other])
    let lines = result.errors.split(separator: "\n")
    #expect(result.status == 0 && lines.count == 2)
    #expect(zip(lines, [path, other]).allSatisfy { $0.hasPrefix("recorded   \($1), ") })
    #expect(try #require(try AudioFileReader(path: other).frameCount) > 10_000)
    let samples = Array(try AudioFileReader(path: path).readAll()[0])
    #expect(samples.contains { abs($0) > 0.01 })
    let again = try Program.run([try short(), "--out", "null", "--record", path])
    #expect(again.status == 1 && again.errors == "synth: creating \(path): file exists — choose another name\n")

    let unmade = directory.path("unmade.wav")
    let refused = try Program.run([try short(), "--out", "null", "--record", unmade, "--record", other])
    #expect(refused.status == 1 && refused.errors == "synth: creating \(other): file exists — choose another name\n")
    #expect(!FileManager.default.fileExists(atPath: unmade))

    let full = directory.path("full.wav")
    let limited = "ulimit -f 500; $0 $1 --out null --record $2"
    let grown = "until [ $(stat -c %s $2 2> /dev/null || echo 0) -ge 500000 ]; do sleep 0.05; done"
    let failed = try Program.run(script: "(\(grown); sleep 0.2; echo quit) | (\(limited))", try endless(), full)
    #expect(
      failed.status == 1 && failed.errors.hasPrefix("synth: writing \(full): file too large\n"), "\(failed.errors)")
    #expect(try #require(try AudioFileReader(path: full).frameCount) > 10_000)
    for (name, shown) in [("-", "-"), ("", "nowhere"), ("x.txt", "x.txt")] {
      let wrong = try Program.run([try short(), "--out", "null", "--record", name])
      #expect(wrong.errors.hasPrefix("synth: recording \(shown): give a name that ends in .wav, "))
      #expect(wrong.status == 1 && wrong.output.isEmpty)
    }

    let killed = directory.path("killed.wav")
    let script = "$0 $1 --out null --record $2 & \(grown); kill -9 $!; wait $! 2> /dev/null; :"
    #expect(try Program.run(script: script, try endless(), killed).status == 0)
    #expect(try #require(try AudioFileReader(path: killed).frameCount) >= 48000)
  }

  @Test("every answer says what is played now")
  func answers() throws {
    let commands = """
      instrument 3=pad
      chorus flanger
      unmute all
      solo 3
      unsolo 3
      quit
      """
    #expect(
      try play(try endless(), input: commands).errors == """
        instrument 3=pad
        chorus     flanger
        mute       all channels off
        solo       channel 3 on
        solo       channel 3 off

        """)
  }

  @Test("silence channels and tracks, as the options do")
  func mutes() throws {
    let result = try Program.run(
      [try endless(), "--out", "null", "--mute", "10,track:1", "--solo=track:1"],
      input: "unmute track 1\nsolo track all\nunsolo track 1\nmute track 2\nmute track\nmute track 0\nquit\n")
    #expect(
      result.errors == """
        mute       track 1 off
        solo       all tracks on
        solo       track 1 off
        synth: mute: track 2 is not in the song, which has one
        synth: a word is missing: mute CHANNEL|all|microphone|BUS|track N
        synth: mute track 0: give a track from 1 to 1024, or all

        """)
    #expect(result.status == 0)
    let wrong = try Program.run([try endless(), "--mute", "3,track:x"])
    #expect(
      wrong.errors
        == "synth: --mute track:x: give a channel from 1 to 16, B1 to D16 for other ports, or a track of songs as in track:2"
        + " — see synth play --help\n")
  }

  @Test("turn pans, sends, the map and any parameter, and tell how things are where they stand alone")
  func hands() throws {
    let commands = """
      pan 3 -0.5
      pan 3
      pan
      send 3 reverb 1
      map 1,0
      map
      mute
      mute 10
      mute
      level
      gain
      record
      tempo
      metronome
      set
      set "main mixer" "output gain" -6 dB
      set reverb time
      set reverb tme 3
      set reverb
      quit
      """
    let result = try play(try endless(), input: commands)
    #expect(
      result.errors == """
        pan        channel 3 −0.5
        pan        channel 3 −0.5
        pan        3 −0.5, others 0
        send       channel 3 reverb 1
        map        1,0
        map        1,0
        mute       all channels off; all tracks off
        mute       channel 10 on
        mute       10 on, others off; all tracks off
        level      all channels 0.0 dB
        gain       0.0 dB
        recording  none
        tempo      100 %
        metronome  off
        nodes      instruments, mixer, metronome, reverb, chorus, delay, main mixer,
                   equalizer, output, limiter
        main mixer output gain −6 dB
        reverb     time 1.822 s
        synth: set reverb tme: no such parameter; set reverb lists those there are; did you mean time?
        type                            large-hall  ("small-room", "medium-room",
                                        "large-room", "medium-hall", "large-hall" or
                                        "plate")
        time                            1.822 s  (a number from 0.1 to 20 s)
        pre-delay                       0 s  (a number from 0 to 0.127 s)
        high cut                        20000 Hz  (a number from 100 to 20000 Hz)
        level                           0 dB  (a number from −120 to 12 dB)
        return                          1  (a number from 0 to 2)
        input 1–2 share                 0  (a number from 0 to 2)

        """)
    #expect(result.status == 0)
  }

  @Test("play on another device, and on the present one where the other cannot be opened")
  func otherDevice() throws {
    let path = directory.path("moved.raw")
    let script = """
      (printf 'out\\nout hw:CARD=Nope,DEV=0\\n'; echo "out file:'$2',raw"; until [ -s $2 ]; do sleep 0.1; done; \
      printf 'quit\\n') | $0 $1 --out null
      """
    let result = try Program.run(script: script, try endless(), path)
    let lines = result.errors.split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(4) == [
        "output     null",
        "synth: opening hw:CARD=Nope,DEV=0: no such device — `synth devices` lists those there are",
        "synth: warning: file:'\(path)',raw: ALSA writes what is played into \(path)",
        "output     file:'\(path)',raw",
      ], "\(result.errors)")
    #expect(result.status == 0)
  }

  @Test("record and save find a path that begins with ~")
  func home() throws {
    let result = try Program.run(
      [try endless(), "--out", "null"], environment: ["HOME": directory.path("")], input: "record ~/a.wav\nquit\n")
    #expect(result.status == 0 && result.errors.hasPrefix("recording  \(directory.path("a.wav"))\n"))
    #expect(try AudioFileReader(path: directory.path("a.wav")).channelCount == 2)
  }

  @Test("set the metronome and the count-in, as the options do")
  func metronome() throws {
    let result = try Program.run(
      [try endless(), "--out", "null", "--metronome", "-6dB", "--count-in", "1"],
      input: "metronome off\nmetronome on\nmetronome -3\nmetronome loud\ncount-in 1\nseek 1:00\ncount-in 0\nquit\n")
    #expect(
      result.errors == """
        metronome  off
        metronome  on, −6.0 dB, at the song's tempo
        metronome  on, −3.0 dB, at the song's tempo
        synth: metronome loud: give on, off, a level as in -6dB, or for playing without songs a tempo from 20 to 400
        count-in   1 bar
        playing    from 1:00
        count-in   0 bars

        """)
    #expect(result.status == 0)
    let fast = try Program.run([try short(), "--out", "null", "--metronome", "96"])
    #expect(fast.errors == "metronome  at the songs' own tempo; 96.0 a minute is for playing without songs\n")
    let wrong = try Program.run([try endless(), "--count-in", "17"])
    #expect(wrong.errors == "synth: --count-in 17: give bars from 0 to 16 — see synth play --help\n")
    let backwards = try Program.run([try endless(), "--loop", "0:20-0:10"])
    #expect(
      backwards.errors == "synth: --loop 0:20-0:10: give an end that is after the start — see synth play --help\n")
    #expect(backwards.status == 2)
    let live = try Program.run(["--count-in", "1"])
    #expect(live.errors == "synth: --count-in is for songs: name a MIDI or audio file — see synth play --help\n")
  }

  @Test("steer the song, and say where it is")
  func song() throws {
    let commands = """
      pause
      seek 1:00
      seek +5.5
      tempo 80%
      transpose -2
      loop 0:10 0:20
      loop off
      seek 100:00:00
      loop 1:00 0:59
      q
      """
    let result = try play(try endless(), input: commands)
    let lines = result.errors.split(separator: "\n")
    #expect(lines.first?.hasPrefix("paused     at ") == true)
    #expect(
      lines.dropFirst() == [
        "paused     at 1:00", "paused     at 1:05.5", "tempo      80 %", "transpose  -2 semitones",
        "loop       0:10 to 0:20", "loop       off",
        "synth: seek: 100:00:00 is not in the song, which ends at 10:00:00",
        "synth: loop: from 1:00 to 0:59 is less than 0.05 s; give a later end",
      ])
    #expect(result.status == 0)
  }

  @Test("a last line without its end counts as well")
  func lastLine() throws {
    let result = try play(try endless(), input: "gain -3\nquit")
    #expect(result.errors == "gain       −3.0 dB\n" && result.status == 0)
  }

  @Test("next goes on to the next song, and after the last it is over")
  func next() throws {
    let result = try play(try endless(), try endless(), input: "gain -3\nnext\ngain -6\nnext\n")
    #expect(result.errors == "gain       −3.0 dB\ngain       −6.0 dB\n" && result.status == 0)
  }

  @Test("previous goes back to the song before, and the first begins again")
  func previous() throws {
    let result = try play(try endless(), try endless(), input: "next\np\nprevious\ngain -3\nn\nn\n")
    #expect(result.errors == "gain       −3.0 dB\n" && result.status == 0)
  }

  @Test("the end of a pipe does not end the playing")
  func endOfInput() throws {
    let result = try Program.run([try endless(), "--out", "null"], input: "", interruptAfter: 1)
    #expect(result.status == 130 && result.errors.isEmpty)
  }

  @Test("a song plays on where standard input is closed")
  func closedInput() throws {
    let result = try Shell.run(
      "\(Program.executable.path) \(try short()) --out null --rate 8000 <&-")
    #expect(result.status == 0 && result.errors.isEmpty)
  }

  @Test("what is no command at all harms nothing: other bytes, and lines without end")
  func noise() throws {
    var random = SplitMix64(seed: 5)
    let letters = String(
      decoding: (0..<3000).map { _ in UInt8.random(in: 0...255, using: &random) }, as: UTF8.self)
    let result = try play(
      try endless(), input: letters + "\n" + String(repeating: "x", count: 100_000) + "\nquit\n")
    #expect(result.status == 0)
    #expect(result.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("synth: ") })
  }

  @Test("help explains one, and what nobody knows is told with the nearest name or the list to look into")
  func helpForOne() throws {
    let commands = """
      help preset
      help next
      help presett
      help xyzzy
      preset nope
      preset xyzzyxyzzy
      quit
      """
    #expect(
      try play(try endless(), input: commands).errors == """
        preset NAME|next|previous|FILE|bands:…
                            another equalizer preset; bands: and ten gains set it by
                            hand
                            as in preset pop
        next                the next song; n will do
        synth: help presett: no such command; did you mean preset?
        synth: help xyzzy: no such command; help lists them
        synth: preset nope: no such preset; did you mean pop?
        synth: preset xyzzyxyzzy: no such preset; presets lists them

        """)
  }

  @Test("lists of presets and instruments mark what plays, in 80 columns")
  func lists() throws {
    let result = try play(
      try endless(),
      input: "preset pop\npresets\ninstrument 3=pad\ninstruments\npreset bands:0,0,0,0,0,0,0,0,0,0\npresets\nquit\n")
    let lines = result.errors.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(result.errors.contains(" *pop,") && result.errors.contains(" *pad,") && result.errors.contains(" bell,"))
    #expect(lines.contains("instrument 3=pad, others sampler") && lines.contains { $0.hasPrefix("presets    *bands") })
    #expect(result.errors.components(separatedBy: "*").count == 5)
  }

  @Test("status tells what plays, where and how, in 80 columns")
  func status() throws {
    let result = try play(try endless(), input: "pause\nseek 1:00\ntempo 95\nroute 1 3\npreset rock\nstatus\nquit\n")
    let lines = result.errors.split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { $0.count <= 80 })
    let status = lines.drop { !$0.hasPrefix("song ") }
    #expect(
      status.prefix(5) == [
        "song       endless.mid", "position   1:00 of 600:00, paused", "tempo      95 %", "route      1=3",
        "preset     rock",
      ])
    #expect(status.last == "xruns      0")
    #expect(status.contains("levels     silence") || status.contains { $0.hasPrefix("levels     1 ") })
    for label in ["soundfont  ", "device     null", "latency    "] {
      #expect(status.contains { $0.hasPrefix(label) }, "\(label)")
    }
  }

  @Test(
    "status tells which engine plays soundfonts",
    arguments: [("native", "engine     native, 12 points"), ("fluidsynth", "engine     fluidsynth")])
  func engine(_ name: String, _ line: String) throws {
    let result = try Program.run(
      [try TestFiles.song, "--out", "null", "--engine", name], input: "status\nquit\n")
    #expect(result.errors.split(separator: "\n").map(String.init).contains(line), "\(result.errors)")
  }

  @Test("help tells them all, in 80 columns")
  func help() throws {
    let result = try play(try endless(), input: "help\nquit\n")
    let lines = result.errors.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 })
    for word in [
      "preset", "reverb", "chorus", "gain", "level", "mute", "unmute", "solo", "unsolo", "pause", "play", "seek",
      "tempo", "transpose", "loop", "next", "previous", "quit", "presets", "instruments", "status", "route",
    ] {
      #expect(result.errors.contains(word), "\(word)")
    }
  }
}
