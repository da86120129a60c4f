import Testing

@testable import SynthALSA

@Suite("What a device does beside the sound")
struct PCMEffectTests {
  private static let configuration = """
    pcm.file { @args [ FILE FORMAT ] @args.FILE { type string } @args.FORMAT { type string default raw }
      type file slave.pcm null file $FILE format $FORMAT }
    pcm.null { type null }
    pcm.hidden { type plug slave { pcm "written" rate 48000 } }
    pcm.written { type file slave.pcm null file "/tmp/taken" format raw }
    pcm.bounded { type plug slave "box" }
    pcm_slave.box { pcm { type file slave.pcm null file "|cat" } }
    pcm.loop { type plug slave.pcm "loop" }
    pcm.card { type hw card 0 }
    """

  @Test(
    "is told of names that write, run a program or carry a configuration, whatever stands between",
    arguments: [
      ("file:/tmp/x,raw", "ALSA writes what is played into /tmp/x"),
      ("file:'|touch /tmp/x',raw", "ALSA runs the program touch /tmp/x with what is played"),
      ("file:FILE=/tmp/x", "ALSA writes what is played into /tmp/x"),
      ("hidden", "ALSA writes what is played into /tmp/taken"),
      ("bounded", "ALSA runs the program cat with what is played"),
      ("plug:{type null}", "the name carries a configuration of its own, which may write files and run programs"),
      ("null", nil), ("card", nil), ("loop", nil), ("nowhere", nil), ("file", nil), ("a\0b", nil), ("", nil),
    ] as [(String, String?)])
  func effects(name: String, effect: String?) {
    #expect(PCMDevice.effect(of: name, in: Self.configuration) == effect)
  }

  @Test("is found in ALSA's own configuration, too")
  func system() {
    #expect(PCMDevice.effect(of: "file:/tmp/x,raw") == "ALSA writes what is played into /tmp/x")
    #expect(PCMDevice.effect(of: "tee:null,/tmp/x,raw") == "ALSA writes what is played into /tmp/x")
    #expect(PCMDevice.effect(of: "null") == nil)
  }
}
