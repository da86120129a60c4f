/// What a channel plays, for people.
public struct ChannelPreset: Sendable, Hashable {
  /// The soundfont's name of it, or a patch's title.
  public let name: String
  /// The soundfont's bank, 128 for drums; nil for a patch.
  public let bank: Int?
  /// 0 to 127; nil for a patch.
  public let program: Int?
}

extension RackNode {
  /// What a channel plays: the sampler's preset if it plays the sampler, else its patches; nil for nothing. [any thread]
  ///
  /// - Parameter channel: 0 to 15.
  public func preset(ofChannel channel: Int) -> ChannelPreset? {
    guard (0..<Self.channelCount).contains(channel) else { return nil }
    guard let (serial, address) = presets.preset(ofChannel: channel) else { return patches(ofChannel: channel) }
    guard let name = presetIndex(of: serial)?[address] else { return nil }
    return ChannelPreset(name: name, bank: Int(address.bank), program: Int(address.program))
  }

  private func patches(ofChannel channel: Int) -> ChannelPreset? {
    let routing = RackRouting(configuration.assignments)
    let titles = zip(routing.parts, routing.patches).filter { $0.0.channels & 1 << UInt16(channel) != 0 }.map(\.1.title)
    return titles.isEmpty ? nil : ChannelPreset(name: titles.joined(separator: " + "), bank: nil, program: nil)
  }
}
