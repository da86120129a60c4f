import Testing

@testable import SynthSoundFonts

@Suite("SoundFont files")
struct SoundFontTests {
  private func open(_ bytes: [UInt8]) throws(SoundFontError) -> SoundFont { try SoundFont(bytes: bytes, name: "test") }

  /// The same with other four bytes at a place.
  private func patched(_ bytes: [UInt8], _ place: Int, _ text: String) -> [UInt8] {
    var bytes = bytes
    bytes.replaceSubrange(place..<place + 4, with: text.utf8)
    return bytes
  }

  @Test("tell their version, their texts, and their presets in the order of the file")
  func headers() throws {
    var builder = FontBuilder()
    builder.version = (2, 4)
    builder.information = [("INAM", "Grand"), ("ICOP", "Ann"), ("ICMT", " a\nb ")]
    let zones = [FontBuilder.Zone(generators: [(41, 0)])]
    builder.presets = [
      .init(name: "Drums", bank: 128, program: 8, zones: zones),
      .init(name: "Piano", bank: 3, program: 1, zones: zones),
    ]
    let font = try open(builder.bytes)
    #expect(font.version == (2, 4) && font.name == "Grand")
    #expect(font.information.map(\.text) == ["Grand", "Ann", "a b"])
    #expect(
      font.presets == [
        SoundFontPresetHeader(name: "Drums", bank: 128, program: 8),
        SoundFontPresetHeader(name: "Piano", bank: 3, program: 1),
      ])
    #expect(font.instrumentCount == 1 && font.sampleCount == 1 && font.sample(0).end == 100)
  }

  @Test("have names of 20 letters without a zero, in UTF-8 or Latin 1")
  func names() throws {
    var builder = FontBuilder()
    builder.presets[0].name = "Twenty letters exact"
    builder.damage["inst"] = { [0x46, 0xFC, 0x6E, 0x66, 0x00, 0x41] + $0.dropFirst(6) }
    let font = try open(builder.bytes)
    #expect(font.presets[0].name == "Twenty letters exact")
    #expect(font.records.instrumentName(0) == "Fünf")
  }

  @Test("are found in the container of a song")
  func inSong() throws {
    let builder = FontBuilder()
    let song = builder.chunk("data", [1, 2, 3])
    let bytes = builder.chunk("RIFF", Array("RMID".utf8) + song + builder.bytes)
    #expect(try open(bytes).presets.count == 1)
    #expect(
      FontBuilder.keep(PlayablePresets(try open(bytes))).preset(bank: 0, program: 0)?.pointee.zones[0].sample.words[7]
        == 7)
  }

  @Test("may tell a wrong size, or lack the byte that pads a chunk of odd size")
  func sizes() throws {
    var bytes = FontBuilder().bytes
    bytes.replaceSubrange(4..<8, with: [1, 0, 0, 0])
    #expect(try open(bytes).presets.count == 1)
    // The sample chunk is at an odd place then, so its words are copied.
    let plain = FontBuilder().bytes
    let place = try #require(plain.indices.first { plain[$0...].starts(with: "INAM".utf8) })
    var unpadded = plain
    unpadded.replaceSubrange(place + 4..<place + 14, with: [5, 0, 0, 0] + Array("Seven".utf8))
    unpadded[16] -= 1
    let font = try open(unpadded)
    #expect(font.name == "Seven")
    #expect(
      FontBuilder.keep(PlayablePresets(font)).preset(bank: 0, program: 0)?.pointee.zones[0].sample.words[99] == 99)
  }

  @Test("have low bytes from version 2.04 on, one for each word")
  func lowBytes() throws {
    var builder = FontBuilder()
    builder.lowBytes = [UInt8](repeating: 9, count: 200)
    #expect(try !open(builder.bytes).is24Bit)
    builder.version = (2, 4)
    #expect(try open(builder.bytes).is24Bit)
    let sample = try #require(builder.playable().preset(bank: 0, program: 0)).pointee.zones[0].sample
    #expect(sample.lowBytes?[199] == 9)
    builder.lowBytes.removeLast(2)
    #expect(try !open(builder.bytes).is24Bit)
  }

  @Test("are refused with chunk and byte where nothing can be played")
  func refusals() throws {
    func error(_ bytes: [UInt8]) -> SoundFontError? {
      #expect(throws: SoundFontError.self) { try open(bytes) }
    }
    #expect(error([])?.cause == .notASoundFont)
    #expect(error(Array("RIFF\0\0\0\0WAVE".utf8))?.cause == .notASoundFont)
    let bytes = FontBuilder().bytes
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: "igen".utf8) })
    let missing = error(patched(bytes, place, "what"))
    #expect(missing?.cause == .missingChunk && missing?.chunk == "igen")
    var builder = FontBuilder()
    builder.version = (4, 0)
    #expect(error(builder.bytes)?.cause == .unsupportedVersion(major: 4, minor: 0))
    builder = FontBuilder()
    builder.damage["phdr"] = { _ in [1, 2, 3] }
    #expect(error(builder.bytes)?.cause == .emptyChunk)
    builder = FontBuilder()
    builder.damage["ibag"] = { [1, 0] + $0.dropFirst(2).prefix(2) + [0, 0] + $0.dropFirst(6) }
    let descending = error(builder.bytes)
    #expect(descending?.cause == .descendingIndex(record: 1) && descending?.chunk == "ibag")
    #expect(descending.map { "\($0)" }?.contains("test: record 1 refers back behind the one before it") == true)
  }

  @Test("are refused in the system's words where they cannot be opened")
  func unreadable() {
    #expect(throws: SoundFontError(.cannotOpen(code: 2), path: "/nope.sf2")) { try SoundFont(path: "/nope.sf2") }
    #expect(throws: SoundFontError(.notASoundFont, path: "/dev/null")) { try SoundFont(path: "/dev/null") }
  }
}
