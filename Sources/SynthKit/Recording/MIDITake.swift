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
    var entries: [Entry] = []
    var byteCount = 0
    /// From when on nothing is forgotten but for want of room.
    var heldFrom = UInt64.max
  }

  private let state = CheckedMutex(State())

  /// So many entries come between two looks at how old the first ones are.
  private static let batch = 1024
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
      state.entries.append(entry)
      state.byteCount += entry.byteCount
      if state.entries.count % Self.batch == 0 || state.byteCount > capacity { forget(&state, now: entry.hostTime) }
    }
  }

  /// Keeps all that comes from a host time on, for as long as there is room; nil forgets again by age. [control thread]
  public func hold(from hostTime: UInt64?) { state.withLock { $0.heldFrom = hostTime ?? .max } }

  /// Whether nothing is kept. [control thread]
  public var isEmpty: Bool { state.withLock { $0.entries.isEmpty } }

  /// What was played from a host time on, in the order it came; nil for all that is kept. [control thread]
  ///
  /// What channels were told before comes first, at that time; keys that are still down are released at the end.
  public func entries(from start: UInt64? = nil) -> [Entry] {
    let (told, entries) = state.withLock { ($0.told, $0.entries) }
    let first = start.map { start in entries.firstIndex { $0.hostTime >= start } ?? entries.count } ?? 0
    guard first < entries.count else { return [] }
    let time = start ?? entries[first].hostTime
    let before = Self.told(by: told + entries[..<first]).map { Entry($0.content, from: $0.port, at: time) }
    return before + Self.whole(entries[first...])
  }

  private func forget(_ state: inout State, now: UInt64) {
    let age = UInt64(duration * 1e9)
    let limit = min(now > age ? now - age : 0, state.heldFrom)
    let old = state.entries.firstIndex { $0.hostTime >= limit } ?? state.entries.count
    let count = state.byteCount > capacity ? max(old, state.entries.count / 4) : old
    guard count > 0 else { return }
    let forgotten = state.entries[..<count]
    state.byteCount -= forgotten.reduce(0) { $0 + $1.byteCount }
    state.told = Self.told(by: state.told + forgotten)
    state.entries.removeFirst(count)
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
