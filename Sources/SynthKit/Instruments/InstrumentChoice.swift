import Instruments

/// What plays where, as people write it: "pad", "3=pad", "1:0-59=bass", "pad+strings", "10=sampler".
///
/// Before "=" stand a channel from 1 to 16, or nothing for all, and after ":" the keys; behind it the names of patches, or
/// "sampler", that play together.
public struct InstrumentChoice: Sendable, Equatable {
  /// The name that stands for the sampler.
  public static let samplerName = "sampler"

  /// 0 to 15; nil is all channels.
  public let channel: UInt8?
  /// 0 to 127.
  public let keys: ClosedRange<UInt8>
  /// Names or paths of patches.
  public let names: [String]

  /// nil where the text means nothing.
  public init?(parsing text: String) {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let place = sides.count == 2 ? sides[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false) : []
    if let number = place.first, !number.isEmpty {
      guard let number = UInt8(number), (1...16).contains(number) else { return nil }
      channel = number - 1
    } else {
      channel = nil
    }
    if place.count == 2 {
      let ends = place[1].split(separator: "-", omittingEmptySubsequences: false).map { UInt8($0) }
      guard let low = ends.first ?? nil, let high = ends.last ?? nil, ends.count <= 2, low <= high, high < 128 else {
        return nil
      }
      keys = low...high
    } else {
      keys = 0...127
    }
    names = sides[sides.count - 1].split(separator: "+", omittingEmptySubsequences: false).map(String.init)
    if names.contains("") || (sides.count == 2 && sides[0].isEmpty) { return nil }
  }

  /// The assignments it stands for, the patches read from a library.
  public func assignments(from library: InstrumentLibrary) throws(PresetError) -> [InstrumentAssignment] {
    var assignments: [InstrumentAssignment] = []
    for name in names {
      let instrument: InstrumentAssignment.Instrument =
        name == Self.samplerName ? .sampler : .patch(try library.patch(name))
      assignments.append(InstrumentAssignment(instrument, channel: channel, keys: keys))
    }
    return assignments
  }
}

/// A text that chooses no instrument.
public struct InstrumentChoiceError: Error, Equatable, Sendable, CustomStringConvertible {
  public let text: String

  /// What to write.
  public static let expected =
    "a name, as in pad, 3=pad (channel 3), 1:0-59=bass (its lower keys) or pad+bell"

  public var description: String { "choosing instrument \"\(text)\": it means nothing; give \(Self.expected)" }
}
