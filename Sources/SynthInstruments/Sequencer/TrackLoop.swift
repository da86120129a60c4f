import SynthMIDI

extension SequencerLoop {
  /// Whether a track can repeat it.
  var isRepeatable: Bool { start >= 0 && end - start >= 1 / 32 && passCount ?? 2 > 1 }

  /// Whether it is repeated for ever.
  var isEndless: Bool { isRepeatable && passCount == nil }
}

extension MusicTrack {
  /// As many events a track has at most from a number of passes.
  private static let mostRepeated = 250_000

  /// The same with a passage as often as a loop has it; what follows comes later by that. As each further pass begins,
  /// what the track holds is released, and channels are told what the track had told them there. Tempos stay.
  ///
  /// - Parameter last: the tick where a loop without a number of passes ends, and with it the track.
  func repeating(_ loop: SequencerLoop, ticksPerBeat: Double, until last: UInt32) -> MusicTrack {
    let length = (loop.end - loop.start) * ticksPerBeat
    let start = SequencerTrack.tick((loop.start * ticksPerBeat).rounded())
    // From the first one's start, so that fractions of ticks do not add up.
    func begin(ofPass pass: Int) -> UInt32 { SequencerTrack.tick((Double(start) + Double(pass) * length).rounded()) }
    let end = begin(ofPass: 1)
    guard loop.isRepeatable, start < end else { return self }

    let tempos = events.filter { $0.content.tempo != nil }
    let own = events.filter { $0.content.tempo == nil }
    let first = own.filter { $0.tick < end }
    let passage = first.filter { $0.tick >= start }
    let bridge = Self.bridge(over: first, from: start)
    let releases = (HeldKeys(after: first.map(\.content)), HeldKeys(after: bridge + passage.map(\.content)))
    // A number of passes that means for ever has an end too.
    let passSize = max(passage.count + bridge.count + releases.1.releases.count, 1)
    let passCount = loop.passCount.map { min($0, max(Self.mostRepeated / passSize, 2)) } ?? .max
    var unrolled = first
    var pass = 1
    while pass < passCount, begin(ofPass: pass) < last {
      let tick = begin(ofPass: pass)
      let released = (pass == 1 ? releases.0 : releases.1).releases.map { MusicEvent.Content.message($0) }
      unrolled += (released + bridge).map { MusicEvent(tick: tick, $0) }
      unrolled += passage.map {
        MusicEvent(tick: SequencerTrack.tick(Double(tick) + Double($0.tick - start)), $0.content)
      }
      pass += 1
    }
    guard loop.passCount != nil else {
      return MusicTrack(tempos + unrolled.filter { $0.tick < last }, endTick: last)
    }
    let delay = Double(begin(ofPass: pass - 1) - start)
    func later(_ tick: UInt32) -> UInt32 { SequencerTrack.tick(Double(tick) + delay) }
    unrolled += own.filter { $0.tick >= end }.map { MusicEvent(tick: later($0.tick), $0.content) }
    return MusicTrack(tempos + unrolled, endTick: later(max(endTick, end)))
  }

  /// What takes channels back from the end of events to what these have told them before a tick.
  private static func bridge(over events: [MusicEvent], from start: UInt32) -> [MusicEvent.Content] {
    var alone = MusicSequence()
    alone.tracks = [MusicTrack(events)]
    guard let song = try? Song(alone) else { return [] }
    let timeline = Timeline(song, sampleRate: 48000)
    return withExtendedLifetime(timeline) {
      let first = song.events.firstIndex { $0.tick >= start } ?? song.events.count
      return ChaseList.bridge(over: timeline, from: first, to: song.events.count).map { event in
        event.message.kind == .systemExclusive ? .systemExclusive(Array(event.payload)) : .message(event.message)
      }
    }
  }
}
