/// The ports that tracks of a file are for: by number (FF 21), or by the name of a device (FF 09), each name another
/// port.
///
/// Ports with notes have the groups from 0 on: those with numbers in the order of these, then those with names as they
/// come. From the fifth on they have the groups of the first ones again. What is for a port without notes has group 0.
/// Sources: RP-019, "Device Name"; "MIDI port" as sequencers write it.
struct SongPorts {
  private enum Port: Hashable {
    case number(UInt8)
    case name([UInt8])
  }

  /// Those with notes, each by its number and its name; without a number they count on from the highest one. Empty in
  /// a file that says nothing of ports.
  private(set) var used: [(number: UInt8, name: [UInt8]?)] = []
  private var groups: [Port: UInt8] = [:]
  private var numbers: [Int: Port] = [:]
  private var names: [Int: Port] = [:]

  init(_ file: MIDIFile, _ order: PlayOrder) {
    let namesPorts = file.events.contains { if case .meta(_, .port) = $0.content { true } else { false } }
    let namesDevices = file.events.contains { if case .meta(_, .deviceName) = $0.content { true } else { false } }
    guard namesPorts || namesDevices else { return }
    var isUsed: Set<UInt8> = []
    var devices: [[UInt8]] = []
    order.forEach(file) { entry in
      follow(entry, in: file)
      guard case .message(let message) = entry.event.content, message.kind == .noteOn else { return }
      switch port(ofTrack: entry.track) {
      case .number(let number): isUsed.insert(number)
      case .name(let name): if !devices.contains(name) { devices.append(name) }
      }
    }
    // A track without a device is for the first one.
    if !namesPorts, !devices.isEmpty { isUsed.remove(0) }
    let first = isUsed.max().map { Int($0) + 1 } ?? 0
    used = isUsed.sorted().map { ($0, nil) } + devices.enumerated().map { (UInt8(clamping: first + $0), $1) }
    for (place, port) in used.enumerated() {
      groups[port.name.map { .name($0) } ?? .number(port.number)] = UInt8(place % MIDIPorts.count)
    }
    (numbers, names) = ([:], [:])
  }

  /// Reads what an event says of its track.
  mutating func follow(_ entry: PlayOrder.Entry, in file: MIDIFile) {
    switch entry.event.content {
    case .meta(let payload, .port): numbers[entry.track] = file.bytes(of: payload).first.map { .number($0) }
    case .meta(let payload, .deviceName): names[entry.track] = .name(Array(file.bytes(of: payload)))
    default: break
    }
  }

  /// Without either the first port is meant.
  private func port(ofTrack track: Int) -> Port { numbers[track] ?? names[track] ?? .number(0) }

  /// A message of a track in the group of its port.
  func placed(_ message: MIDIMessage, ofTrack track: Int) -> MIDIMessage {
    guard groups.count > 1 else { return message }
    return message.onGroup(groups[port(ofTrack: track)] ?? 0)
  }
}

extension Song {
  /// How many ports of the synthesizer it plays, 1 to 4.
  public var portCount: Int { 1 + events.reduce(0) { max($0, $1.message.channelIndex / 16) } }

  /// The same song with the events of one port alone, 0 to 3.
  package func onPort(_ port: Int) -> Song {
    var song = self
    song.events = events.filter { $0.message.channelIndex / 16 == port }
    return song
  }
}
