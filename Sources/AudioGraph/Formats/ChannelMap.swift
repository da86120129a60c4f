/// Which source channel each destination channel plays.
///
/// One entry per destination channel; the value is the source channel, `ChannelMap.silence` (-1) is silence and
/// `ChannelMap.mean` (-2) the mean of all source channels. A source may feed several destinations. The convention is
/// that of `kAudioOutputUnitProperty_ChannelMap` and of FluidSynth's `audio.coreaudio.channel-map`.
public struct ChannelMap: Hashable, Sendable, CustomStringConvertible {
  /// A destination channel with this entry plays nothing; written "-1".
  public static let silence = -1
  /// The mean of all source channels; written "mono".
  public static let mean = -2

  /// A source channel from 0, `silence` or `mean` for each destination channel.
  public let sources: [Int]

  public init(_ sources: [Int]) { self.sources = sources }

  /// Parses `0,1,-1,-1`; `mono` is the mean of all source channels.
  public init(parsing text: String) throws(ChannelMapError) {
    var sources: [Int] = []
    for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
      let word = entry.filter { $0 != " " }
      let source = word == Self.meanWord ? Self.mean : Int(word).flatMap { $0 >= Self.silence ? $0 : nil }
      guard let source else { throw .malformed(text, entry: String(entry)) }
      sources.append(source)
    }
    self.sources = sources
  }

  /// Source after source into the first destinations, silence in the rest.
  public static func direct(from sourceCount: Int, to destinationCount: Int) -> ChannelMap {
    ChannelMap((0..<max(0, destinationCount)).map { $0 < sourceCount ? $0 : silence })
  }

  /// What a device gets when nothing else is asked for: the mean of a stereo mix on a single channel, else as `direct`.
  public static func standard(from sourceCount: Int, to destinationCount: Int) -> ChannelMap {
    sourceCount == 2 && destinationCount == 1
      ? ChannelMap([mean]) : direct(from: sourceCount, to: destinationCount)
  }

  /// Checks the map against both ends.
  public func validate(sourceCount: Int, destinationCount: Int) throws(ChannelMapError) {
    guard sources.count == destinationCount else {
      throw .wrongLength(self, sourceCount: sourceCount, destinationCount: destinationCount)
    }
    if let source = sources.first(where: { $0 >= sourceCount || $0 < Self.mean }) {
      throw .noSuchSource(self, source: source, sourceCount: sourceCount)
    }
  }

  public var description: String {
    sources.map { $0 == Self.mean ? Self.meanWord : "\($0)" }.joined(separator: ",")
  }

  /// As a property takes it.
  public var propertyValue: PropertyValue {
    .list(sources.map { $0 == Self.mean ? .text(Self.meanWord) : .integer($0) })
  }

  static let meanWord = "mono"
}

/// Why a channel map cannot be used.
public enum ChannelMapError: Error, Equatable, CustomStringConvertible {
  /// A text with an entry that is neither a channel, "-1" nor "mono".
  case malformed(String, entry: String)
  /// A map with another number of entries than there are destination channels.
  case wrongLength(ChannelMap, sourceCount: Int, destinationCount: Int)
  /// A map with an entry that is no channel of the source.
  case noSuchSource(ChannelMap, source: Int, sourceCount: Int)

  public var description: String {
    switch self {
    case .malformed(let text, let entry):
      "reading channel map \"\(text)\": \"\(entry)\" is no channel; "
        + "give one source channel per destination channel, or -1 for silence, as in 0,1,-1,-1"
    case .wrongLength(let map, let sourceCount, let count):
      "setting channel map \(map): it has \(map.sources.count) \(map.sources.count == 1 ? "entry" : "entries"), "
        + "the device \(count) \(count == 1 ? "channel" : "channels"); "
        + "give one entry per device channel, as in \(ChannelMap.direct(from: sourceCount, to: count))"
    case .noSuchSource(let map, let source, let count):
      "setting channel map \(map): source channel \(source) does not exist; "
        + "the mix has channels 0 to \(count - 1), and -1 is silence"
    }
  }
}
