import Foundation
import SynthKit
import Testing

@Suite("Finding a soundfont")
struct SoundFontLocatorTests {
  private let root = FileManager.default.temporaryDirectory.appending(path: "fonts-\(UUID())")

  private func touch(_ path: String) throws {
    let file = root.appending(path: path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("RIFF....sfbk".utf8).write(to: file)
  }

  private func locate(_ environment: [String: String] = [:]) throws -> String {
    let locator = SoundFontLocator(
      environment: environment,
      resources: ResourceDirectories(
        environment: ["HOME": root.path + "/home", "XDG_DATA_DIRS": root.path + "/none"],
        executable: root.path + "/usr/bin/synth"),
      systemDirectories: [root.path + "/sf2", root.path + "/sf3"])
    let (path, origin) = try locator.locate()
    return "\(origin): \(path.replacingOccurrences(of: root.path, with: ""))"
  }

  @Test("the environment goes before the user's directory, the system's and the built-in font")
  func order() throws {
    let error = try #require(throws: SoundFontLocatorError.self) { try locate() }
    #expect(
      error.searched.map { $0.replacingOccurrences(of: root.path, with: "") } == [
        "/home/.local/share/synth/soundfonts", "/sf2", "/sf3", "/usr/share/synth/soundfonts/synth-gm.sf2",
        "/none/synth/soundfonts/synth-gm.sf2",
      ])
    try touch("usr/share/synth/soundfonts/synth-gm.sf2")
    #expect(try locate() == "builtIn: /usr/share/synth/soundfonts/synth-gm.sf2")
    try touch("sf3/Anything.SF3")
    #expect(try locate() == "system: /sf3/Anything.SF3")
    try touch("sf2/TimGM6mb.sf2")
    #expect(try locate() == "system: /sf2/TimGM6mb.sf2")
    try touch("sf3/FluidR3_GM.sf2")
    #expect(try locate() == "system: /sf3/FluidR3_GM.sf2")
    let junk = root.appending(path: "home/.local/share/synth/soundfonts/0-junk.sf2")
    try touch("home/.local/share/synth/soundfonts/b.sf2")
    try Data("no soundfont".utf8).write(to: junk)
    try touch("home/.local/share/synth/soundfonts/a.sf3")
    try touch("home/.local/share/synth/soundfonts/0.txt")
    #expect(try locate() == "user: /home/.local/share/synth/soundfonts/a.sf3")
    #expect(try locate(["SYNTH_SOUNDFONT": "/x.sf2"]) == "environment: /x.sf2")
  }
}
