import AudioGraph
import SynthAudioFiles
import SynthMIDI

extension Synthesizer {
  /// Makes a song's own sound ready to be played, from any of several places; without effect for a song without one.
  /// [control thread]
  func prepare(_ song: Song, at places: Double?...) throws {
    guard let sound = song.sound as? FileSound else { return }
    for case let place? in places { sound.prepare(at: place) }
    try songSound.feed.add(sound)
    guard !engine.graph.nodes.contains(where: { $0 === songSound }) else { return }
    // What passes keeps every bit, so that nothing has to fade.
    try engine.edit(transition: .exact) { graph in
      guard let source = graph.source(of: BusEnd(node: mainMixer, scope: .input, bus: 0)) else { return }
      try graph.attach(songSound)
      try graph.disconnect(input: mainMixer, bus: 0)
      try graph.connect(source.node, to: songSound, fromBus: source.bus)
      try graph.connect(songSound, to: mainMixer)
    }
  }
}

extension Tail {
  /// The tail of a song: what sounds by itself ends with its last frame, where no effect rings on.
  func of(_ song: Song) -> Tail {
    song.sound == nil || self != .standard ? self : Tail(threshold: threshold, hold: 0, maximum: maximum)
  }
}
