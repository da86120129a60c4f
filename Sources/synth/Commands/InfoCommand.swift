import MIDI
import SynthKit
import Text

/// `synth info`: tells what is in MIDI files, for a person or a program.
struct InfoCommand {
  private let operands: [String]
  private let soundFonts: [String]
  private let isJSON: Bool
  private let showsAllLyrics: Bool

  init(_ tokens: [String]) throws(UsageError) {
    let arguments = try Arguments(tokens, allowed: [.soundFont, .json, .lyrics], takesNotText: true)
    if arguments.operands.isEmpty { throw .missing("name a MIDI file to look into") }
    operands = arguments.operands
    soundFonts = arguments.all(.soundFont)
    isJSON = arguments.has(.json)
    showsAllLyrics = arguments.has(.lyrics)
  }

  /// One file that cannot be read does not keep the others from being told.
  func run() throws {
    let fonts = try InfoFonts(soundFonts)
    var entries: [JSONValue] = []
    let songs = SongList(operands)
    if songs.entries.isEmpty, songs.problems.isEmpty { throw NoSongs(operands) }
    var failed = !songs.problems.isEmpty
    for problem in songs.problems {
      Terminal.error(problem)
      entries.append(.object([("error", .string(problem))]))
    }
    var pageCount = 0
    for path in songs.entries.map(\.path) {
      do throws(MIDIFileError) {
        let info = SongInfo(try MIDIFile(path: path))
        if isJSON {
          entries.append(InfoJSON(path: path, info: info, fonts: fonts).value)
        } else {
          if pageCount > 0 { print() }
          let page = InfoPage(path: path, info: info, fonts: fonts, showsAllLyrics: showsAllLyrics)
          print(Glyphs.ofLocale().plain(page.text), terminator: "")
          pageCount += 1
        }
      } catch {
        failed = true
        Terminal.error("\(error)")
        entries.append(.object([("file", .string(path)), ("error", .string("\(error)"))]))
      }
    }
    if isJSON { print(JSONValue.array(entries)) }
    try StandardOutput.finish()
    if failed { throw ToldAlready() }
  }
}
