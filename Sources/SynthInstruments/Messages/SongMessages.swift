import SynthMIDI

/// What a song says beside its notes, programs and bends, counted by kind, and what of it nothing here follows.
/// [control thread]
///
/// The readers that play the song decide it. A SoundFont's own modulators may follow controllers that count as ignored.
package struct SongMessages: Sendable {
  /// The messages of a kind.
  package struct Entry: Hashable, Sendable {
    package let kind: MessageKind
    package let count: Int
    /// Whether nothing follows them.
    package let isIgnored: Bool
  }

  /// Those that are most frequent first.
  package let entries: [Entry]

  /// Looks through a song.
  ///
  /// - Parameter loops: those of the song, whose controllers are followed.
  package init(_ song: Song, loops: [LoopPoints]) {
    var census = MessageCensus()
    for event in song.events {
      if event.message.kind == .systemExclusive {
        census.add(song.payload(of: event))
      } else {
        census.add(event.message)
      }
    }
    entries = census.entries(loopControllers: Set(loops.flatMap(\.convention.controllers)))
  }

  /// Those that nothing follows, the most frequent first.
  package var ignored: [Entry] { entries.filter(\.isIgnored) }
}

private struct MessageCensus: ~Copyable {
  private var readers = MessageReaders()
  private var followed: [MessageKind: Int] = [:]
  private var ignored: [MessageKind: Int] = [:]
  private var controllerCounts = [Int](repeating: 0, count: 128)
  private var keyPressureCount = 0
  /// What data entry is for, of each channel.
  private var parameters = [RegisteredParameters](repeating: RegisteredParameters(), count: midiChannelCount)

  mutating func add(_ payload: ArraySlice<UInt8>) {
    payload.withUnsafeBufferPointer { bytes in
      // What a message sets several of is one message.
      var counted: Set<MessageKind> = []
      for (kind, isFollowed) in readers.answers(bytes) where counted.insert(kind).inserted { count(kind, isFollowed) }
    }
  }

  mutating func add(_ message: MIDIMessage) {
    switch message.kind {
    case .polyPressure: keyPressureCount += 1
    case .controlChange where message.controller == .dataEntry: countParameter(Int(message.channel))
    case .controlChange:
      let isSelection = parameters[Int(message.channel)].follow(message.controller, UInt16(message.value7))
      if !isSelection { controllerCounts[Int(message.controller.rawValue)] += 1 }
    default: break
    }
  }

  private mutating func count(_ kind: MessageKind, _ isFollowed: Bool, times: Int = 1) {
    guard times > 0 else { return }
    if isFollowed { followed[kind, default: 0] += times } else { ignored[kind, default: 0] += times }
  }

  /// Data entry that nothing was selected for is not counted.
  private mutating func countParameter(_ channel: Int) {
    let none: UInt16 = 0x3FFF
    if let parameter = parameters[channel].selectedAssignable {
      guard parameter != none else { return }
      count(MessageKind(assignable: parameter), readers.followsAssignable(parameter))
    } else if case let parameter = parameters[channel].selected, parameter != none {
      count(.registered(parameter), MessageReaders.followsRegistered(parameter))
    }
  }

  /// Whether controllers move anything is known at the end, as a song may have set up routes for them.
  consuming func entries(loopControllers: Set<UInt8>) -> [SongMessages.Entry] {
    for number in UInt8(0)..<128 {
      let isFollowed = readers.follows(number) || loopControllers.contains(number)
      count(.controller(number), isFollowed, times: controllerCounts[Int(number)])
    }
    count(.keyPressure, readers.followsKeyPressure, times: keyPressureCount)
    let all =
      followed.map { SongMessages.Entry(kind: $0, count: $1, isIgnored: false) }
      + ignored.map { SongMessages.Entry(kind: $0, count: $1, isIgnored: true) }
    return all.sorted { ($1.count, $0.kind.description) < ($0.count, $1.kind.description) }
  }
}
