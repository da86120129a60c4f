import AudioGraph
import SynthDSP
import SynthMIDI
import SynthRealtime

/// What plays tracks of a sequencer: `RackNode`, or `MIDISinkDestination`, which is no node. Another node is one if its
/// kernel reads an `EventInput` by an `EventReader`.
public protocol SequencerDestination: AnyObject, Sendable {
  /// Where the song's events go.
  var events: EventInput { get }
  /// How many frames of its clock are a second.
  var sampleRate: Double { get }
}

extension SequencerDestination {
  /// The sample rate of a program's own destination too, as something that can be counted with.
  var frameRate: Double { clampedRate(sampleRate) }
}

extension RackNode: SequencerDestination {}

/// Plays tracks into a `MIDISink`: a recorder, a monitor, a program's own code. What it delivers has the host time at
/// which it is rendered, where there is one.
public final class MIDISinkDestination: SequencerDestination, @unchecked Sendable {
  // Unchecked: `reader` and `time` belong to who has the lock.

  public let events = EventInput()
  public let sampleRate: Double
  /// What its events come from.
  public let port: MIDIPort
  private let sink: any MIDISink
  private let lock = CheckedMutex(())
  private let reader: Box<EventReader>
  private var time: Int64?
  /// Channel 10 of each port.
  private static let drums: ChannelSet = [9, 25, 41, 57]

  /// - Parameter sampleRate: how finely its times are told, in hertz, 1 to 1,000,000, to which it is clamped; best that
  ///   of the sequencer's other destinations.
  public init(_ sink: any MIDISink, sampleRate: Double = 48000, port: MIDIPort = MIDIPort(id: 0, name: "sequencer")) {
    (self.sink, self.sampleRate, self.port) = (sink, clampedRate(sampleRate), port)
    reader = Box(EventReader(events))
  }

  /// Delivers what is due before a time. [control thread]
  func deliver(until end: Int64, hostTime: (Int64) -> UInt64) {
    lock.withLock { _ in
      // What was before the first call, or before the engine began again, does not come back.
      var now = min(time ?? end, end) / Int64(renderQuantum) * Int64(renderQuantum)
      while now + Int64(renderQuantum) <= end {
        if reader.pointer.pointee.adopt(at: now) { reader.pointer.pointee.begin(at: now) }
        while let event = reader.pointer.pointee.next(before: now + Int64(renderQuantum), drums: Self.drums) {
          let isSystemExclusive = event.message.kind == .systemExclusive
          sink.receive(
            .received(
              isSystemExclusive ? .systemExclusive(Array(event.payload)) : .message(event.message), from: port,
              hostTime: hostTime(event.time)))
        }
        now += Int64(renderQuantum)
        reader.pointer.pointee.finish(at: now)
      }
      time = now
    }
  }
}
