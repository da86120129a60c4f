import SynthRealtime

/// Records what is played: everything its sources send, with port and time, in bounded memory.
///
///     let recorder = MIDIRecorder()
///     try source.start { recorder.receive($0) }
public final class MIDIRecorder: MIDISink {
  /// Something a port has sent.
  public struct Entry: Hashable, Sendable {
    /// What was sent.
    public let content: MIDISourceEvent.Content
    /// Where it came from.
    public let port: MIDIPort
    /// When it was played, in nanoseconds of the monotonic clock.
    public let hostTime: UInt64

    public init(_ content: MIDISourceEvent.Content, from port: MIDIPort, at hostTime: UInt64) {
      self.content = content
      self.port = port
      self.hostTime = hostTime
    }

    /// What an event has brought; nil if that is nothing to be played.
    public init?(_ event: MIDISourceEvent) {
      guard case .received(let content, let port, let hostTime) = event, !content.isClock else { return nil }
      self.init(content, from: port, at: hostTime == 0 ? HostClock.now : hostTime)
    }

    /// The memory it takes, the name of the port not counted.
    public var byteCount: Int {
      if case .systemExclusive(let payload) = content {
        MemoryLayout<Self>.stride + payload.count
      } else {
        MemoryLayout<Self>.stride
      }
    }
  }

  /// How many bytes the entries may take, names of ports not counted.
  public let capacity: Int

  private struct State {
    var entries: [Entry] = []
    var byteCount = 0
    var dropCount = 0
  }

  private let state = CheckedMutex(State())

  /// An empty recorder.
  ///
  /// - Parameter capacity: how many bytes the entries may take; 16 MiB, some 200,000 messages, if not given. What is
  ///   played after that is dropped and counted: the beginning of a recording stays whole.
  public init(capacity: Int = 16 << 20) { self.capacity = capacity }

  public func receive(_ event: MIDISourceEvent) {
    guard let entry = Entry(event) else { return }
    state.withLock { state in
      guard state.byteCount + entry.byteCount <= capacity else { return state.dropCount += 1 }
      state.byteCount += entry.byteCount
      state.entries.append(entry)
    }
  }

  /// What has been recorded, in the order it was delivered. [control thread]
  public var entries: [Entry] { state.withLock { $0.entries } }

  /// How many messages found no room. [control thread]
  public var dropCount: Int { state.withLock { $0.dropCount } }

  /// Forgets what has been recorded. [control thread]
  public func clear() { state.withLock { $0 = State() } }
}

extension Song {
  /// What was recorded, ready for playing: by time from the first entry on, a track for each port, a tick a 960th of a
  /// second. System Reset becomes General MIDI System On.
  public init(_ recording: [MIDIRecorder.Entry]) {
    let tempoMap = TempoMap(division: .ticksPerQuarter(480))
    let start = recording.map(\.hostTime).min() ?? 0
    var tracks: [MIDIPort: UInt32] = [:]
    var payloads: [UInt8] = []
    var events: [Event] = []
    // Not a sort by time alone: entries of one time stay in their order.
    for (_, entry) in recording.enumerated().sorted(by: { ($0.1.hostTime, $0.0) < ($1.1.hostTime, $1.0) }) {
      let seconds = Double(entry.hostTime - start) / 1e9
      let track = tracks[entry.port] ?? UInt32(tracks.count)
      tracks[entry.port] = track
      var message = MIDIMessage.systemExclusive
      let payloadStart = payloads.count
      switch entry.content {
      case .message(let channelMessage): message = channelMessage
      case .systemExclusive(let payload): payloads += payload
      case .reset: payloads += MIDISourceEvent.systemOn
      case .clock: continue
      }
      let payload = MIDIFile.Payload(start: UInt32(payloadStart), count: UInt32(payloads.count - payloadStart))
      events.append(
        Event(
          seconds: seconds, tick: tempoMap.tick(at: seconds), track: track, message: message, payload: payload))
    }
    self.init(
      events: events, tempoMap: tempoMap, meter: SongMeter(tempoMap, changes: []), duration: events.last?.seconds ?? 0,
      payloads: payloads)
  }
}

extension MusicSequence {
  /// What was recorded, as a song: a track for each port, named after it, and the tempo in the first one. System Reset
  /// becomes General MIDI System On.
  ///
  ///     try MusicSequence(recorder.entries, tempo: 96).write(to: "take.mid")
  ///
  /// - Parameters:
  ///   - tempo: in quarter notes per minute. It says where beats are; the notes come when they were played.
  ///   - ticksPerQuarter: how finely times are kept: at 120 quarter notes per minute 960 are half a millisecond each.
  ///   - start: the host time of beat 0, where what was played before it stands; nil for the first entry's.
  public init(
    _ recording: [MIDIRecorder.Entry], tempo: Double = 120, ticksPerQuarter: UInt16 = 960, from start: UInt64? = nil
  ) {
    self.init(ticksPerQuarter: ticksPerQuarter)
    tracks[0].add(.tempo(tempo), at: 0)
    let tempoMap = tempoMap
    let start = start ?? recording.map(\.hostTime).min() ?? 0
    var events: [(port: MIDIPort, events: [MusicEvent])] = []
    for entry in recording {
      let seconds = Double(entry.hostTime) > Double(start) ? Double(entry.hostTime &- start) / 1e9 : 0
      let content: MusicEvent.Content
      switch entry.content {
      case .message(let message): content = .message(message)
      case .systemExclusive(let payload): content = .systemExclusive(payload)
      case .reset: content = .systemExclusive(MIDISourceEvent.systemOn)
      case .clock: continue
      }
      let event = MusicEvent(tick: tempoMap.tick(at: seconds), content)
      if let track = events.firstIndex(where: { $0.port == entry.port }) {
        events[track].events.append(event)
      } else {
        events.append((entry.port, [MusicEvent(tick: 0, .meta(.trackName, Array(entry.port.name.utf8))), event]))
      }
    }
    for (track, port) in events.enumerated() {
      if track == 0 { tracks[0].events += port.events } else { tracks.append(MusicTrack(port.events)) }
    }
  }
}
