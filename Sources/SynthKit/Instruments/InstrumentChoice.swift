import SynthInstruments
import SynthMIDI

/// What plays where, as people write it: "pad", "3=pad", "1:0-59=bass", "pad+strings", "10=sampler".
///
/// Before "=" stand a channel (`ChannelName`), or nothing for all, and after ":" the keys; behind it the names of patches
/// or built-in instruments that play together.
public struct InstrumentChoice: Sendable, Equatable, CustomStringConvertible {
  /// The instruments that people choose by a name and that no file describes: an engine that is to be had by name is
  /// added here.
  public static let builtIn: [(instrument: any Instrument, description: String)] = [
    (.sampler, "the soundfont, which channels without an instrument play")
  ]

  /// Among the channels of all ports, 0 to 63; nil is all channels.
  public let channel: UInt8?
  /// 0 to 127.
  public let keys: ClosedRange<UInt8>
  /// Names or paths of patches.
  public let names: [String]
  /// As it was written.
  public let description: String

  /// Reads what people write.
  public init(parsing text: String) throws(InstrumentChoiceError) {
    description = text
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let place = sides.count == 2 ? sides[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false) : []
    names = (sides.last ?? "").split(separator: "+", omittingEmptySubsequences: false).map(String.init)
    if names.contains("") { throw .noName(text) }
    if sides.count == 2, sides[0].isEmpty { throw .channel(text) }
    channel = try place.first.flatMap { number throws(InstrumentChoiceError) -> UInt8? in
      if number.isEmpty { return nil }
      guard let channel = ChannelName.channel(number) else { throw .channel(text) }
      return channel
    }
    keys = place.count == 2 ? try Self.keys(place[1], in: text) : 0...127
  }

  private static func keys(_ range: Substring, in text: String) throws(InstrumentChoiceError) -> ClosedRange<UInt8> {
    let ends = range.split(separator: "-", omittingEmptySubsequences: false).map { UInt8($0) }
    guard let low = ends.first ?? nil, let high = ends.last ?? nil, ends.count <= 2, low <= high, high < 128 else {
      throw .keys(text)
    }
    return low...high
  }

  /// The assignments it stands for, the patches read from a library.
  public func assignments(from library: InstrumentLibrary) throws(ResourceError) -> [InstrumentAssignment] {
    var assignments: [InstrumentAssignment] = []
    for name in names {
      let builtIn = Self.builtIn.first { $0.instrument.name == name }
      let instrument: any Instrument = if let builtIn { builtIn.instrument } else { try library.patch(name) }
      assignments.append(InstrumentAssignment(instrument, channel: channel, keys: keys))
    }
    return assignments
  }
}

/// A text that chooses no instrument.
public enum InstrumentChoiceError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The text names no instrument.
  case noName(String)
  /// What stands before "=" is no channel.
  case channel(String)
  /// What stands between ":" and "=" are no keys.
  case keys(String)

  public var description: String {
    switch self {
    case .noName(let text), .channel(let text), .keys(let text): "choosing instrument \"\(text)\": give \(expected)"
    }
  }

  /// What to give instead.
  public var expected: String {
    switch self {
    case .noName: "a name, as in pad, 3=pad (channel 3), 1:0-59=bass (its lower keys) or pad+bell"
    case .channel: "\(ChannelName.expected), before the name, as in 3=pad"
    case .keys: "keys from 0 to 127 after the channel, the lower first, as in 1:0-59=bass"
    }
  }
}
