/// How the channels of a stream become those of another.
public enum ChannelConversion: Sendable, Equatable {
  /// They stay as they are.
  case unchanged
  /// So many: mono goes to every channel; 5.1, in the order of WAVE files, goes into stereo with centre and surrounds
  /// at -3 dB and without its low-frequency channel (ITU-R BS.775), and into mono as the mean of that; anything else
  /// goes into mono as the mean; and otherwise channel n goes to channel n, so that stereo is the front of 5.1.
  case automatic(channelCount: Int)
  /// One entry per output channel: the input channel it plays, or silence.
  case map(ChannelMap)
  /// One row per output channel, with the gain of every input channel.
  case matrix([[Float]])

  /// How many channels come out.
  func outputCount(from inputCount: Int) -> Int {
    switch self {
    case .unchanged: inputCount
    case .automatic(let count): count
    case .map(let map): map.sources.count
    case .matrix(let rows): rows.count
    }
  }

  /// What is wrong with it for so many channels of input.
  func problem(inputCount: Int) -> String? {
    switch self {
    case .unchanged, .automatic: return nil
    case .map(let map):
      guard let source = map.sources.first(where: { $0 >= inputCount || $0 < ChannelMap.mean }) else { return nil }
      return "the channel map \(map) plays channel \(source), of \(inputCount) numbered from 0"
    case .matrix(let rows):
      guard let row = rows.firstIndex(where: { $0.count != inputCount }) else { return nil }
      return "row \(row) of the channel matrix has \(rows[row].count) gains for \(inputCount) channels"
    }
  }

  /// Gains by output and input channel.
  public func rows(from inputCount: Int) -> [[Float]] {
    switch self {
    case .matrix(let rows): rows
    case .unchanged: Self.map(.direct(from: inputCount, to: inputCount)).rows(from: inputCount)
    case .map(let map):
      map.sources.map { source in
        (0..<inputCount).map { source == ChannelMap.mean ? 1 / Float(inputCount) : $0 == source ? 1 : 0 }
      }
    case .automatic(let count):
      switch (inputCount, count) {
      case (1, _): Array(repeating: [1], count: count)
      case (6, 2): Self.stereoOfSurround
      case (6, 1): [zip(Self.stereoOfSurround[0], Self.stereoOfSurround[1]).map { ($0 + $1) / 2 }]
      case (2..., 1): [Array(repeating: 1 / Float(inputCount), count: inputCount)]
      default: Self.map(.direct(from: inputCount, to: count)).rows(from: inputCount)
      }
    }
  }

  /// Front left and right, centre, low frequencies, surround left and right, into left and right.
  private static let stereoOfSurround: [[Float]] = {
    let minus3dB = Float(0.5).squareRoot()
    return [[1, 0, minus3dB, 0, minus3dB, 0], [0, 1, minus3dB, 0, 0, minus3dB]]
  }()
}
