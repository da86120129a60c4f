import AudioGraph
@preconcurrency import Glibc
import SynthDSP
import SynthText
import Testing

@testable import SynthKit

@Suite struct PresetLibraryTests {
  /// `presets` in the source tree.
  static let factory = EqualizerPresetLibrary(directories: [
    #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" } + "/presets"
  ])

  @Test("the 22 classic presets are all there and sound")
  func factoryPresets() {
    let (presets, faults) = Self.factory.presets()
    #expect(faults.isEmpty)
    #expect(
      presets.map(\.name) == [
        "acoustic", "bass-booster", "bass-reducer", "classical", "dance", "deep", "electronic", "flat", "hip-hop",
        "jazz", "latin", "loudness", "lounge", "piano", "pop", "rnb", "rock", "small-speakers", "spoken-word",
        "treble-booster", "treble-reducer", "vocal-booster",
      ])
    #expect(presets.first { $0.name == "flat" } == .flat)
    // A line of the listing has 52 columns left for it.
    #expect(presets.allSatisfy { $0.description.count <= 52 })
  }

  @Test("a preset is found by name, and by path from anywhere")
  func lookup() throws {
    let pop = try Self.factory.preset("pop")
    #expect(pop.title == "Pop")
    #expect(pop.curve.gains == [-1.5, -1, 0, 2, 4, 4, 2, 0, -1, -1.5])
    #expect(try EqualizerPresetLibrary(directories: []).preset(Self.factory.directories[0] + "/pop.json") == pop)
  }

  @Test(
    "an unknown name is refused, and a near one suggested",
    arguments: [
      ("popp", "pop"), ("Rock", "rock"), ("bass-boost", "bass-booster"), ("spokenword", "spoken-word"), ("xyzzy", nil),
      ("", nil), ("po\0p", "pop"),
    ] as [(String, String?)])
  func unknown(name: String, nearest: String?) {
    #expect(throws: ResourceError.unknown(name: name, nearest: nearest)) { try Self.factory.preset(name) }
  }

  @Test("what is said of an unknown name, a missing file and a directory is one line")
  func messages() {
    #expect(
      "\(ResourceError.unknown(name: "popp", nearest: "pop"))"
        == "choosing preset \"popp\": unknown preset; did you mean \"pop\"? list the presets")
    let missing = #expect(throws: ResourceError.self) { try Self.factory.preset("/nowhere/x.json") }
    #expect(
      missing.map { "\($0)" } == "reading preset /nowhere/x.json: no such file or directory; "
        + "give a preset's name or the path of a readable file")
    let directory = #expect(throws: ResourceError.self) { try Self.factory.preset("/") }
    #expect(directory == .unreadable(path: "/", reason: "is a directory"))
    let endless = #expect(throws: ResourceError.self) { try Self.factory.preset("/dev/zero") }
    #expect(
      endless == .unreadable(path: "/dev/zero", reason: "it is a device, not a regular file"))
  }

  @Test("without any directory flat is still there")
  func builtIn() throws {
    let library = EqualizerPresetLibrary(directories: ["/nowhere"])
    #expect(try library.preset("flat") == .flat)
    #expect(library.presets().presets == [.flat])
  }

  @Test("a user's preset takes the place of a factory preset, and a broken one spoils only itself")
  func precedence() throws {
    let directory = try TemporaryDirectory()
    try directory.write("pop.json", PresetReaderTests.good)
    try directory.write("broken.json", "{")
    let library = EqualizerPresetLibrary(directories: [directory.path] + Self.factory.directories)
    #expect(try library.preset("pop").title == "Test")
    let (presets, faults) = library.presets()
    #expect(presets.count == 22)
    #expect(
      faults.map { "\($0)" } == [
        "reading preset \(directory.path)/broken.json:1:2: "
          + "expected a key in quotation marks, but the text ends here; correct the file there"
      ])
  }

  @Test("presets are looked for in the user's, the installed and the source directory, in this order")
  func searchPath() throws {
    func path(_ variables: [String: String], _ executable: String?) -> [String] {
      ResourceDirectories(environment: variables, executable: executable).all("presets")
    }
    let system = ["/usr/local/share/synth/presets", "/usr/share/synth/presets"]
    #expect(path(["XDG_DATA_HOME": "/d", "HOME": "/h"], nil) == ["/d/synth/presets"] + system)
    #expect(path(["XDG_DATA_HOME": "", "HOME": "/h"], nil) == ["/h/.local/share/synth/presets"] + system)
    #expect(path([:], "/usr/bin/synth") == system.reversed())
    #expect(
      path(["XDG_DATA_DIRS": "/a:b:/c"], "/opt/app/bin/app")
        == ["/opt/app/share/synth/presets", "/a/synth/presets", "/c/synth/presets"])
    let source = try #require(Self.factory.directories[0].firstRange(of: "/presets"))
    let tree = String(Self.factory.directories[0][..<source.lowerBound])
    #expect(
      path([:], tree + "/.build/debug/synth") == [tree + "/.build/share/synth/presets", tree + "/presets"] + system)
  }

  @Test("where no presets are installed, the error names every place that was looked at")
  func nowhere() throws {
    let library = EqualizerPresetLibrary(directories: ["/nowhere/synth/presets", "/tmp/none"])
    let error = try #require(throws: ResourceError.self) { try library.preset("pop") }
    #expect(error == .noPresets(name: "pop", searched: library.directories))
    #expect(
      "\(error)" == "choosing preset \"pop\": no presets are in /nowhere/synth/presets, /tmp/none; put those of synth "
        + "into one of these")
    #expect(try library.preset("flat") == .flat)
  }

  @Test("the distance of two words is the letters to change")
  func distance() {
    #expect(EditDistance.between("pop", "pop") == 0)
    #expect(EditDistance.between("pop", "popp") == 1)
    #expect(EditDistance.between("rock", "jazz") == 4)
    #expect(EditDistance.between("", "abc") == 3)
  }
}

/// A directory that is gone with the test.
private final class TemporaryDirectory {
  let path: String
  private var files: [String] = []

  init() throws {
    var template = Array("/tmp/presets-XXXXXX".utf8CString)
    path = try #require(mkdtemp(&template).map { String(cString: $0) })
  }

  func write(_ name: String, _ text: String) throws {
    let file = try #require(fopen("\(path)/\(name)", "w"))
    fputs(text, file)
    fclose(file)
    files.append("\(path)/\(name)")
  }

  deinit {
    for file in files { unlink(file) }
    rmdir(path)
  }
}
