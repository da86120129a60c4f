import SynthDSP

/// The levels of channels, for the last line of the terminal: a bar for each, its highest peak of the last two seconds,
/// and a mark once it has clipped; of many channels a column for each.
struct ChannelMeters {
  private struct Channel {
    var peak: Float = 0
    /// The highest peak of late, and until when it is shown, in seconds.
    var held: Float = 0
    var heldUntil = 0.0
    /// Since the beginning.
    var highest: Float = 0
  }

  /// In seconds.
  private static let hold = 2.0
  /// In decibels; what is lower is no bar.
  private static let floor = -60.0
  /// As much room as a channel needs for its number, a bar of five cells, a figure and a mark.
  private static let narrowest = 15
  private static let columns = Array(" ▁▂▃▄▅▆▇█")

  private var channels: [Channel]

  init(channelCount: Int) { channels = Array(repeating: Channel(), count: channelCount) }

  /// - Parameters:
  ///   - peaks: of all channels since the last call; 1 is full scale.
  ///   - seconds: when that is.
  mutating func note(_ peaks: [Float], at seconds: Double) {
    for (index, peak) in peaks.prefix(channels.count).enumerated() {
      channels[index].peak = peak
      channels[index].highest = max(channels[index].highest, peak)
      guard peak >= channels[index].held || seconds >= channels[index].heldUntil else { continue }
      (channels[index].held, channels[index].heldUntil) = (peak, seconds + Self.hold)
    }
  }

  /// The highest sample since the beginning; 1 is full scale.
  var highest: Float { channels.map(\.highest).max() ?? 0 }

  /// The channels that have reached full scale, counted from 1.
  var clipped: [Int] { channels.indices.filter { channels[$0].highest >= 1 }.map { $0 + 1 } }

  func text(width: Int) -> String {
    let room = channels.isEmpty ? 0 : (width - 2 * (channels.count - 1)) / channels.count
    guard room < Self.narrowest else {
      return channels.enumerated().map { text($1, number: $0 + 1, width: min(room, 40)) }.joined(separator: "  ")
    }
    let columns = channels.map { channel in
      let height = Self.part(channel.peak) * Double(Self.columns.count - 1)
      return String(Self.columns[Int(height.rounded(.up))])
    }
    let held = Self.figure(channels.map(\.held).max() ?? 0)
    let marks = clipped.isEmpty ? "" : "  clipped: \(clipped.map { "\($0)" }.joined(separator: ","))"
    return "[\(columns.joined())] \(held)\(marks)"
  }

  /// "1 ███████░░│░░  -12.3!"
  private func text(_ channel: Channel, number: Int, width: Int) -> String {
    let label = "\(number) "
    let cells = width - label.count - 8
    let filled = Int(Self.part(channel.peak) * Double(cells))
    let held = Int((Self.part(channel.held) * Double(cells)).rounded(.up)) - 1
    let bar = (0..<cells).map { $0 < filled ? "█" : $0 == held ? "│" : "░" }.joined()
    return "\(label)\(bar) \(Self.figure(channel.held))\(channel.highest >= 1 ? "!" : " ")"
  }

  private static func decibels(_ peak: Float) -> Double { Decibels(amplitude: Double(peak)).value }

  /// Of the bar, 0 to 1.
  private static func part(_ peak: Float) -> Double { min(max(1 - decibels(peak) / floor, 0), 1) }

  /// Six columns; nothing for what has no bar.
  private static func figure(_ peak: Float) -> String {
    let level = decibels(peak)
    let text = level < floor ? "" : tenths(level)
    return String(repeating: " ", count: max(0, 6 - text.count)) + text
  }
}
