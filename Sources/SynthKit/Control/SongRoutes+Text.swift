import SynthMIDI

// Routes as people write them: "3=5", "track:2=10". Channels and tracks count from 1.

extension SongRoutes.Part {
  /// "3", "B1" or "track:2".
  public init?(parsing text: String) {
    if text.hasPrefix("track:") {
      guard let number = Int(text.dropFirst(6)), number >= 1 else { return nil }
      self = .track(number - 1)
    } else {
      guard let channel = ChannelName.channel(text) else { return nil }
      self = .channel(channel)
    }
  }

  /// "3", "B1" or "track:2".
  public var text: String {
    switch self {
    case .channel(let channel): ChannelName.text(Int(channel))
    case .track(let track): "track:\(track &+ 1)"
    }
  }
}

extension SongRoutes {
  /// "track:2=10", for each part.
  public var texts: [String] {
    parts.compactMap { part in self[part].map { "\(part.text)=\(ChannelName.text(Int($0)))" } }
  }

  /// Adds a route: "3=5" or "track:2=10".
  ///
  /// - Returns: false for any other text.
  public mutating func add(parsing text: String) -> Bool {
    let sides = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    guard sides.count == 2, let part = Part(parsing: sides[0]), case .channel(let channel)? = Part(parsing: sides[1])
    else { return false }
    self[part] = channel
    return true
  }
}
