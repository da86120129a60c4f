import AudioGraph
import Testing

@Suite("Parameter")
struct ParameterTests {
  let mixer = MixerNode(inputBusCount: 12)

  @Test("is found by its name")
  func named() throws {
    try mixer.parameter(named: "input 3 gain").value = -6
    #expect(mixer.inputs[3].gain.value == -6)
  }

  @Test("of a mistyped name is refused with those that may be meant, the nearest first")
  func mistyped() throws {
    let error = ParameterError.unknown(
      node: "mixer", name: "inptu 3 gain", near: ["input 3 gain", "input 0 gain", "input 1 gain"])
    #expect(throws: error) { try mixer.parameter(named: "inptu 3 gain") }
    #expect(
      "\(error)"
        == "finding parameter \"inptu 3 gain\" of mixer: unknown parameter; "
        + "did you mean \"input 3 gain\", \"input 0 gain\" or \"input 1 gain\"?")
    #expect(
      "\(ParameterError.unknown(node: "mixer", name: "xyzzy", near: []))"
        == "finding parameter \"xyzzy\" of mixer: unknown parameter; its parameters are listed in `parameters`"
    )
  }

  @Test(
    "reads as people write it",
    arguments: [
      (.decibels, -6, "−6 dB"), (.hertz, 440, "440 Hz"), (.seconds, 0.25, "0.25 s"), (.ratio, 2, "2"),
      (.cents, 1200, "1200 cents"), (.percent, 50, "50 %"), (.pan, -0.5, "−0.5"), (.toggle, 1, "on"),
      (.index(["sine", "square"]), 1, "square"), (.index(["sine", "square"]), 7, "7"),
    ] as [(ParameterUnit, Float, String)])
  func texts(unit: ParameterUnit, value: Float, text: String) {
    #expect(unit.text(value) == text)
  }

  @Test(
    "reaches the kernel as what it calculates with",
    arguments: [
      (.decibels, -20, 0.1), (.decibels, -120, 0), (.cents, 1200, 2), (.cents, -2400, 0.25), (.percent, 50, 0.5),
      (.toggle, 0.3, 1), (.index(["a", "b", "c"]), 1.6, 2), (.hertz, 440, 440),
    ] as [(ParameterUnit, Float, Float)])
  func renderValues(unit: ParameterUnit, value: Float, renderValue: Float) {
    let parameter = Parameter("x", unit: unit, range: -3000...3000, default: 0)
    parameter.value = value
    #expect(abs(parameter.reader.renderValue - renderValue) <= 1e-6 * abs(renderValue))
  }

  @Test("of named values takes each of them and no other")
  func namedValues() {
    let waveform = Parameter("waveform", values: ["sine", "sawtooth", "square"])
    #expect("\(waveform)" == "waveform sine")
    waveform.value = 1.4
    #expect("\(waveform)" == "waveform sawtooth")
    waveform.value = 100
    #expect(waveform.value == 2)
    #expect(!waveform.isDefault)
  }
}
