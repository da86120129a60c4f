/// An instrument's place in a rack: the channel and the keys it plays.
///
/// A channel with assignments of its own plays those alone, all of them at once; any other plays those for all channels,
/// and if there are none, the sampler.
public struct InstrumentAssignment: Sendable, Equatable {
  /// What plays.
  public enum Instrument: Sendable, Equatable {
    case sampler
    case patch(Patch)
  }

  public var instrument: Instrument
  /// 0 to 15; nil is all channels.
  public var channel: UInt8?
  /// 0 to 127.
  public var keys: ClosedRange<UInt8>

  public init(_ instrument: Instrument, channel: UInt8? = nil, keys: ClosedRange<UInt8> = 0...127) {
    self.instrument = instrument
    self.channel = channel
    self.keys = keys
  }

  /// Whether any channel would play the sampler.
  public static func needSampler(_ assignments: [InstrumentAssignment]) -> Bool {
    RackRouting(assignments).samplerKeys.contains { $0 != SIMD2(0, 0) }
  }

  /// The channels it plays, a bit each.
  func channels(among assignments: [InstrumentAssignment]) -> UInt16 {
    if let channel { return 1 << UInt16(channel & 15) }
    let taken = assignments.compactMap(\.channel).reduce(0) { $0 | 1 << UInt16($1 & 15) }
    return ~UInt16(truncatingIfNeeded: taken)
  }
}

extension InstrumentAssignment: CustomStringConvertible {
  /// As it is asked for: "pad", "3=pad", "1:0-59=bass", "10=sampler".
  public var description: String {
    let range = keys == 0...127 ? "" : ":\(keys.lowerBound)-\(keys.upperBound)"
    let place = (channel.map { "\($0 + 1)" } ?? "") + range
    let name =
      switch instrument {
      case .sampler: "sampler"
      case .patch(let patch): patch.name
      }
    return place.isEmpty ? name : "\(place)=\(name)"
  }
}

/// Assignments worked out: the parts of the oscillator voices, and the keys of the sampler.
struct RackRouting {
  private(set) var parts: [VoicePart] = []
  private(set) var patches: [Patch] = []
  /// The keys of each channel the sampler plays, a bit each.
  private(set) var samplerKeys = [SIMD2<UInt64>](repeating: SIMD2(0, 0), count: 16)

  init(_ assignments: [InstrumentAssignment]) {
    // No channel is left without an instrument.
    let assignments =
      assignments.contains { $0.channel == nil } ? assignments : [InstrumentAssignment(.sampler)] + assignments
    for assignment in assignments {
      let channels = assignment.channels(among: assignments)
      switch assignment.instrument {
      case .sampler: addSampler(channels, assignment.keys)
      case .patch(let patch):
        parts.append(VoicePart(patch, index: patches.count, channels: channels, keys: assignment.keys))
        patches.append(patch)
      }
    }
  }

  private mutating func addSampler(_ channels: UInt16, _ keys: ClosedRange<UInt8>) {
    for channel in 0..<16 where channels & (1 << UInt16(channel)) != 0 {
      for key in keys where key < 128 { samplerKeys[channel][Int(key >> 6)] |= 1 << UInt64(key & 63) }
    }
  }
}

extension VoicePart {
  init(_ patch: Patch, index: Int, channels: UInt16, keys: ClosedRange<UInt8>) {
    self.channels = channels
    lowKey = keys.lowerBound
    highKey = keys.upperBound
    mode =
      switch patch.mode {
      case .poly: .poly
      case .mono: .mono
      case .legato: .legato
      }
    unisonCount = min(max(patch.unison.voices, 1), VoiceGroup.width)
    self.patch = index
  }
}
