// The generator still makes the committed font.
import SoundFontSynthesis
import Testing

@Suite("The font made anew")
struct RegenerationTests {
  @Test("is the committed one: every byte but the frames, and those within one step, whatever the machine's libm")
  func sameFont() throws {
    let committed = try SoundFontFile(path: fontPath)
    let made = try SoundFontFile(GeneralMIDI.soundFont())
    let data = try #require(committed.chunks["smpl"])
    #expect(made.chunks == committed.chunks)
    #expect(made.bytes[..<data.lowerBound] == committed.bytes[..<data.lowerBound])
    #expect(made.bytes[data.upperBound...] == committed.bytes[data.upperBound...])
    let distance = zip(made.frames, committed.frames).map { abs(Int($0) - Int($1)) }.max()
    #expect(distance ?? 9 <= 1)
  }
}
