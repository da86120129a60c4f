import SynthInstruments
import SynthMIDI
import SynthRealtime

/// Keeps the latest of what is played, in bounded memory, for a player who did not know that it would be good.
///
///     let take = MIDITake()
///     let session = Session(synthesizer, output: output, sources: [keyboard], copies: [take])
///     …
///     try MusicSequence(take.entries()).write(to: "take.mid")
///
/// What is forgotten leaves behind what channels were told by it: programs, controllers, bends, parameters and System
/// Exclusive messages, so that what is kept sounds as it did.
public final class MIDITake: MIDISink {
  /// What a port has sent, and when.
  public typealias Entry = MIDIRecorder.Entry

  /// How long something is kept, in seconds.
  public let duration: Double
  /// How many bytes the entries may take, names of ports not counted.
  public let capacity: Int

  private struct State {
    /// What channels were told before the first entry.
    var told: [Entry] = []
    /// The last one is being filled.
    var chunks: [TakeChunk] = []
    /// How many entries of the first chunk are forgotten.
    var forgottenCount = 0
    var byteCount = 0
    /// From when on nothing is forgotten but for want of room.
    var heldFrom = UInt64.max
  }

  private let state = CheckedMutex(State())

  /// How many bytes of what channels were told are kept at most.
  private static let toldCapacity = 1 << 20

  /// A take of nothing yet.
  ///
  /// - Parameters:
  ///   - duration: half an hour if not given.
  ///   - capacity: 64 MiB if not given, which is about a million messages; with more of them, less is kept.
  public init(duration: Double = 1800, capacity: Int = 64 << 20) {
    self.duration = duration
    self.capacity = capacity
  }

  public func receive(_ event: MIDISourceEvent) {
    guard let entry = Entry(event) else { return }
    state.withLock { state in
      let isNew = state.chunks.last.map { $0.count == TakeChunk.capacity || $0.byteCount > capacity / 8 } ?? true
      if isNew { state.chunks.append(TakeChunk()) }
      state.chunks[state.chunks.count - 1].append(entry)
      state.byteCount += entry.byteCount
      while state.byteCount > capacity, state.chunks.count > 1 { forgetChunk(&state) }
      // As much as has come since the last time, and as much again: more would hold up the next note.
      if isNew { for _ in 0..<2 where forgetOld(&state) {} }
    }
  }

  /// Keeps all that comes from a host time on, for as long as there is room; nil forgets again by age. [control thread]
  public func hold(from hostTime: UInt64?) {
    state.withLock { $0.heldFrom = hostTime ?? .max }
    // A piece at a time: what is played meanwhile waits for no more than one.
    while state.withLock(forgetOld) {}
  }

  /// Whether nothing is kept. [control thread]
  public var isEmpty: Bool { state.withLock { $0.chunks.isEmpty } }

  /// What was played from a host time on, in the order it came; nil for all that is kept. [control thread]
  ///
  /// What channels were told before comes first, at that time; keys that are still down are released at the end.
  public func entries(from start: UInt64? = nil) -> [Entry] {
    let (told, entries) = kept
    let first = start.map { start in entries.firstIndex { $0.hostTime >= start } ?? entries.count } ?? 0
    guard first < entries.count else { return [] }
    let time = start ?? entries[first].hostTime
    let before = Self.told(by: told + entries[..<first]).map { Entry($0.content, from: $0.port, at: time) }
    return before + Self.whole(entries[first...])
  }

  /// What channels were told, and all entries after that. They are copied without the lock.
  private var kept: (told: [Entry], entries: [Entry]) {
    let (told, chunks, first, end) = state.withLock {
      ($0.told, $0.chunks, $0.forgottenCount, $0.chunks.last?.count ?? 0)
    }
    var entries: [Entry] = []
    for (index, chunk) in chunks.enumerated() {
      entries += chunk.entries((index == 0 ? first : 0)..<(index == chunks.count - 1 ? end : chunk.count))
    }
    return (told, entries)
  }

  /// Forgets what of the first chunk is too old; whether that was all of it and there are others.
  private func forgetOld(_ state: inout State) -> Bool {
    guard let chunk = state.chunks.first, let now = state.chunks.last?.latest else { return false }
    let age = HostClock.nanoseconds(duration)
    let limit = min(now > age ? now - age : 0, state.heldFrom)
    let entries = chunk.entries(state.forgottenCount..<chunk.count)
    let count = entries.firstIndex { $0.hostTime >= limit } ?? entries.count
    if count == entries.count, state.chunks.count > 1 {
      forgetChunk(&state)
      return true
    }
    if count > 0 { state.told = Self.told(by: state.told + entries[..<count]) }
    state.forgottenCount += count
    return false
  }

  private func forgetChunk(_ state: inout State) {
    let chunk = state.chunks.removeFirst()
    state.told = Self.told(by: state.told + chunk.entries(state.forgottenCount..<chunk.count))
    state.byteCount -= chunk.byteCount
    state.forgottenCount = 0
  }

  /// What of some entries channels still know, the latest of it if it is too much.
  private static func told(by entries: [Entry]) -> [Entry] {
    var room = toldCapacity
    let kept = ChaseList.lastTold(entries.map(\.message)).map { entries[$0] }.reversed().prefix { entry in
      room -= entry.byteCount
      return room >= 0
    }
    return kept.reversed()
  }

  /// Entries without releases of keys that were struck before, and with those that are missing at the end.
  private static func whole(_ entries: ArraySlice<Entry>) -> [Entry] {
    var held: [Key: Entry] = [:]
    var whole = entries.filter { entry in
      guard case .message(let message) = entry.content else { return true }
      let key = Key(port: entry.port, channel: message.channel, note: message.note)
      switch message.kind {
      case .noteOn: held[key] = entry
      case .noteOff: return held.removeValue(forKey: key) != nil
      default: break
      }
      return true
    }
    let end = entries.last?.hostTime ?? 0
    for (key, _) in held.sorted(by: { $0.value.hostTime < $1.value.hostTime }) {
      whole.append(Entry(.message(.noteOff(channel: key.channel, note: key.note)), from: key.port, at: end))
    }
    return whole
  }

  private struct Key: Hashable {
    let port: MIDIPort
    let channel: UInt8
    let note: UInt8
  }
}

extension MIDIRecorder.Entry {
  /// As the kinds of messages are asked for; a System Reset is a System Exclusive message in a song.
  fileprivate var message: MIDIMessage {
    if case .message(let message) = content { message } else { .systemExclusive }
  }
}
