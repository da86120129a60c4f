import SynthInstruments
import SynthMIDI

/// A note of a song that was rendered: where the file has it, and where the rendering does.
public struct RenderedNote: Hashable, Sendable {
  /// Among the channels of all ports, 0 to 63.
  public let channel: UInt8
  /// 0 to 127; the one that sounds, where the song is transposed.
  public let key: UInt8
  /// 1 to 127.
  public let velocity: UInt8
  /// The index of its track in the file.
  public let track: Int
  /// When its key goes down, in ticks of the song.
  public let startTick: UInt32
  /// When its key goes up, or is struck again: by a note off, by All Notes Off and its like, or at the song's end.
  public internal(set) var endTick: UInt32
  /// What plays it; nil where nothing does.
  public let preset: ChannelPreset?
  /// The frames of the rendering in which it sounds, until the last of its voices has ended, with release and pedal;
  /// nil if it is never heard. The first is exact to what its engine can do, which FluidSynth rounds down to a multiple
  /// of 64; the end is the next multiple of 64 (of 64 frames of the instruments, at rates above 96 kHz), or that of the
  /// rendering.
  public let frames: Range<Int>?
  /// Whether a voice of it was ended early because there were too many.
  public let isStolen: Bool
}

extension RenderedNote {
  /// The notes of a song, in its order.
  ///
  /// - Parameters:
  ///   - lead: the frames that were left out before the rendering begins.
  ///   - factor: how many frames of the rendering are one of the instruments'.
  ///   - frameCount: how long the rendering is.
  static func notes(
    of song: Song, _ log: NoteLog, _ instruments: RackNode, after lead: Int, factor: Int, frameCount: Int
  ) -> [RenderedNote] {
    var notes: [RenderedNote] = []
    /// For each channel its keys that are down, as places in `notes`.
    var held = [Int?](repeating: nil, count: MIDIPorts.channelCount * 128)
    func release(_ key: Int, at tick: UInt32) {
      if let place = held[key] { notes[place].endTick = tick }
      held[key] = nil
    }
    for (index, event) in song.events.enumerated() {
      let message = event.message
      let keys = 128 * message.channelIndex
      switch message.kind {
      case .noteOff: release(keys + Int(message.note), at: event.tick)
      case .controlChange:
        switch message.controller {
        case .allSoundOff, .allNotesOff, .omniOff, .omniOn, .monoOn, .polyOn:
          for key in 0..<128 { release(keys + key, at: event.tick) }
        default: break
        }
      case .noteOn:
        let trace = log[index]
        release(keys + Int(message.note), at: event.tick)
        held[keys + Int(message.note)] = notes.count
        notes.append(
          RenderedNote(
            channel: UInt8(message.channelIndex), key: trace.key ?? message.note, velocity: message.velocity7,
            track: Int(event.track),
            startTick: event.tick, endTick: event.tick,
            preset: instruments.preset(of: trace, onChannel: message.channelIndex),
            frames: trace.frames(after: lead, factor: factor, frameCount: frameCount), isStolen: trace.isStolen))
      default: break
      }
    }
    let endTick = song.tempoMap.tick(at: song.duration)
    for key in held.indices { release(key, at: endTick) }
    return notes
  }
}

extension NoteTrace {
  fileprivate func frames(after lead: Int, factor: Int, frameCount: Int) -> Range<Int>? {
    guard start < end, Int(start) * factor - lead < frameCount else { return nil }
    return Int(start) * factor - lead..<min(Int(end) * factor - lead, frameCount)
  }
}
