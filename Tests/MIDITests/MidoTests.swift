import Foundation
import SynthMIDI
import TestSupport
import Testing

/// What mido, a MIDI library in Python, reads in files, is what this one reads. `Tests/mido` asks it.
@Suite("Beside mido", .timeLimit(.minutes(5)))
struct MidoTests {
  private struct Facts: Decodable {
    let format: Int
    let ticksPerQuarter: Int
    let seconds: Double
    let messages: Int
    let notes: Int
    /// Each tempo that differs from the one before: its tick, and the microseconds of a quarter note.
    let tempos: [[Int]]
    /// A digest of the events of each track, with their ticks.
    let tracks: [String]
  }

  private struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  private func facts(_ paths: [String]) throws -> [Facts] {
    let process = Process()
    process.executableURL = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../mido")
    process.arguments = paths
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let lines = output.fileHandleForReading.readDataToEndOfFile().split(separator: 0x0A)
    process.waitUntilExit()
    guard process.terminationStatus == 0, lines.count == paths.count else {
      throw Missing(description: "Tests/mido failed; `make test-deps` installs the package python3-mido")
    }
    return try lines.map { try JSONDecoder().decode(Facts.self, from: $0) }
  }

  @Test("each song of openttd-openmsx has the same messages, tempos and duration, also when it was written again")
  func songs() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "mido-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let paths = try RealSongTests.names.map { try TestFiles.song($0) }
    func written(_ path: String, _ name: String, _ change: (inout MusicSequence) throws -> Void = { _ in }) throws
      -> String
    {
      var sequence = MusicSequence(try MIDIFile(path: path))
      try change(&sequence)
      let copy = directory.appending(path: name).path
      try MIDIFile(sequence).write(to: copy)
      return copy
    }
    let (original, copies) = (
      try facts(paths), try facts(try paths.enumerated().map { try written($1, "\($0).mid") })
    )
    for (path, (read, copy)) in zip(paths, zip(original, copies)) {
      let info = SongInfo(try MIDIFile(path: path))
      #expect(
        read.format == Int(info.format.rawValue) && info.division == .ticksPerQuarter(UInt16(read.ticksPerQuarter)))
      #expect(read.messages == info.song.events.count && read.notes == info.noteCount, "\(path)")
      #expect(
        read.tempos == info.tempos.map { [Int($0.start.tick), Int((60_000_000 / $0.value).rounded())] }, "\(path)")
      #expect(abs(read.seconds - info.song.duration) < 1e-6, "\(path)")
      #expect(copy.tracks == read.tracks && copy.tempos == read.tempos && copy.seconds == read.seconds, "\(path)")
    }
    // One event more, and its track is another.
    let changed = try written(paths[0], "changed.mid") {
      try $0.add(.message(.programChange(channel: 0, program: 0)), at: 1)
    }
    let other = try facts([changed])[0]
    #expect(other.messages == original[0].messages + 1 && other.tracks[0] != original[0].tracks[0])
    #expect(other.tracks.dropFirst() == original[0].tracks.dropFirst())
  }
}
