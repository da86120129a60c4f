/// What each source of events holds down: so that what several hold sounds until all have let go, and is released when
/// a source is gone.
///
/// A source is a number, that of `MIDIEvent.source`. Held are notes, the sustain, sostenuto, soft and legato pedals,
/// pitch bend, the modulation wheel, and channel and poly pressure. [control thread]
public struct HeldState: Sendable {
  private var sources: [UInt32: [ChannelHold]] = [:]

  /// Nothing is held.
  public init() {}

  /// Takes note of a message from a source.
  ///
  /// - Returns: whether to play it; false for a note off or a lifted pedal where another source still holds the key or
  ///   the pedal on this channel.
  @discardableResult
  public mutating func follow(_ message: MIDIMessage, from source: UInt32) -> Bool {
    follow(message, from: source, at: nil)
  }

  /// The same for a message with a time: a note off at the time at which its key, being down, was struck again belongs
  /// to the older note, which that has ended. It is not played, and the key is held on.
  @discardableResult
  package mutating func follow(_ message: MIDIMessage, from source: UInt32, at time: Int64?) -> Bool {
    guard message.kind != .systemExclusive else { return true }
    let channel = message.channelIndex
    if sources[source] == nil { sources[source] = Array(repeating: .rest, count: MIDIPorts.channelCount) }
    // A channel mode message speaks to the channel: what other sources play there ends as well.
    let isForAll = message.kind == .controlChange && message.controller.isChannelMode
    var isHeldByOthers = false
    for other in sources.keys where other != source {
      if isForAll { sources[other]?[channel].follow(message) }
      if sources[other]?[channel].outlasts(message) == true { isHeldByOthers = true }
    }
    if let time, sources[source]?[channel].endsOlder(message, at: time) == true { return false }
    sources[source]?[channel].follow(message)
    return !isHeldByOthers
  }

  /// Forgets a source, and gives what must be sent because of it: it releases what that source holds and no other.
  public mutating func releaseMessages(of source: UInt32) -> [MIDIMessage] {
    guard let channels = sources.removeValue(forKey: source) else { return [] }
    return channels.indices.flatMap { channel in
      channels[channel].release(others: sources.values.map { $0[channel] }).map { $0.onChannelIndex(channel) }
    }
  }

  /// Forgets every source, and gives what releases all that any of them holds.
  public mutating func releaseMessages() -> [MIDIMessage] {
    sources.keys.sorted().flatMap { releaseMessages(of: $0) }
  }
}

/// What one source holds on one channel: keys, pedals, and wheels and pressures that are not at rest.
struct ChannelHold: Equatable {
  /// Switches that hold or colour notes for as long as they are down.
  static let pedals: [Controller] = [.sustain, .sostenuto, .soft, .legato]
  private static let bendCentre: UInt32 = 0x8000_0000

  private var keys = KeySet()
  private var pressedKeys = KeySet()
  private var pedals: UInt8 = 0
  private var modulation: UInt32 = 0
  private var pressure: UInt32 = 0
  private var bend = Self.bendCentre
  /// The keys that were struck again at a time while they were down, and have not been let go since.
  private var keysAgain = KeySet()
  private var timeAgain = Int64.min

  static let rest = ChannelHold()

  mutating func follow(_ message: MIDIMessage) {
    switch message.kind {
    case .noteOn: keys.insert(message.note)
    case .noteOff:
      keys.remove(message.note)
      pressedKeys.remove(message.note)
    case .polyPressure where message.value32 == 0: pressedKeys.remove(message.note)
    case .polyPressure: pressedKeys.insert(message.note)
    case .channelPressure: pressure = message.value32
    case .pitchBend: bend = message.value32
    case .controlChange: follow(message.controller, message)
    default: break
    }
  }

  private mutating func follow(_ controller: Controller, _ message: MIDIMessage) {
    switch controller {
    case .modulation: modulation = message.value32
    case .resetAllControllers:
      let keys = keys
      self = .rest
      self.keys = keys
    // Omni and mono modes imply all notes off. Source: MIDI 1.0, "Channel Mode Messages".
    case .allSoundOff, .allNotesOff, .omniOff, .omniOn, .monoOn, .polyOn: keys = KeySet()
    default:
      guard let pedal = Self.bit(of: controller) else { return }
      if message.value7 >= 64 { pedals |= pedal } else { pedals &= ~pedal }
    }
  }

  /// Whether a message lets the older note of a key go that was struck again at the same time.
  mutating func endsOlder(_ message: MIDIMessage, at time: Int64) -> Bool {
    if time != timeAgain { (keysAgain, timeAgain) = (KeySet(), time) }
    switch message.kind {
    case .noteOn:
      if keys.contains(message.note) { keysAgain.insert(message.note) }
      return false
    case .noteOff:
      defer { keysAgain.remove(message.note) }
      return keysAgain.contains(message.note)
    default: return false
    }
  }

  /// Whether a key or a pedal is held here that another source's message lets go.
  func outlasts(_ message: MIDIMessage) -> Bool {
    switch message.kind {
    case .noteOff: return keys.contains(message.note)
    case .controlChange:
      guard message.value7 < 64, let pedal = Self.bit(of: message.controller) else { return false }
      return pedals & pedal != 0
    default: return false
    }
  }

  private static func bit(of pedal: Controller) -> UInt8? { pedals.firstIndex(of: pedal).map { 1 << UInt8($0) } }

  /// What brings to rest everything that is held here and by none of `others`, on channel 0.
  func release(others: [ChannelHold]) -> [MIDIMessage] {
    var messages: [MIDIMessage] = []
    for key in keys.keys where !others.contains(where: { $0.keys.contains(key) }) {
      messages.append(.noteOff(channel: 0, note: key))
    }
    for key in pressedKeys.keys where !others.contains(where: { $0.pressedKeys.contains(key) }) {
      messages.append(.polyPressure(channel: 0, note: key, value7: 0))
    }
    if bend != Self.bendCentre, others.allSatisfy({ $0.bend == Self.bendCentre }) {
      messages.append(.pitchBend(channel: 0, value32: Self.bendCentre))
    }
    if pressure != 0, others.allSatisfy({ $0.pressure == 0 }) {
      messages.append(.channelPressure(channel: 0, value32: 0))
    }
    if modulation != 0, others.allSatisfy({ $0.modulation == 0 }) {
      messages.append(.controlChange(channel: 0, .modulation, value32: 0))
    }
    let held = others.reduce(pedals) { $0 & ~$1.pedals }
    for (index, pedal) in Self.pedals.enumerated() where held & (1 << UInt8(index)) != 0 {
      messages.append(.controlChange(channel: 0, pedal, value32: 0))
    }
    return messages
  }
}

/// A set of the 128 keys of a channel.
struct KeySet: Equatable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  var isEmpty: Bool { low | high == 0 }

  mutating func insert(_ key: UInt8) { if key < 64 { low |= bit(key) } else { high |= bit(key) } }

  mutating func remove(_ key: UInt8) { if key < 64 { low &= ~bit(key) } else { high &= ~bit(key) } }

  func contains(_ key: UInt8) -> Bool { (key < 64 ? low : high) & bit(key) != 0 }

  /// From the lowest to the highest.
  var keys: [UInt8] { (0...127).filter(contains) }

  private func bit(_ key: UInt8) -> UInt64 { 1 &<< UInt64(key & 63) }
}
