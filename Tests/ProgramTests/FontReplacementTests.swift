import Foundation
import TestSupport
import Testing

@Suite("A font that is cut short while it is played falls silent, and the program goes on", .timeLimit(.minutes(3)))
struct FontReplacementTests {
  private let directory = try! TemporaryDirectory()

  /// A font of four megabytes, and a song that plays all of it again and again.
  private func make() throws -> (font: String, song: String) {
    let sample = SoundFontBytes.Sample((0..<2_000_000).map { Int16(truncatingIfNeeded: $0 % 100 * 100) })
    let font = SoundFontBytes(sample, [SoundFontBytes.Zone([.sampleModes: 1], playing: 0)])
    let (fontPath, songPath) = (directory.path("long.sf2"), directory.path("endless.mid"))
    try Data(font.bytes).write(to: URL(filePath: fontPath))
    try Data(smf(format: 0, tracks: [note(96) + end(after: 960 * 36000)])).write(to: URL(filePath: songPath))
    return (fontPath, songPath)
  }

  private static let options = "--soundfont $1/long.sf2 --reverb off --chorus off"

  @Test("while it is rendered, on however many threads", arguments: ["1", "2"])
  func rendered(cores: String) throws {
    _ = try make()
    let script = """
      set -o pipefail
      $0 render $1/endless.mid \(Self.options) --end 0:10 --cores \(cores) -o - |
      { head -c 500000; truncate -s 4096 $1/long.sf2; cat; } | wc -c
      """
    let result = try Program.run(script: script, directory.path(""))
    #expect(result.status == 0, "\(result.errors)")
    #expect(Int(result.text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 > 1_000_000)
  }

  @Test("while it is played on a terminal, which then takes commands still")
  func played() throws {
    let (font, song) = try make()
    let terminal = try PseudoTerminal(
      "\(Program.executable.path) \(song) --soundfont \(font) --reverb off --chorus off --out null")
    try terminal.press("", after: "1 voice")
    #expect(truncate(font, 4096) == 0)
    try terminal.press("gain -7\r", after: "voice")
    try terminal.press("q\r", after: "gain       −7.0 dB")
    #expect(try terminal.end() == 0)
    #expect(terminal.isAsBefore)
  }
}
