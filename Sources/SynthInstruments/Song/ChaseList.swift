import SynthMIDI

/// What channels were told up to a point of a song, so that what is played from there on sounds as if all before it had
/// been played. [control thread]
package enum ChaseList {
  /// The events before an index that channels still know of, as of `lastTold`.
  static func events(of timeline: Timeline, before index: Int) -> [MIDIEvent] {
    let events = timeline.events[..<index]
    let isClosed = events.contains { closesPart($0) }
    return lastTold(events.lazy.map(\.message), all: isClosed).map { timeline.events[$0] }
  }

  /// Whether a part no longer receives all messages of its own channel: it keeps what it was told before, and what
  /// comes later overwrites nothing there.
  private static func closesPart(_ event: MIDIEvent) -> Bool {
    guard event.message.kind == .systemExclusive, case .parts(var message) = SystemExclusive(event.payload) else {
      return false
    }
    while let change = message.next() {
      switch change.setting {
      case .receives(_, false): return true
      case .receiveChannel(let channel) where channel != change.part: return true
      default: break
      }
    }
    return false
  }

  /// The places of the messages that are no notes, in order. What a later one of the same kind overwrites is left out:
  /// controllers that are only a value, pedals among them, bends and pressures. Banks, programs, parameters, channel
  /// modes and System Exclusive messages all stay.
  ///
  /// - Parameter all: whether what is overwritten stays, too.
  package static func lastTold<Messages: BidirectionalCollection<MIDIMessage>>(
    _ messages: Messages, all: Bool = false
  ) -> [Messages.Index] {
    var overwritten = ChannelValues()
    var struckChannels: ChannelSet = []
    var chase: [Messages.Index] = []
    for place in messages.indices.reversed() {
      let message = messages[place]
      switch message.kind {
      case .noteOn: struckChannels.insert(message.channelIndex)
      case .noteOff: break
      // The next note takes it.
      case .controlChange
      where message.controller == .portamentoControl && struckChannels.contains(message.channelIndex):
        break
      case .controlChange where message.controller == .resetAllControllers:
        chase.append(place)
        overwritten.insertAll(resetBy: message)
      default: if overwritten.insert(message) || all { chase.append(place) }
      }
    }
    return chase.reversed()
  }

  /// What takes channels back from the end of a passage to what they were told at its start: what the passage sets, as
  /// it was there, or if nothing had set it, its initial value.
  ///
  /// What the passage sets by System Exclusive is set as messages before it had it; what only the passage sets stays.
  static func bridge(over timeline: Timeline, from start: Int, to end: Int) -> [MIDIEvent] {
    // Ports share nothing, so each has a bridge.
    let passages = Dictionary(grouping: timeline.events[start..<max(start, end)]) { $0.message.channelIndex / 16 }
    let chases = Dictionary(grouping: events(of: timeline, before: start)) { $0.message.channelIndex / 16 }
    return (0..<MIDIPorts.count).flatMap { port in
      passages[port].map { bridge(over: $0, chase: chases[port] ?? []) } ?? []
    }
  }

  /// - Parameter chase: what channels were told at its start.
  private static func bridge(over passage: [MIDIEvent], chase: [MIDIEvent]) -> [MIDIEvent] {
    let isReset = passage.contains { isSystemReset($0) }
    let hasSettings = passage.contains { isSetting($0) }
    var chase = chase
    // Of what came before a reset nothing is left.
    if let reset = chase.lastIndex(where: { isSystemReset($0) }) { chase.removeFirst(reset + 1) }

    var touched = ChannelValues()
    var touchedGroups = ChannelGroups()
    var bridge: [MIDIEvent] = []
    for message in passage.lazy.map(\.message) {
      if message.kind == .controlChange, message.controller == .resetAllControllers {
        for value in ChannelValues.reset(by: message) where touched.insert(value) {
          bridge.append(MIDIEvent(time: 0, message: value))
        }
        touched.insertAll(resetBy: message)
      }
      if ChannelValues.selectsAssignable(message) {
        for value in ChannelValues.soundControllers(as: message) where touched.insert(value) {
          bridge.append(MIDIEvent(time: 0, message: value))
        }
      }
      for initial in touchedGroups.insert(message) { bridge.append(MIDIEvent(time: 0, message: initial)) }
      if touched.insert(message), let initial = ChannelValues.initial(of: message) {
        bridge.append(MIDIEvent(time: 0, message: initial))
      }
    }
    for event in chase {
      let message = event.message
      let isPedal = message.kind == .controlChange && [.sustain, .sostenuto].contains(message.controller)
      if message.kind == .systemExclusive {
        if isReset || hasSettings && isSetting(event) { bridge.append(event) }
      } else if isReset || isPedal || touched.contains(message) || touchedGroups.contains(message) {
        // Modes end notes: they come only if the passage has changed them.
        let isMode = message.kind == .controlChange && message.controller.isChannelMode
        if !isMode || touchedGroups.contains(message) { bridge.append(event) }
      }
    }
    return bridge
  }

  /// What takes channels from the end of one list to that of another: all of the other's, for the channels of which the
  /// lists differ, and the initial value of what it does not set. Channel modes and System Exclusive messages are left
  /// out.
  static func difference(from former: [MIDIEvent], to new: [MIDIEvent]) -> [MIDIEvent] {
    func messages(_ list: [MIDIEvent]) -> [Int: [MIDIMessage]] {
      let messages = list.map(\.message).filter { message in
        let isMode = message.kind == .controlChange && message.controller.isChannelMode
        return message.kind != .systemExclusive && !isMode
      }
      return Dictionary(grouping: messages, by: \.channelIndex)
    }
    let (formerMessages, newMessages) = (messages(former), messages(new))
    return (0..<MIDIPorts.channelCount).flatMap { channel -> [MIDIEvent] in
      let (before, after) = (formerMessages[channel] ?? [], newMessages[channel] ?? [])
      guard before != after else { return [] }
      var told = ChannelValues()
      for message in after { _ = told.insert(message) }
      let initial = before.compactMap { told.contains($0) ? nil : ChannelValues.initial(of: $0) }
      return (initial + after).map { MIDIEvent(time: 0, message: $0) }
    }
  }

  /// Whether a System Exclusive message sets values that another one of its kind overwrites.
  private static func isSetting(_ event: MIDIEvent) -> Bool {
    guard event.message.kind == .systemExclusive else { return false }
    return switch SystemExclusive(event.payload) {
    case .master, .effects, .keyBased, .parameters, .parts, .part: true
    case .reset, .tuning, .other: false
    }
  }

  private static func isSystemReset(_ event: MIDIEvent) -> Bool {
    guard event.message.kind == .systemExclusive, case .reset = SystemExclusive(event.payload) else { return false }
    return true
  }
}

/// Which of the values that a message sets and a later one overwrites have been set: of each channel its controllers,
/// bend and pressures.
private struct ChannelValues {
  private static let count = 258
  private var isSet = [Bool](repeating: false, count: MIDIPorts.channelCount * ChannelValues.count)

  /// Notes the value a message sets; false if it was noted before. True for a message that sets no such value.
  mutating func insert(_ message: MIDIMessage) -> Bool {
    guard let place = Self.place(of: message) else { return true }
    defer { isSet[place] = true }
    return !isSet[place]
  }

  func contains(_ message: MIDIMessage) -> Bool { Self.place(of: message).map { isSet[$0] } ?? false }

  /// Notes what Reset All Controllers sets.
  mutating func insertAll(resetBy message: MIDIMessage) {
    for value in Self.reset(by: message) { _ = insert(value) }
    for key in 0..<128 { isSet[message.channelIndex * Self.count + 128 + key] = true }
  }

  /// What Reset All Controllers sets, pressures of keys apart. Source: RP-015.
  static func reset(by message: MIDIMessage) -> [MIDIMessage] {
    let controllers: [Controller] = [
      .modulation, .expression, .sustain, .portamento, .sostenuto, .soft, .legato,
    ]
    let values =
      controllers.map { MIDIMessage.controlChange(channel: 0, $0, value7: initialValue(of: $0)) }
      + [.pitchBend(channel: 0, bend14: 8192), .channelPressure(channel: 0, value7: 0)]
    return values.map { $0.onChannelIndex(message.channelIndex) }
  }

  /// Whether data entry may be for a sound controller after it: GS and XG have them as assignable parameters too.
  static func selectsAssignable(_ message: MIDIMessage) -> Bool {
    message.kind == .assignableController
      || message.kind == .controlChange && [.assignableParameter, .assignableParameterLSB].contains(message.controller)
  }

  /// Controllers 71 to 78 of a message's channel as they are at first.
  static func soundControllers(as message: MIDIMessage) -> [MIDIMessage] {
    (71...78).map {
      MIDIMessage.controlChange(channel: 0, Controller(rawValue: $0), value7: 64).onChannelIndex(message.channelIndex)
    }
  }

  /// The same message with the value that the channel has at first; nil if it sets no such value.
  static func initial(of message: MIDIMessage) -> MIDIMessage? {
    guard place(of: message) != nil else { return nil }
    let initial: MIDIMessage =
      switch message.kind {
      case .controlChange: .controlChange(channel: 0, message.controller, value7: initialValue(of: message.controller))
      case .pitchBend: .pitchBend(channel: 0, bend14: 8192)
      case .channelPressure: .channelPressure(channel: 0, value7: 0)
      default: .polyPressure(channel: 0, note: message.note, value7: 0)
      }
    return initial.onChannelIndex(message.channelIndex)
  }

  /// Source: General MIDI 2, RP-024, section 3.3; the reverb send is that of `Synthesizer.mixer`.
  private static func initialValue(of controller: Controller) -> UInt8 {
    switch controller.rawValue {
    case 7: 100
    case 8, 10, 70...79: 64
    case 11, 43: 127
    case 91: 40
    default: 0
    }
  }

  private static func place(of message: MIDIMessage) -> Int? {
    let first = message.channelIndex * count
    switch message.kind {
    case .controlChange:
      let isValue = !ChannelGroups.isGrouped(message.controller) && !message.controller.isChannelMode
      return isValue && message.controller != .portamentoControl ? first + Int(message.controller.rawValue) : nil
    case .polyPressure: return first + 128 + Int(message.note)
    case .channelPressure: return first + 256
    case .pitchBend: return first + 257
    default: return nil
    }
  }
}

/// Which channels were told something that depends on the order of messages: programs with their banks, registered and
/// assignable parameters, and the mode.
private struct ChannelGroups {
  private enum Group: Int {
    case programs, parameters, modes
  }

  /// The channels of each group.
  private var channels: [ChannelSet] = [[], [], []]

  static func isGrouped(_ controller: Controller) -> Bool {
    group(of: .controlChange(channel: 0, controller, value7: 0)) != nil
  }

  /// Notes the group of a message.
  ///
  /// - Returns: what takes the group to its initial state, if it is new.
  mutating func insert(_ message: MIDIMessage) -> [MIDIMessage] {
    guard !contains(message), let group = Self.group(of: message) else { return [] }
    channels[group.rawValue].insert(message.channelIndex)
    return Self.initial(of: group, isDrum: message.channel == GeneralMIDI.drumChannel)
      .map { $0.onChannelIndex(message.channelIndex) }
  }

  /// On channel 0.
  private static func initial(of group: Group, isDrum: Bool) -> [MIDIMessage] {
    func control(_ controller: Controller, _ value: UInt8) -> MIDIMessage {
      .controlChange(channel: 0, controller, value7: value)
    }
    switch group {
    case .programs:
      // To XG, bank 0 would make the drum channel a melodic one.
      let banks = isDrum ? [] : [control(.bankSelect, 0), control(.bankSelectLSB, 0)]
      return banks + [.programChange(channel: 0, program: 0)]
    case .modes: return [control(.polyOn, 0)]
    case .parameters:
      // Bend range, fine tuning and coarse tuning.
      return [(0, 2), (1, 64), (2, 64)].flatMap { number, value in
        [
          control(.registeredParameter, 0), control(.registeredParameterLSB, number), control(.dataEntry, value),
          control(.dataEntryLSB, 0),
        ]
      } + [control(.registeredParameter, 127), control(.registeredParameterLSB, 127)]
    }
  }

  func contains(_ message: MIDIMessage) -> Bool {
    Self.group(of: message).map { channels[$0.rawValue].contains(message.channelIndex) } ?? false
  }

  private static func group(of message: MIDIMessage) -> Group? {
    switch message.kind {
    case .programChange: return .programs
    case .registeredController, .assignableController: return .parameters
    case .controlChange: break
    default: return nil
    }
    switch message.controller {
    case .bankSelect, .bankSelectLSB: return .programs
    case .monoOn, .polyOn: return .modes
    case .dataEntry, .dataEntryLSB, .dataIncrement, .dataDecrement: return .parameters
    case .registeredParameter, .registeredParameterLSB, .assignableParameter, .assignableParameterLSB:
      return .parameters
    default: return nil
    }
  }
}
