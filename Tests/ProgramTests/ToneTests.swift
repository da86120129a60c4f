import Testing

@Suite("synth tone")
struct ToneTests {
  @Test("plays until quit, changes as it is told, and answers in lines")
  func commands() throws {
    let result = try Program.run(
      ["tone", "--wave", "saw", "--frequency", "330", "--level", "-20dB", "--out", "null"],
      input: "wave\nfrequency 440\nstop\nstart\nwave noise\nwave x\nset \"signal generator\" level\nquit\n")
    #expect(
      result.errors == """
        tone       sawtooth, 330.0 Hz, −20.0 dB
        tone       sawtooth, 440.0 Hz, −20.0 dB
        tone       sawtooth, 440.0 Hz, −20.0 dB, stopped
        tone       sawtooth, 440.0 Hz, −20.0 dB
        tone       noise, −20.0 dB
        synth: wave x: give sine, sawtooth, square, triangle, noise
        signal generator level −20 dB

        """)
    #expect(result.status == 0 && result.output.isEmpty)
  }

  @Test(
    "refuses in one line",
    arguments: [
      (["--wave", "s"], "--wave s: give sine, sawtooth, square, triangle, noise"),
      (["--frequency", "-1"], "--frequency -1: give hertz from 0 to 192000"),
      (["--level", "30"], "--level 30: give decibels from -120 to 24"), (["loud"], "\"loud\" is one word too many"),
    ])
  func errors(arguments: [String], line: String) throws {
    let result = try Program.run(["tone"] + arguments)
    #expect(result.errors == "synth: \(line) — see synth tone --help\n" && result.status == 2)
  }
}
