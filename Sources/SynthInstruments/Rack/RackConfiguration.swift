import SynthMIDI

/// The settings of a rack.
public struct RackConfiguration: Sendable {
  /// For channels that play the sampler; its gain is also that of the oscillator voices.
  public var sampler: SamplerConfiguration
  /// Empty for the sampler on all channels.
  public var assignments: [InstrumentAssignment]
  /// How many oscillator voices may sound at once, 1 to 8192.
  public var polyphony: Int {
    didSet { polyphony = Self.clamped(polyphony) }
  }
  /// How many ports it has at least, each with 16 channels, 1 to 4. A rack that has more keeps them.
  public var portCount = 1 {
    didSet { portCount = min(max(portCount, 1), MIDIPorts.count) }
  }

  public init(
    sampler: SamplerConfiguration = SamplerConfiguration(soundFonts: []), assignments: [InstrumentAssignment] = [],
    polyphony: Int = 256
  ) {
    self.sampler = sampler
    self.assignments = assignments
    self.polyphony = Self.clamped(polyphony)
  }

  private static func clamped(_ polyphony: Int) -> Int { min(max(polyphony, 1), 8192) }
}

/// An instrument's place in a rack: the channel and the keys it plays.
///
/// A channel that is named in assignments plays those alone, all of them at once; every other channel plays the
/// assignments for all channels, and without any, the sampler.
public struct InstrumentAssignment: Sendable {
  /// What plays the notes.
  public var instrument: any Instrument
  /// Among the channels of all ports, 0 to 63; nil is all channels.
  public var channel: UInt8?
  /// 0 to 127.
  public var keys: ClosedRange<UInt8>

  public init(_ instrument: some Instrument, channel: UInt8? = nil, keys: ClosedRange<UInt8> = 0...127) {
    self.instrument = instrument
    self.channel = channel
    self.keys = keys
  }

  /// The channels of a port that it plays, a bit each.
  fileprivate func channels(ofPort port: Int, among assignments: [InstrumentAssignment]) -> UInt16 {
    var channels: ChannelSet = []
    for case let channel? in channel.map({ [$0] }) ?? assignments.map(\.channel) { channels.insert(Int(channel)) }
    return channel == nil ? ~channels.channels(ofPort: port) : channels.channels(ofPort: port)
  }
}

extension InstrumentAssignment: Equatable {
  /// Whether channel, keys and instrument are the same; instruments of different types never are.
  public static func == (a: InstrumentAssignment, b: InstrumentAssignment) -> Bool {
    isEqual(a.instrument, b.instrument) && a.channel == b.channel && a.keys == b.keys
  }

  private static func isEqual<Playable: Instrument>(_ a: Playable, _ b: any Instrument) -> Bool { b as? Playable == a }
}

extension InstrumentAssignment: CustomStringConvertible {
  /// As it is asked for: "pad", "3=pad", "1:0-59=bass", "10=sampler", "B1=pad".
  public var description: String {
    let range = keys == 0...127 ? "" : ":\(keys.lowerBound)-\(keys.upperBound)"
    let place = (channel.map { ChannelName.text(Int($0)) } ?? "") + range
    return place.isEmpty ? instrument.name : "\(place)=\(instrument.name)"
  }
}

/// Assignments worked out: the engines that a port of a rack needs, by the types of the instruments. The sampler's
/// comes first.
struct RackRouting {
  private(set) var engines: [any Instrument.Type] = []
  private var parts: [(instrument: any Instrument, channels: UInt16, keys: ClosedRange<UInt8>)] = []

  init(_ assignments: [InstrumentAssignment], port: Int = 0) {
    let sampler = InstrumentAssignment(.sampler)
    let assignments = assignments.contains { $0.channel == nil } ? assignments : [sampler] + assignments
    parts = assignments.map { ($0.instrument, $0.channels(ofPort: port, among: assignments), $0.keys) }
    for part in [(sampler.instrument, 0, sampler.keys)] + parts {
      let type = type(of: part.instrument)
      let isUsed = parts.contains { Swift.type(of: $0.instrument) == type && $0.channels != 0 }
      if isUsed, !engines.contains(where: { $0 == type }) { engines.append(type) }
    }
  }

  /// The places of the instruments of one type, in the order of the assignments.
  func parts<Playable: Instrument>(of type: Playable.Type) -> [InstrumentPart<Playable>] {
    parts.compactMap { part in
      guard let instrument = part.instrument as? Playable else { return nil }
      let (low, high) = (part.keys.lowerBound, part.keys.upperBound)
      return InstrumentPart(
        instrument: instrument, place: InstrumentPlace(channels: part.channels, lowKey: low, highKey: high))
    }
  }
}
