/// Why an input does not do what it was asked to.
public enum InputError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Another node, or a recording by hand, reads the unit.
  case running(unit: String)
  /// A channel map has one entry for each channel that is wanted.
  case mapLength(ChannelMap, wanted: Int)
  /// A channel map names a channel that the unit has not got.
  case noSuchChannel(ChannelMap, channel: Int, unit: String, channels: Int)
  /// Several as one were none.
  case noUnits
  /// There is no memory to resample its channels.
  case noMemory(unit: String, reason: String)

  public var description: String {
    switch self {
    case .running(let unit):
      "starting \(unit): it is running already; stop it first, or connect its node to more than one other"
    case .mapLength(let map, let wanted):
      "setting input channel map \(map): it has \(map.sources.count) \(map.sources.count == 1 ? "entry" : "entries"), "
        + "and \(wanted) \(wanted == 1 ? "channel is" : "channels are") wanted; give one entry for each, as in "
        + "\(ChannelMap.direct(from: wanted, to: wanted))"
    case .noSuchChannel(let map, let channel, let unit, let channels):
      "setting input channel map \(map): "
        + (channel == ChannelMap.mean
          ? "\(ChannelMap.meanWord) is for outputs; \(unit) has" : "\(unit) has no channel \(channel); it has")
        + " channels 0 to \(channels - 1), and -1 is silence"
    case .noUnits:
      "joining inputs: there are none; give one or more"
    case .noMemory(let unit, let reason):
      "preparing \(unit): \(reason); end other programs, or ask for fewer channels"
    }
  }
}
