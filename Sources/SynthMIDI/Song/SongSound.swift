/// What a song sounds like by itself, without instruments: an audio file's samples, say. Nodes that know its kind play
/// it; the song's transport tells them where it is.
public protocol SongSound: AnyObject, Sendable {
  /// In seconds.
  var duration: Double { get }
  /// What the audio thread reads, as long as the sound lives.
  var memory: UnsafeRawPointer { get }
}

extension Song {
  /// A song without events, that lasts as long as its sound. It has neither bars nor beats.
  public init(sound: any SongSound) {
    let tempoMap = TempoMap(division: .ticksPerQuarter(480))
    self.init(
      events: [], tempoMap: tempoMap, meter: SongMeter(tempoMap, changes: []), duration: sound.duration, payloads: [])
    self.sound = sound
  }
}
