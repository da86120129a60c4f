import Testing

// What it sends is tested where there is a sequencer: Tests/guest/tests/midi-file-is-sent-at-its-times.
@Suite("synth send")
struct SendTests {
  @Test(
    "refuses in one line",
    arguments: [
      ([], "name a MIDI file to send"),
      (["song.mid"], "say where the song is to be played: --to a port's number or a part of its name"),
      (["song.mid", "--to", "24:0", "--tempo", "5"], "--tempo 5: give 25 to 400 percent"),
      (["song.mid", "--preset", "pop"], "--preset is no option of this command"),
    ])
  func errors(arguments: [String], line: String) throws {
    let result = try Program.run(["send"] + arguments)
    #expect(result.errors == "synth: \(line) — see synth send --help\n" && result.status == 2)
  }
}
