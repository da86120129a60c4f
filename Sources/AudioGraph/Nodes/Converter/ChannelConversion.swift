import SynthDSP
import SynthRealtime

/// How the channels of a stream become those of another.
public enum ChannelConversion: Sendable, Equatable {
  /// They stay as they are.
  case unchanged
  /// So many: mono goes to every channel, anything else as by `ChannelMatrix.standardRows`.
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
      inputCount == 1
        ? Array(repeating: [1], count: count) : ChannelMatrix.standardRows(from: inputCount, to: count)
    }
  }
}

extension ChannelMatrix {
  /// One quantum of all channels; both ends are 32-byte aligned, their channels `renderQuantum` samples apart.
  @_noLocks
  func apply(_ source: UnsafePointer<Float>, to destination: UnsafeMutablePointer<Float>) {
    for output in 0..<outputCount {
      mix(
        output, from: source, stride: renderQuantum, into: destination + output &* renderQuantum, count: renderQuantum)
    }
  }
}
