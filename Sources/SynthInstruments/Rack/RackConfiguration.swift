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
  /// 0 to 15; nil is all channels.
  public var channel: UInt8?
  /// 0 to 127.
  public var keys: ClosedRange<UInt8>

  public init(_ instrument: some Instrument, channel: UInt8? = nil, keys: ClosedRange<UInt8> = 0...127) {
    self.instrument = instrument
    self.channel = channel
    self.keys = keys
  }

  /// The channels it plays, a bit each.
  fileprivate func channels(among assignments: [InstrumentAssignment]) -> UInt16 {
    if let channel { return 1 << UInt16(channel & 15) }
    let taken = assignments.compactMap(\.channel).reduce(0) { $0 | 1 << UInt16($1 & 15) }
    return ~UInt16(truncatingIfNeeded: taken)
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
  /// As it is asked for: "pad", "3=pad", "1:0-59=bass", "10=sampler".
  public var description: String {
    let range = keys == 0...127 ? "" : ":\(keys.lowerBound)-\(keys.upperBound)"
    let place = (channel.map { "\($0 + 1)" } ?? "") + range
    return place.isEmpty ? instrument.name : "\(place)=\(instrument.name)"
  }
}

/// Assignments worked out: the engines a rack needs, by the types of the instruments. The sampler's comes first.
struct RackRouting {
  private(set) var engines: [any Instrument.Type] = []
  private var parts: [(instrument: any Instrument, channels: UInt16, keys: ClosedRange<UInt8>)] = []

  init(_ assignments: [InstrumentAssignment]) {
    let sampler = InstrumentAssignment(.sampler)
    let assignments = assignments.contains { $0.channel == nil } ? assignments : [sampler] + assignments
    parts = assignments.map { ($0.instrument, $0.channels(among: assignments), $0.keys) }
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
