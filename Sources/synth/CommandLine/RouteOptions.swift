import SynthKit
import SynthMIDI

extension SongRoutes {
  /// What `--route` says: "3=5", "track:2=10", or several with commas.
  init(_ arguments: Arguments) throws(UsageError) {
    self.init()
    for text in arguments.all(.route).flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      guard add(parsing: String(text)) else {
        throw .badValue(
          .route, String(text),
          expected: "a channel or a track of songs, and the channel that plays it: 3=5, track:2=10")
      }
    }
  }

  /// A line for each route of what a song does not play.
  func warnings(ofPartsUnusedBy song: SongFile) -> [String] {
    parts.compactMap { part in
      let isUsed = song.song.events.contains { event in
        guard event.message.kind != .systemExclusive else { return false }
        return part == .channel(event.message.channel) || part == .track(Int(event.track))
      }
      return isUsed ? nil : "--route \(part.text): \(FilePath.name(of: song.path)) plays nothing there"
    }
  }
}
