import Foundation
import SynthInstruments
import Testing

/// The reference is the FluidSynth that synth uses, and where Tests/newest-fluidsynth has it the newest, both with
/// effects off; the native engine reads waves by four words, as they do.
/// `Tests/nulls --write` writes the tables of docs/soundfonts.md.
@Suite("The native SoundFont engine against FluidSynth, on its grid")
struct NullTests {
  private static func isAsked(_ work: String) -> Bool {
    ProcessInfo.processInfo.environment["SYNTH_NULLS"]?.split(separator: " ").contains(Substring(work)) ?? false
  }

  @Test("a gain of 1.0012 is found, and one of 1.0008 passes")
  func limits() throws {
    let test = try #require(NullCase.all.first)
    #expect(try NullRendering.compare(test) { _ in }.ratio == .infinity)
    #expect(try NullRendering.compare(test) { $0.linearGain = 1.0008 }.isSame)
    #expect(try !NullRendering.compare(test) { $0.linearGain = 1.0012 }.isSame)
  }

  @Test("is the same within 60 dB and a hundredth, but for what has a reason", arguments: NullCase.all)
  func generated(_ test: NullCase) throws {
    let comparison = try NullRendering.compareWithFluidSynth23(test)
    print("\(test.name): \(comparison.cells[0]), largest difference \(comparison.cells[1])")
    #expect(comparison.peak > 0.002 && comparison.peak < 4, "peak \(comparison.peak)")
    #expect(comparison.isSame == (test.exception == nil), "\(comparison)")
  }

  @Test(
    "is the same as the newest FluidSynth within 60 dB and a hundredth, but for what has a reason",
    .enabled(if: NewestFluidSynth.player != nil), arguments: NullCase.all)
  func newest(_ test: NullCase) throws {
    let comparison = try NewestFluidSynth.compare(test)
    print("newest, \(test.name): \(comparison.cells[0]), largest difference \(comparison.cells[1])")
    #expect(comparison.isSame == (test.newestException == nil), "\(comparison)")
  }

  @Test("each exception is one of a case")
  func exceptions() {
    let names = Set(NullExceptions.fluidSynth23.keys).union(NullExceptions.newest.keys)
    #expect(names.subtracting(NullCase.all.map(\.name)).isEmpty)
  }

  @Test("the page has a row for each case, in order, and each has a name that no other has")
  func page() throws {
    let rows = try NullTable.generated.rows()
    #expect(rows.map { $0.first ?? "" } == NullCase.all.map(\.name))
    #expect(Set(rows.compactMap(\.first)).count == NullCase.all.count && rows.count > 100)
    for (row, test) in zip(rows, NullCase.all) { #expect(Array(row.dropFirst(3)) == test.reasons) }
  }

  @Test("writes the page's table of generated fonts", .enabled(if: isAsked("write") && NewestFluidSynth.player != nil))
  func writeGenerated() throws {
    try NullTable.generated.write(
      NullCase.all.map { test in
        let older = try NullRendering.compareWithFluidSynth23(test).cells
        let newest = try NewestFluidSynth.compare(test).cells
        return [test.name, older[0], newest[0]] + test.reasons
      })
  }

  @Test("songs are the same, too", .enabled(if: isAsked("songs")))
  func songs() throws {
    var rows: [[String]] = []
    for name in try NullSong.names() {
      var row = [name]
      for font in NullSong.fonts {
        let comparison = try NullSong.compare(name, font: font)
        row += comparison.cells
        print("\(name), \(font): \(comparison.cells.joined(separator: ", "))")
        #expect(comparison.isSame, "\(name), \(font): \(comparison)")
      }
      rows.append(row)
    }
    if Self.isAsked("write") { try NullTable.songs.write(rows) }
  }
}

extension SamplerConfiguration {
  mutating func useNative() { (engine, interpolation) = (.native, .cubic) }
}
