import CSynthALSA

/// The card and device numbers in a name like `hw:1`, `plughw:1,0` or `hw:CARD=PCH,DEV=3`.
package struct HardwareName: Sendable, Hashable {
  var card: Int32
  var device: Int32

  /// The device node of this direction.
  package func node(_ direction: PCMDirection) -> String { "/dev/snd/pcmC\(card)D\(device)\(direction.mark)" }

  /// The kernel's directory about the substreams of this direction.
  func status(_ direction: PCMDirection) -> String { "/proc/asound/card\(card)/pcm\(device)\(direction.mark)" }

  init(card: Int32, device: Int32) {
    self.card = card
    self.device = device
  }

  /// Nil if the name contains no card, or one that `cardIndex` does not know. (snd_card_get_index)
  package init?(_ name: String, cardIndex: (String) -> Int32 = { snd_card_get_index($0) }) {
    guard let colon = name.firstIndex(of: ":") else { return nil }
    let arguments = name[name.index(after: colon)...].split(separator: ",")
    let card = Self.argument("CARD", at: 0, of: arguments).map(cardIndex) ?? -1
    guard card >= 0 else { return nil }
    self.card = card
    device = Self.argument("DEV", at: 1, of: arguments).flatMap { Int32($0) } ?? 0
  }

  /// `hw:1` and the like with the card's stable id in place of its present number; other names unchanged.
  ///
  /// - Parameter cardID: the id of the card with a number.
  package static func stable(
    _ name: String, cardID: (Int) -> String? = { smallFile("/proc/asound/card\($0)/id") }
  ) -> String {
    let parts = name.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, ["hw", "plughw"].contains(parts[0]) else { return name }
    let keys = ["CARD=", "DEV=", "SUBDEV="]
    let named = zip(parts[1].split(separator: ","), keys).map { argument, key in
      argument.contains("=") ? String(argument) : key + argument
    }
    guard let card = named.first(where: { $0.hasPrefix(keys[0]) }), let number = Int(card.dropFirst(keys[0].count)),
      let id = cardID(number)?.split(separator: "\n").first
    else { return name }
    return "\(parts[0]):" + named.map { $0 == card ? keys[0] + id : $0 }.joined(separator: ",")
  }

  private static func argument(_ key: String, at position: Int, of arguments: [Substring]) -> String? {
    if let named = arguments.first(where: { $0.hasPrefix("\(key)=") }) { return String(named.dropFirst(key.count + 1)) }
    guard position < arguments.count, !arguments[position].contains("=") else { return nil }
    return String(arguments[position])
  }
}

extension PCMRequest {
  /// A name of the device that does not depend on the order of the cards: `hw:CARD=PCH,DEV=0` for `hw:0`, `hw:PCH,0`
  /// and the like. Names without a card are unchanged. [any thread]
  public static func stableName(of device: String) -> String {
    let parts = HardwareName.stable(device).split(separator: ":", maxSplits: 1)
    guard parts.count == 2, ["hw", "plughw"].contains(parts[0]) else { return device }
    let keys = ["CARD=", "DEV=", "SUBDEV="]
    var arguments = zip(parts[1].split(separator: ","), keys).map { argument, key in
      argument.contains("=") ? String(argument) : key + argument
    }
    if arguments.count == 1 { arguments.append("DEV=0") }
    return "\(parts[0]):\(arguments.joined(separator: ","))"
  }
}
