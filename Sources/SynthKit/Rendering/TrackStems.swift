import AudioGraph
import SynthAudioFiles
import SynthMIDI

// Stems of the tracks of a file. Channels that one track alone plays are tapped as the song is rendered. A track that
// shares one sounds by itself afterwards, on instruments that are told all that the song tells the channels, but play
// no other track's notes.

extension Synthesizer {
  /// A stem for each track with notes, in their order.
  ///
  /// - Parameter title: what a channel is called.
  func trackStems(of song: Song, title: (_ channel: UInt8) -> String) -> [Stem] {
    var channels: [Int: ChannelSet] = [:]
    for event in song.events where event.message.kind == .noteOn {
      channels[Int(event.track), default: []].insert(event.message.channelIndex)
    }
    let names = song.trackNames
    let digitCount = max(2, "\((channels.keys.max() ?? 0) + 1)".count)
    return channels.sorted { $0.key < $1.key }.map { track, own in
      let isAlone = channels.allSatisfy { $0.key == track || !$0.value.intersects(own) }
      let name = names[track].map(FileNames.safe) ?? ""
      let number = "\(track + 1)"
      return Stem(
        isAlone ? .channels(own) : .track(track),
        name: String(repeating: "0", count: digitCount - number.count) + number + " "
          + (name.isEmpty ? title(UInt8(own.bits.trailingZeroBitCount)) : name))
    }
  }

  /// Renders a track by itself, dry, to the length that the song has.
  ///
  /// - Parameter isWanted: asked after each slice.
  func render(
    track stem: Stem, of song: Song, _ part: SongPart, to file: AudioFileWriter, _ progress: inout RenderProgress,
    while isWanted: (RenderProgress) -> Bool
  ) throws {
    guard case .track(let track) = stem.source else { return }
    try instruments.exchange(instruments.configuration)
    try load(song)
    let tap = StemTap(stem, to: file, of: self, sliceSize: renderBlock)
    try engine.edit(transition: .exact) { try tap.attach(to: &$0) }
    _ = play(Timeline(song.withNotes(ofTrack: track), sampleRate: instruments.sampleRate), part)
    let result = Result {
      let buffer = SampleBuffer(channelCount: output.channelCount, frameCapacity: renderBlock)
      try skipChase(buffer, [tap])
      var left = progress.frameCount
      repeat {
        let count = min(left, renderBlock)
        try engine.render(buffer.slice(frameCount: count))
        tap.collect()
        try tap.write(count, &progress)
        left -= count
      } while left > 0 && isWanted(progress)
    }
    try engine.edit(transition: .exact) { try tap.detach(from: &$0) }
    try engine.reset()
    try result.get()
  }
}

extension Song {
  /// The names of tracks that have one.
  var trackNames: [Int: String] {
    let names = texts.filter { $0.type == .trackName && $0.string.contains { !$0.isWhitespace } }
    return Dictionary(names.map { ($0.track, $0.string) }) { first, _ in first }
  }
}
