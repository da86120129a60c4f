import Glibc
import SynthAudioFiles
import SynthInstruments
import SynthKit
import SynthMIDI
import SynthText

/// `synth info`: tells what is in MIDI files and audio files, for a person or a program.
struct InfoCommand: Command {
  static let options: [Option] = [.soundFont, .json, .lyrics, .route, .encoding, .mapMT32]

  private let operands: [String]
  private let soundFonts: [String]
  private let routes: SongRoutes
  private let encoding: TextEncoding?
  private let mt32: MT32Mapping
  private let isJSON: Bool
  private let showsAllLyrics: Bool

  init(_ tokens: [String]) throws(UsageError) {
    let arguments = try Arguments(tokens, allowed: Self.options)
    if arguments.operands.isEmpty { throw .missing("name a MIDI or audio file to look into") }
    operands = arguments.operands
    soundFonts = arguments.all(.soundFont)
    routes = try SongRoutes(arguments)
    encoding = try SongOptions.encoding(arguments)
    mt32 = try SongOptions.mapping(arguments)
    isJSON = arguments.has(.json)
    showsAllLyrics = arguments.has(.lyrics)
  }

  /// One file that cannot be read does not keep the others from being told.
  func run() throws {
    let fonts = try InfoFonts(soundFonts)
    var entries: [JSONValue] = []
    let songs = SongList(operands, readsInput: true)
    if songs.entries.isEmpty, songs.problems.isEmpty { throw NoSongs(operands, songs) }
    var failed = !songs.problems.isEmpty
    for problem in songs.problems {
      Terminal.error(problem)
      entries.append(.object([("error", .string(problem))]))
    }
    var pageCount = 0
    for path in songs.entries.map(\.path) {
      do {
        let facts = try facts(path, fonts)
        if isJSON {
          entries.append(facts.json())
        } else {
          if pageCount > 0 { print() }
          StandardOutput.show(Glyphs.ofLocale().plain(facts.page()), terminator: "")
          pageCount += 1
        }
      } catch {
        failed = true
        Terminal.error(errorLine(error))
        entries.append(.object([("file", .string(path)), ("error", .string(errorLine(error)))]))
      }
    }
    if isJSON { print(JSONValue.array(entries)) }
    try StandardOutput.finish()
    if failed { throw ToldAlready() }
  }

  /// What is in a file, for a program and for a person.
  private func facts(_ path: String, _ fonts: InfoFonts) throws -> (json: () -> JSONValue, page: () -> String) {
    // libsndfile sees by the first bytes what it cannot read, while MIDI files are read whole. Those of a pipe would be
    // gone then, so pipes are for MIDI files.
    let isReadable = [0, S_IFREG].contains(FilePath.kind(of: path))
    let audio = isReadable ? Result { () throws(AudioFileError) in try AudioFileReader(path: path) } : nil
    if case .success(let reader) = audio {
      let info = try AudioInfo(path: path, reader)
      return ({ info.json }, { info.page })
    }
    do throws(MIDIFileError) {
      let info = SongInfo(
        try MIDIFile(bytes: MIDIFile.bytes(ofFile: path), name: path, textEncoding: encoding), routes: routes,
        mt32: mt32)
      let messages = SongMessages(info.song, loops: info.loopPoints)
      let fonts = fonts.with(info.container?.bank)
      return (
        { InfoJSON(path: path, info: info, messages: messages, fonts: fonts).value },
        { InfoPage(path: path, info: info, messages: messages, fonts: fonts, showsAllLyrics: showsAllLyrics).text }
      )
    } catch {
      // A damaged audio file is told of as such.
      if case .anotherFile(let kind) = error.cause, kind.hasSuffix("audio file") { _ = try audio?.get() }
      throw error
    }
  }
}
