import SynthInstruments
import SynthMIDI
import SynthRealtime

/// Plays what MIDI sources deliver, any number of them at once, on one instrument rack.
///
/// What several ports hold on a channel, a key or a pedal, sounds until all of them have let go. What a port or a
/// source holds is released when it leaves, falls silent or loses events.
public final class MIDIInput: Sendable {
  private let merger: Merger
  private let sources = CheckedMutex<[(source: any MIDISource, number: Int)]>([])
  private let copies: [any MIDISink]

  /// An input that no source plays into yet. It is the only sender of live events to `events`.
  ///
  /// - Parameters:
  ///   - copies: receive every event too, just after it was sent to the rack: recorders, monitors.
  ///   - sampleTime: the frame at which what happened at a host time, in nanoseconds, is to be heard; a frame that has
  ///     passed stands for the next quantum. [any thread]
  public init(
    _ events: EventInput, copies: [any MIDISink] = [], sampleTime: @escaping @Sendable (_ hostTime: UInt64) -> Int64
  ) {
    merger = Merger(MIDIMerge(events, sampleTime: sampleTime))
    self.copies = copies
  }

  deinit { removeAll() }

  /// Starts a source, and plays what it delivers. [control thread]
  ///
  /// - Parameter controls: what takes events that are not for the instruments; nil for all to be played.
  /// - Throws: what the source's `start` throws.
  public func add(_ source: any MIDISource, controls: MIDIControls? = nil) throws {
    let number = merger.takeNumber()
    try source.start { [merger, copies] event in
      if controls?.takes(event) == true {
        // It is not played, but it has come.
        for case let monitor as MIDIMonitor in copies { monitor.receive(event) }
        return
      }
      merger.receive(event, from: number)
      for copy in copies { copy.receive(event) }
    }
    sources.withLock { $0.append((source, number)) }
  }

  /// Stops a source, and releases what it holds. [control thread]
  public func remove(_ source: any MIDISource) { remove { $0 === source } }

  /// Stops every source, and releases what they hold. [control thread]
  public func removeAll() { remove { _ in true } }

  private func remove(where isLeaving: (any MIDISource) -> Bool) {
    let leaving = sources.withLock { sources in
      defer { sources.removeAll { isLeaving($0.source) } }
      return sources.filter { isLeaving($0.source) }
    }
    for (source, number) in leaving {
      // Not within a lock: the source waits for an event that is being delivered.
      source.stop()
      merger.receive(.eventsLost, from: number)
    }
  }

  /// How many messages have found no room on their way to the rack. [any thread]
  public var dropCount: Int { merger.dropCount }
}

/// The state behind the sources' closures, which do not keep the input alive: it ends them when it goes.
private final class Merger: Sendable {
  private let state: CheckedMutex<(merge: MIDIMerge<EventInput>, sourceCount: Int)>

  init(_ merge: sending MIDIMerge<EventInput>) { state = CheckedMutex((merge, 0)) }

  func takeNumber() -> Int {
    state.withLock { state in
      state.sourceCount += 1
      return state.sourceCount
    }
  }

  func receive(_ event: MIDISourceEvent, from source: Int) { state.withLock { $0.merge.receive(event, from: source) } }

  var dropCount: Int { state.withLock { $0.merge.dropCount } }
}
