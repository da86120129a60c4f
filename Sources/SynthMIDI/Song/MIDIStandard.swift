/// A convention beyond plain MIDI that a song follows, as its System Exclusive messages say.
public enum MIDIStandard: String, CaseIterable, Sendable {
  /// Roland's MT-32 and its like, which have programs of their own.
  case mt32 = "MT-32"
  /// General MIDI.
  case gm = "GM"
  /// General MIDI 2.
  case gm2 = "GM2"
  /// Roland's GS.
  case gs = "GS"
  /// Yamaha's XG.
  case xg = "XG"

  /// What a message is for.
  ///
  /// Sources: MIDI 1.0 (GM and GM2 system messages), the manuals of Roland's MT-32 (model 16h) and SC-88 (42h, and 45h
  /// for its display), Yamaha's XG specification (model 4Ch).
  ///
  /// - Parameter payload: of System Exclusive, without F0 and F7. Nil for one that says nothing of this.
  init?(_ payload: ArraySlice<UInt8>) {
    let bytes = Array(payload.prefix(4))
    guard bytes.count == 4 else { return nil }
    switch (bytes[0], bytes[2], bytes[3]) {
    case (0x7E, 0x09, 0x01): self = .gm
    case (0x7E, 0x09, 0x03): self = .gm2
    case (0x41, 0x16, 0x11...0x12): self = .mt32
    case (0x41, 0x42, 0x12), (0x41, 0x45, 0x12): self = .gs
    case (0x43, 0x4C, _): self = .xg
    default: return nil
    }
  }
}

extension Song {
  /// The conventions that the song follows, in the order in which it first does.
  public var standards: [MIDIStandard] {
    var standards: [MIDIStandard] = []
    for event in events where event.message.kind == .systemExclusive {
      guard let standard = MIDIStandard(payload(of: event)), !standards.contains(standard) else { continue }
      standards.append(standard)
    }
    return standards
  }

  /// Whether it is for an MT-32: it addresses one before it resets another kind of synthesizer, or never does that.
  public var isForMT32: Bool { standards.first == .mt32 }
}
