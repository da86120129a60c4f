import SynthMIDI
import TestSupport

@testable import SynthInstruments

/// A song read quantum by quantum, as a rack does in which nothing sounds.
final class ReadSong {
  let input = EventInput()
  let timeline: Timeline
  private var reader: EventReader
  private(set) var time: Int64 = 0
  /// Whether what waits for silence begins.
  var beginsWaiting = true

  /// What was read: the frame, and the message as MIDI 1.0 has it.
  struct Event: Equatable, CustomStringConvertible {
    let frame: Int64
    let text: String

    init(_ frame: Int64, _ text: String) { (self.frame, self.text) = (frame, text) }
    var description: String { "\(frame) \(text)" }
  }

  /// - Parameter events: at 480 ticks in a quarter note, of which two are a second, so that a tick is 50 frames.
  convenience init(_ events: [UInt8]...) throws { try self.init(tracks: [events.flatMap(\.self)]) }

  init(tracks: [[UInt8]]) throws {
    timeline = Timeline(Song(try MIDIFile(bytes: smf(tracks: tracks.map { $0 + end() }))), sampleRate: 48000)
    reader = EventReader(input)
  }

  func read(_ quantumCount: Int, drums: ChannelSet = [9]) -> [Event] {
    var events: [Event] = []
    for _ in 0..<quantumCount {
      if reader.adopt(at: time), beginsWaiting { reader.begin(at: time) }
      while let event = reader.next(before: time + 64, drums: drums) {
        events.append(Event(event.time, Self.text(event.message)))
      }
      time += 64
      reader.finish(at: time)
    }
    return events
  }

  var songFrame: Double { input.clock.songFrame(at: Double(time)) }

  static func text(_ message: MIDIMessage) -> String {
    let channel = ChannelName.text(message.channelIndex)
    return switch message.kind {
    case .noteOn: "on \(channel) \(message.note)"
    case .noteOff: "off \(channel) \(message.note)"
    case .controlChange: "cc \(channel) \(message.controller.rawValue)=\(message.value7)"
    case .pitchBend: "bend \(channel) \(message.bend14)"
    case .programChange: "program \(channel) \(message.program)"
    default: "\(message.kind) \(channel)"
    }
  }
}
