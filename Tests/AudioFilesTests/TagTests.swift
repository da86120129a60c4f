import SynthAudioFiles
import Testing

private let tags: [AudioFileTag: String] = [
  .title: "Größe さくら", .artist: "me", .album: "one", .date: "2026-11-22", .track: "7", .copyright: "me\nand you",
  .comment: "none", .genre: "Ambient", .software: "synth",
]

@Test(
  "What files say about their audio is read back, in any letters, and the audio with it",
  arguments: ["a.wav", "a.flac", "a.ogg", "a.opus", "a.mp3", "a.caf"])
func tagsAreKept(name: String) throws {
  let scratch = Scratch()
  let samples = (0..<9600).map { Float($0 % 100) / 200 }
  let writer = try AudioFileWriter(path: scratch.file(name), sampleRate: 48000, channelCount: 1, tags: tags)
  try writer.write([samples])
  try writer.finish()
  let reader = try AudioFileReader(path: scratch.file(name))
  for (tag, text) in tags {
    let found = reader.tags[tag]
    // libsndfile adds its own name to the program's, and does not read copyrights of MP3.
    if tag == .software {
      #expect(found?.hasPrefix(text) == true, "\(found ?? "nothing")")
    } else if tag != .copyright || name != "a.mp3" {
      #expect(found == text, "\(tag)")
    }
  }
  let read = Array(try reader.readAll()[0])
  #expect(read.count == 9600 && read.contains { $0 > 0.3 })
}

@Test("Raw files have no tags")
func rawTags() {
  let scratch = Scratch()
  let error = #expect(throws: AudioFileError.self) {
    try AudioFileWriter(path: scratch.file("a.raw"), sampleRate: 48000, channelCount: 1, tags: [.title: "x"])
  }
  #expect(error?.description == "creating \(scratch.file("a.raw")): raw has no tags — leave them out")
  #expect(scratch.names == [])
}

@Test("Tags that are odd or long make files that can be read", arguments: ["a.wav", "a.flac", "a.ogg", "a.mp3"])
func oddTags(name: String) throws {
  let scratch = Scratch()
  for text in ["", "a\0b", String(repeating: "long ", count: 30000)] {
    let writer = try AudioFileWriter(path: scratch.file(name), sampleRate: 48000, channelCount: 1, tags: [.title: text])
    try writer.write([[0.5, 0.5, 0.5]])
    try writer.finish()
    let reader = try AudioFileReader(path: scratch.file(name))
    #expect(try reader.readAll()[0].count == 3)
    #expect((reader.tags[.title] ?? "").count <= text.count)
  }
}
