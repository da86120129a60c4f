import SynthAudioFiles
import SynthMIDI
import SynthText

/// What rendered files say about their songs: their titles, the program, and what `--tag` says.
struct RenderTags: Sendable {
  /// Texts for all songs; an empty one leaves a tag out.
  private var given: [AudioFileTag: String] = [:]
  private let container: AudioFileContainer

  init(_ arguments: Arguments, container: AudioFileContainer) throws(UsageError) {
    self.container = container
    for text in arguments.all(.tag) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let tag = AudioFileTag(rawValue: parts[0].lowercased()) else {
        let known = AudioFileTag.allCases.map(\.rawValue).joined(separator: ", ")
        throw .badValue(.tag, text, expected: "KEY=VALUE, as in artist=Me; KEY is one of \(known)")
      }
      guard container.tags.contains(tag) else {
        let lack = container.tags.isEmpty ? "tags" : "tag \(tag)"
        throw .missing("--tag \(text): \(container) files have no \(lack), so leave it out")
      }
      given[tag] = parts[1]
    }
  }

  func tags(of song: Song) -> [AudioFileTag: String] {
    var tags = song.tags
    tags[.software] = "synth \(Request.release)"
    return tags.merging(given) { $1 }.filter { !$0.value.isEmpty && container.tags.contains($0.key) }
  }

  /// For a manifest.
  var settings: JSONValue {
    .object(AudioFileTag.allCases.compactMap { tag in given[tag].map { (tag.rawValue, .string($0)) } })
  }
}
