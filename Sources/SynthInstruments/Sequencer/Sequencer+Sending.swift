import AudioGraph
import Glibc
import SynthMIDI
import SynthRealtime

// What a sequencer sends to its destinations. All of them begin and change at one frame, which is far enough ahead for
// each to have taken it over.

extension Sequencer {
  /// Begins at a beat.
  func begin(_ state: inout State, at beat: Double) {
    let parts = state.rendition.parts
    let chaseCounts = parts.map { part in
      let frame =
        part.tempoMap.frame(atBeat: beat, sampleRate: part.destination.frameRate) / Int64(renderQuantum)
        * Int64(renderQuantum)
      return ChaseList.events(of: part.timeline, before: part.timeline.firstEvent(at: frame)).count
    }
    // What sounds is faded in four quanta.
    let time =
      nextTime() + (state.hasSounded ? 8 * Int64(renderQuantum) : 0)
      + SongExtras.chaseLength(eventCount: chaseCounts.max() ?? 0)
    state.changeTime = .min / 2
    silenceFormer(&state, but: parts, at: time)
    for part in parts {
      let number = part.destination.events.playbacks.play(
        part.timeline, from: part.tempoMap.frame(atBeat: beat, sampleRate: part.destination.frameRate), to: nil,
        loop: loop(state, part), transport: transport(state, at: self.time(time, of: part)))
      state.players[ObjectIdentifier(part.destination)] = Player(
        base: part, sent: part, number: number, startBeat: beat)
    }
    (state.transport, state.startBeat, state.hasSounded) = (.playing, beat, true)
    state.pump?.play(parts)
  }

  /// Goes on otherwise: with other timelines, at another rate, held or not.
  func change(_ state: inout State, keepsPasses: Bool = true) {
    waitForChange(before: state.changeTime)
    let parts = state.rendition.parts
    let time = nextTime()
    state.changeTime = time
    silenceFormer(&state, but: parts, at: time)
    let beat = beat(state)
    let seconds = clock.events.clock.moment.position / clock.frameRate
    for part in parts {
      guard var player = state.players[ObjectIdentifier(part.destination)] else {
        // A destination that comes to it begins where the others are then.
        join(&state, part, at: time, beat)
        continue
      }
      part.destination.events.playbacks.change(
        to: part.timeline, loop: loop(state, part), transport: transport(state, at: .min),
        at: self.time(time, of: part),
        start: part.tempoMap.frame(atBeat: player.startBeat, sampleRate: part.destination.frameRate),
        keepsPasses: keepsPasses
      ) { isFormerWithdrawn in
        if !isFormerWithdrawn { player.base = player.sent }
        return player.base.timeline === part.timeline ? nil : Self.passage(from: player.base, to: part, at: seconds)
      }
      player.sent = part
      state.players[ObjectIdentifier(part.destination)] = player
    }
    state.pump?.play(parts)
    if let loop = state.loop, !keepsPasses, state.transport == .playing, beat >= loop.end, loop.start < loop.end {
      begin(&state, at: loop.start)
    }
  }

  private func join(_ state: inout State, _ part: SequencerRendition.Part, at time: Int64, _ beat: Double) {
    let moment = clock.events.clock.moment
    // The start is rounded down to a quantum: it begins there, at the frame at which the others are there.
    let quantum = Int64(renderQuantum)
    let ahead = Double(time - moment.time) * state.rate / clock.frameRate
    let seconds = state.rendition.tempoMap.seconds(atBeat: beat) + ahead
    let frame = Int64(seconds * part.destination.frameRate) / quantum * quantum
    let surplus = seconds * part.destination.frameRate - Double(frame)
    let number = part.destination.events.playbacks.play(
      part.timeline, from: frame, to: nil, loop: loop(state, part),
      transport: transport(state, at: self.time(time, of: part) - Int64((surplus / state.rate).rounded())))
    state.players[ObjectIdentifier(part.destination)] = Player(
      base: part, sent: part, number: number, startBeat: part.tempoMap.beat(atSeconds: seconds))
  }

  /// Lets destinations go that no track has any more.
  private func silenceFormer(_ state: inout State, but parts: [SequencerRendition.Part], at time: Int64) {
    for (key, player) in state.players where !parts.contains(where: { ObjectIdentifier($0.destination) == key }) {
      let events = player.sent.destination.events
      var transport = transport(state, at: .min)
      transport.isHeld = true
      events.playbacks.change(
        to: player.sent.timeline, loop: nil, transport: transport, at: self.time(time, of: player.sent), start: 0,
        keepsPasses: true
      ) { _ in nil }
      state.players[key] = nil
    }
  }

  private func transport(_ state: State, at time: Int64) -> Playback.Transport {
    Playback.Transport(rate: state.rate, isHeld: state.transport == .paused, startTime: time)
  }

  private func loop(_ state: State, _ part: SequencerRendition.Part) -> TimelineLoop? {
    state.loop.map { loop in
      func frame(_ beat: Double) -> Int64 {
        max(part.tempoMap.frame(atBeat: beat, sampleRate: part.destination.frameRate), 0)
      }
      return TimelineLoop(start: frame(loop.start), end: frame(loop.end), passCount: loop.passCount)
    }
  }

  /// The quantum from which on a change holds, on the clock of the sequencer: the next one offline, otherwise one that
  /// no slice under way contains.
  private func nextTime() -> Int64 {
    let moment = clock.events.clock.moment
    let quantum = Int64(renderQuantum)
    return (moment.time + moment.lead + quantum - 1) / quantum * quantum
  }

  /// Waits until a change has come about: else one destination might have taken it over and another not. Where nothing
  /// is rendered, none has.
  private func waitForChange(before time: Int64) {
    let deadline = HostClock.now + 500_000_000
    while clock.events.clock.moment.isLive, clock.events.clock.moment.time <= time + Int64(renderQuantum),
      HostClock.now < deadline
    {
      usleep(500)
    }
  }

  /// A time of the sequencer's clock on that of a destination.
  private func time(_ time: Int64, of part: SequencerRendition.Part) -> Int64 {
    guard part.destination.frameRate != clock.frameRate else { return time }
    let frames = Double(time) * part.destination.frameRate / clock.frameRate
    return Int64(frames / Double(renderQuantum)) * Int64(renderQuantum)
  }

  /// Which place of a timeline stands for which of the former, about a place of the former.
  private static func passage(
    from former: SequencerRendition.Part, to new: SequencerRendition.Part, at seconds: Double
  ) -> Playback.Edit {
    let rate = new.destination.frameRate
    var edit = Playback.Edit()
    guard former.tempoMap != new.tempoMap else { return edit }
    let beat = former.tempoMap.beat(atSeconds: seconds)
    func duration(_ map: TempoMap) -> Double { map.seconds(atBeat: beat + 1 / 1024.0) - map.seconds(atBeat: beat) }
    edit.from = seconds * rate
    edit.to = new.tempoMap.seconds(atBeat: beat) * rate
    edit.scale = duration(new.tempoMap) / duration(former.tempoMap)
    return edit
  }
}
