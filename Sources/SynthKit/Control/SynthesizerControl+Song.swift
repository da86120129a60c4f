import SynthDSP
import SynthInstruments
import SynthMIDI

// What commands do to the song of a session.

extension SynthesizerControl {
  /// Performs a command that is for the song.
  func performOnSong(_ command: SynthesizerCommand) throws(SynthesizerCommandError) -> SynthesizerAnswer {
    guard let session, session.duration != nil else { throw .song(.noSong, command: Self.name(of: command)) }
    do throws(SongError) {
      switch command {
      case .seek(let seconds):
        try session.seek(to: seconds, countsIn: true)
        // Where the session is, it knows a slice later.
        return session.isSongPaused ? .paused(seconds) : .playing(seconds)
      case .skip(let seconds): try session.skip(by: seconds)
      case .loop(let loop):
        try session.setLoop(loop)
        return .loop(session.loop)
      default: break
      }
    } catch {
      throw .song(error, command: Self.name(of: command))
    }
    do {
      if command == .pause { try session.pauseSong() }
      if command == .play { try session.resumeSong() }
    } catch {
      throw .output("\(error)")
    }
    return session.isSongPaused ? .paused(session.position) : .playing(session.position)
  }

  /// Sets the metronome, which clicks without a song too.
  func set(_ setting: MetronomeSetting) throws(SynthesizerCommandError) -> SynthesizerAnswer {
    if setting != .off, synthesizer.instruments.events.timeline?.song.sound != nil {
      throw .song(.noBars, command: "metronome")
    }
    synthesizer.metronome.set(setting)
    return metronomeAnswer
  }

  var metronomeAnswer: SynthesizerAnswer {
    let metronome = synthesizer.metronome
    let isFree = synthesizer.instruments.events.timeline == nil
    return .metronome(
      isOn: metronome.isOn.value != 0, Decibels(Double(metronome.level.value)),
      tempo: isFree ? Double(metronome.tempo.value) : nil)
  }

  /// Plays a part of songs on another channel; nil for its own.
  func route(_ part: SongRoutes.Part, to channel: UInt8?) throws(SynthesizerCommandError) -> SynthesizerAnswer {
    if case .track(let track) = part, channel != nil { try check(track, command: "route") }
    let events = synthesizer.instruments.events
    var routes = events.routes
    routes[part] = channel
    do throws(InstrumentError) {
      if let session { try session.setRoutes(routes) } else { events.routes = routes }
    } catch {
      throw .soundFont("\(error)")
    }
    return .routes(routes)
  }

  /// Finds out whether the present song has a track. Before there is one, tracks may be chosen.
  func check(_ track: Int?, command: String) throws(SynthesizerCommandError) {
    guard let track, let timeline = synthesizer.instruments.events.timeline else { return }
    if timeline.song.sound != nil { throw .song(.noParts, command: command) }
    guard track >= timeline.trackCount else { return }
    throw .song(.noSuchTrack(track, count: timeline.trackCount), command: command)
  }

  /// Finds out whether there are channels: an audio file that is played without keyboards has none.
  func checkChannels(command: String) throws(SynthesizerCommandError) {
    guard session?.hasSources == false, synthesizer.instruments.events.timeline?.song.sound != nil else { return }
    throw .song(.noParts, command: command)
  }

  private static func name(of command: SynthesizerCommand) -> String {
    switch command {
    case .pause: "pause"
    case .play: "play"
    case .seek, .skip: "seek"
    default: "loop"
    }
  }
}
