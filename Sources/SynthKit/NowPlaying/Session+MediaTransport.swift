import SynthDSP
import SynthMIDI

/// A session shows its present song and has no list: a program that has one wraps it.
extension Session: MediaTransport {
  public var mediaState: MediaState {
    var state = MediaState()
    state.status = isSongPaused ? .paused : isPlaying ? .playing : .stopped
    let events = synthesizer.instruments.events
    if let timeline = events.timeline {
      state.track = MediaState.Track(
        number: events.clock.song, title: timeline.title ?? "",
        duration: Double(timeline.duration) / timeline.sampleRate
      )
      state.position = position
    }
    state.rate = tempo
    let gain = Double(synthesizer.mainMixer.outputGain.value)
    state.volume = gain <= silence ? 0 : Decibels(gain).amplitude
    state.loop = loop.map { $0.passCount == nil } == true ? .track : .none
    return state
  }

  public func perform(_ command: MediaCommand) throws {
    switch command {
    case .play: try resumeSong()
    case .pause: try pauseSong()
    case .stop, .quit: try fadeOut()
    case .seek(let place): try seek(to: place)
    case .rate(let rate): tempo = rate
    case .volume(let volume):
      synthesizer.mainMixer.outputGain.value = Float(volume > 0 ? Decibels(amplitude: volume).value : silence)
    case .loop(.track): try setLoop(duration.map { SongLoop(0, $0) })
    case .loop(.none): try setLoop(nil)
    case .next, .previous, .shuffle, .loop(.list): throw NoList()
    }
  }

  /// The lowest level, in decibels.
  private var silence: Double { Double(synthesizer.mainMixer.outputGain.range.lowerBound) }

  private struct NoList: Error, CustomStringConvertible {
    var description: String { "there is no list of songs" }
  }
}
