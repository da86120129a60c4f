import SynthDSP
import Testing

@Suite struct DecibelsTests {
  @Test("20 dB is ten times the amplitude, −20 dB a tenth, silence is −∞ dB")
  func conversion() {
    #expect(Decibels(20).amplitude == 10)
    #expect(Decibels(amplitude: 0.1) == -20)
    #expect(Decibels(amplitude: -10) == 20)
    #expect(Decibels(amplitude: 0) == .silence)
    #expect(Decibels.silence.amplitude == 0)
    #expect(Decibels.unity.amplitude == 1)
  }

  @Test("levels add, compare and change sign like numbers")
  func arithmetic() {
    let level: Decibels = 1.5
    #expect(level + 2 == 3.5)
    #expect(level - 2 == -0.5)
    #expect(-level == -1.5)
    #expect(Decibels.silence < level)
  }

  @Test(
    "a level prints with a true minus sign, two decimals at most and its unit",
    arguments: [
      (-1.5, "−1.5 dB"), (0, "0 dB"), (-0.001, "0 dB"), (4.75, "4.75 dB"), (-0.05, "−0.05 dB"), (12, "12 dB"),
      (0.999, "1 dB"), (-Double.infinity, "−∞ dB"), (1e300, "1e+300 dB"),
    ] as [(Double, String)])
  func printing(value: Double, text: String) {
    #expect("\(Decibels(value))" == text)
  }

  @Test("a figure keeps the decimals it is asked for")
  func figures() {
    #expect(Decibels(-1.5).figure(decimals: 2) == "−1.50")
    #expect(Decibels(3).figure(decimals: 1) == "3.0")
    #expect(Decibels(2.5).figure(decimals: 0) == "3")
  }
}
