import Instruments
import Testing

@Suite("The two SoundFont engines against each other, on FluidSynth's grid")
struct NullTests {
  @Test("a gain of 1.0012 is found, and one of 1.0008 passes")
  func limits() throws {
    let test = try #require(NullCase.all.first)
    #expect(try NullRendering.compare(test) { _ in }.ratio == .infinity)
    #expect(try NullRendering.compare(test) { $0.linearGain = 1.0008 }.isSame)
    #expect(try !NullRendering.compare(test) { $0.linearGain = 1.0012 }.isSame)
  }

  @Test("each case is heard, and has a name that no other has", arguments: NullCase.all)
  func audible(_ test: NullCase) throws {
    let comparison = try NullRendering.compare(test) { _ in }
    #expect(comparison.peak > 0.002 && comparison.peak < 4, "peak \(comparison.peak)")
    #expect(NullCase.all.count { $0.name == test.name } == 1)
  }
}
