import SynthRealtime

/// Passes what a source delivers to other sinks, on other channels, transposed, or only a part of it.
///
///     let through = MIDIThrough(to: [output])
///     through.setting.transposition = 12
///     try source.start { through.receive($0) }
///
/// A note ends where it began: until its note off, what concerns it takes the channel and the key of its note on,
/// though the setting has changed meanwhile.
public final class MIDIThrough: MIDISink {
  /// What is passed, and how.
  public struct Setting: Hashable, Sendable {
    /// For each of the 16 channels, counted from 0, where its messages go; nil for nowhere.
    public var channels: [UInt8?] = (0..<16).map { $0 }
    /// Semitones that keys of all channels are moved by; those that leave 0 to 127 are left out.
    public var transposition = 0
    /// The keys that are passed, as they are played.
    public var keys: ClosedRange<UInt8> = 0...127
    /// The kinds of channel messages that are left out. Note offs of notes that were passed are never left out.
    public var blockedKinds: Set<MIDIMessage.Kind> = []
    /// Whether System Exclusive messages, System Reset, clocks and transport are passed.
    public var passesSystemMessages = true

    /// All is passed as it is.
    public init() {}
  }

  fileprivate struct Key: Hashable {
    let port: UInt32
    let channel: UInt8
    let note: UInt8
  }

  fileprivate struct State: Sendable {
    var setting = Setting()
    /// The channels and keys that notes which are held were passed to.
    var held: [Key: (channel: UInt8, note: UInt8)] = [:]
  }

  private let state: CheckedMutex<State>
  private let sinks: [any MIDISink]

  /// Passes to all of some sinks.
  public init(_ setting: Setting = Setting(), to sinks: [any MIDISink]) {
    state = CheckedMutex(State(setting: setting))
    self.sinks = sinks
  }

  /// What is passed, and how, from the next message on. [any thread]
  public var setting: Setting {
    get { state.withLock { $0.setting } }
    set { state.withLock { $0.setting = newValue } }
  }

  public func receive(_ event: MIDISourceEvent) {
    guard let event = state.withLock({ $0.passed(event) }) else { return }
    for sink in sinks { sink.receive(event) }
  }
}

extension MIDIThrough.State {
  fileprivate mutating func passed(_ event: MIDISourceEvent) -> MIDISourceEvent? {
    switch event {
    case .received(.message(let message), let port, let hostTime):
      return passed(message, port).map { .received(.message($0), from: port, hostTime: hostTime) }
    case .received: return setting.passesSystemMessages ? event : nil
    case .departed(let port), .fellSilent(let port): held = held.filter { $0.key.port != port.id }
    case .eventsLost: held = [:]
    case .joined: break
    }
    return event
  }

  private mutating func passed(_ message: MIDIMessage, _ port: MIDIPort) -> MIDIMessage? {
    let key = MIDIThrough.Key(port: port.id, channel: message.channel, note: message.note)
    if message.concernsOneNote, let place = held[key] {
      if message.kind == .noteOff { held[key] = nil }
      return message.kind != .noteOff && setting.blockedKinds.contains(message.kind)
        ? nil : message.onChannel(place.channel).onNote(place.note)
    }
    let channel = Int(message.channel)
    guard !setting.blockedKinds.contains(message.kind), setting.channels.indices.contains(channel),
      let target = setting.channels[channel]
    else { return nil }
    guard message.concernsOneNote else { return message.onChannel(target) }
    let note = Int(message.note) + setting.transposition
    guard setting.keys.contains(message.note), (0...127).contains(note) else { return nil }
    if message.kind == .noteOn { held[key] = (target, UInt8(note)) }
    return message.onChannel(target).onNote(UInt8(note))
  }
}
