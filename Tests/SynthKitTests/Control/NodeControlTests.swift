import AudioGraph
import SynthDSP
import SynthKit
import TestSupport
import Testing

@Suite("What nodes have, by name")
struct NodeControlTests {
  private let synthesizer: Synthesizer
  private let nodes: NodeControl

  init() throws {
    synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont]))
    nodes = NodeControl(synthesizer.engine)
  }

  @Test("is listed, buses that are set alike in one line")
  func lists() throws {
    #expect(Set(nodes.nodes).isSuperset(of: ["instruments", "mixer", "main mixer", "reverb", "equalizer", "output"]))
    synthesizer.mixer.inputs[3].gain.value = -6
    let mixer = try nodes.settings(of: "mixer")
    #expect(
      mixer.filter { $0.name.hasSuffix(" gain") }.map { "\($0.name) \($0.value)" } == [
        "input 0–2 gain 0 dB", "input 3 gain −6 dB", "input 4–15 gain 0 dB", "output gain 0 dB",
      ])
    #expect(mixer.first { $0.name == "metering" }?.value == "on" && mixer.count < 20)
    let reverb = try nodes.settings(of: "reverb")
    #expect(reverb.map(\.name) == ["type", "time", "pre-delay", "high cut", "level", "return", "input 1–2 share"])
    #expect(reverb[1].expected == "a number from 0.1 to 20 s")
  }

  @Test("is set as it is typed, with its unit or without")
  func sets() throws {
    #expect(try nodes.set("input 3 gain", of: "mixer", to: "-6dB").value == "−6 dB")
    #expect(synthesizer.mixer.inputs[3].gain.value == -6)
    #expect(try nodes.set("type", of: "reverb", to: "plate").value == "plate")
    #expect(try nodes.set("input 3 mute", of: "mixer", to: "on").value == "on")
    #expect(try nodes.set("curve", of: "equalizer", to: "1,2,3,4,5,6,7,8,9,-10").value == "1,2,3,4,5,6,7,8,9,-10 dB")
    #expect(synthesizer.equalizer.curve.gains[9] == -10)
    #expect(try nodes.set("channel map", of: "output", to: "mono,-1").value == "mono,-1")
    #expect(try nodes.setting("input 3 peak", of: "mixer").value == "-120,-120 dB")
    #expect(try nodes.setting("input 3 format", of: "mixer").value == "48000 Hz stereo")
  }

  @Test("is set for the sampler: its voices and its gain, by an exchange")
  func sampler() throws {
    #expect(try nodes.set("polyphony", of: "instruments", to: "64").value == "64")
    #expect(try nodes.set("gain", of: "instruments", to: "0.3").value == "0.3")
    let sampler = synthesizer.instruments.configuration.sampler
    #expect(sampler.polyphony == 64 && sampler.linearGain == 0.3)
    #expect(throws: SynthesizerCommandError.self) { try nodes.set("polyphony", of: "instruments", to: "0") }
  }

  @Test(
    "is refused in one line",
    arguments: [
      ("mixr", "x", "1", "set mixr: no such node; did you mean mixer?"),
      (
        "mixer", "output gian", "1",
        "set mixer output gian: no such parameter; set mixer lists those there are; did you mean output gain?"
      ),
      (
        "main mixer", "output gain", "loud",
        "set \"main mixer\" \"output gain\" loud: give a number from −120 to 24 dB"
      ),
      ("mixer", "output gain", "25", "set mixer \"output gain\" 25: give a number from −120 to 24 dB"),
      ("mixer", "metering", "2", "set mixer metering 2: give on or off"),
      (
        "mixer", "output peak", "1",
        "setting output peak of mixer: it can only be read; it follows from what is played or connected"
      ),
      (
        "output", "channel map", "1,0,0",
        "setting channel map 1,0,0: it has 3 entries, the device 2 channels; "
          + "give one entry per device channel, as in 0,1"
      ),
      (
        "limiter", "ceiling", "-3",
        "setting ceiling of limiter: it was decided when the node was made; make another node"
      ),
    ])
  func refusals(node: String, name: String, text: String, line: String) {
    do throws(SynthesizerCommandError) {
      Issue.record("\(try nodes.set(name, of: node, to: text))")
    } catch {
      #expect("\(error)" == line)
    }
  }
}
