/// Which source channel each destination channel plays.
///
/// One entry per destination channel; the value is the source channel, `ChannelMap.silence` (-1) is silence. A source may
/// feed several destinations. The convention is that of `kAudioOutputUnitProperty_ChannelMap` and of FluidSynth's
/// `audio.coreaudio.channel-map`.
public struct ChannelMap: Hashable, Sendable, CustomStringConvertible {
  public static let silence = -1

  public let sources: [Int]

  public init(_ sources: [Int]) { self.sources = sources }

  /// Parses `0,1,-1,-1`.
  public init(parsing text: String) throws(ChannelMapError) {
    var sources: [Int] = []
    for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let source = Int(entry.filter { $0 != " " }), source >= Self.silence else {
        throw .malformed(text, entry: String(entry))
      }
      sources.append(source)
    }
    self.sources = sources
  }

  /// Source after source into the first destinations, silence in the rest: what a device gets when nobody asks.
  public static func direct(from sourceCount: Int, to destinationCount: Int) -> ChannelMap {
    ChannelMap((0..<max(0, destinationCount)).map { $0 < sourceCount ? $0 : silence })
  }

  /// Checks the map against both ends.
  public func validate(sourceCount: Int, destinationCount: Int) throws(ChannelMapError) {
    guard sources.count == destinationCount else {
      throw .wrongLength(self, destinationCount: destinationCount)
    }
    if let source = sources.first(where: { $0 >= sourceCount || $0 < Self.silence }) {
      throw .noSuchSource(self, source: source, sourceCount: sourceCount)
    }
  }

  public var description: String { sources.map(String.init).joined(separator: ",") }
}

/// Why a channel map cannot be used.
public enum ChannelMapError: Error, Equatable, CustomStringConvertible {
  case malformed(String, entry: String)
  case wrongLength(ChannelMap, destinationCount: Int)
  case noSuchSource(ChannelMap, source: Int, sourceCount: Int)

  public var description: String {
    switch self {
    case .malformed(let text, let entry):
      "reading channel map \"\(text)\": \"\(entry)\" is no channel; "
        + "give one source channel per destination channel, or -1 for silence, as in 0,1,-1,-1"
    case .wrongLength(let map, let count):
      "setting channel map \(map): it has \(map.sources.count) \(map.sources.count == 1 ? "entry" : "entries"), "
        + "the device \(count) \(count == 1 ? "channel" : "channels"); "
        + "give one entry per device channel, as in \(ChannelMap.direct(from: 2, to: count))"
    case .noSuchSource(let map, let source, let count):
      "setting channel map \(map): source channel \(source) does not exist; "
        + "the mix has channels 0 to \(count - 1), and -1 is silence"
    }
  }
}
