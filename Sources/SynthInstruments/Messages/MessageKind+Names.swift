extension MessageKind {
  /// What the standards call it; nil for what has no name here.
  package var name: String? {
    switch self {
    case .controller(let number): Self.controllerNames[number] ?? Self.fineName(number)
    case .gs(let address) where address & 0x7F_F0_00 == 0x40_20_00: "controller matrix"
    default: Self.names[description]
    }
  }

  private static let controllerNames: [UInt8: String] = [
    2: "breath", 4: "foot", 12: "effect control 1", 13: "effect control 2", 16: "general purpose 1",
    17: "general purpose 2", 18: "general purpose 3", 19: "general purpose 4", 69: "hold 2", 70: "sound variation",
    79: "sound controller 10", 80: "general purpose 5", 81: "general purpose 6", 82: "general purpose 7",
    83: "general purpose 8", 88: "high resolution velocity", 92: "tremolo depth", 95: "phaser depth",
    122: "local control",
  ]

  /// The second seven bits of the controllers 0 to 31.
  private static func fineName(_ number: UInt8) -> String? {
    (32..<64).contains(number) ? "second byte of CC \(number - 32)" : nil
  }

  /// Sources: the manuals of Roland's MT-32 and SC-88Pro; Yamaha's XG specification 1.26; MIDI 1.0.
  private static let names = [
    "GS 40 00 7F": "reset", "GS 40 01 00": "patch name", "GS 40 01 10": "voice reserve",
    "GS 40 01 32": "reverb pre-low-pass",
    "GS 40 01 35": "reverb delay feedback", "GS 40 01 37": "reverb pre-delay", "GS 40 01 39": "chorus pre-low-pass",
    "GS 40 01 3C": "chorus delay", "GS 40 01 3F": "chorus to reverb", "GS 40 01 40": "chorus to delay",
    "GS 40 01 51": "delay pre-low-pass", "GS 40 01 53": "delay ratio left", "GS 40 01 54": "delay ratio right",
    "GS 40 01 55": "delay level centre", "GS 40 01 56": "delay level left", "GS 40 01 57": "delay level right",
    "GS 40 01 5A": "delay to reverb",
    "GS 40 02 00": "equalizer, low frequency", "GS 40 02 01": "equalizer, low gain",
    "GS 40 02 02": "equalizer, high frequency", "GS 40 02 03": "equalizer, high gain",
    "GS 40 03 xx": "insertion effect", "GS 40 1x 14": "assign mode", "GS 40 1x 29": "reserved",
    "GS 40 4x 00": "tone map", "GS 40 4x 01": "tone map of CC 32", "GS 40 4x 20": "equalizer switch",
    "GS 40 4x 22": "insertion effect switch",
    "GS 41 m0 rr": "drum map name", "GS 41 m5 rr": "drum reverb send", "GS 41 m6 rr": "drum chorus send",
    "GS 41 m8 rr": "drum note on", "GS 41 m9 rr": "drum delay send",
    "NRPN 01 24": "high-pass cutoff", "NRPN 01 30": "bass", "NRPN 01 31": "treble",
    "NRPN 01 34": "bass frequency", "NRPN 01 35": "treble frequency", "NRPN 24 rr": "drum high-pass cutoff",
    "NRPN 30 rr": "drum bass", "NRPN 31 rr": "drum treble", "NRPN 34 rr": "drum bass frequency",
    "NRPN 35 rr": "drum treble frequency",
    "NRPN 1D rr": "drum reverb send", "NRPN 1E rr": "drum chorus send", "NRPN 1F rr": "drum delay send",
    "Roland 10 12 08": "insertion effect of an SC-88", "Roland 45 12 10": "display",
    "Roland 00 48 12": "Studio Canvas SD-80, SD-90",
    "Roland 16 12 03": "MT-32 temporary patch", "Roland 16 12 04": "MT-32 temporary timbre",
    "Roland 16 12 05": "MT-32 patch", "Roland 16 12 08": "MT-32 timbre", "Roland 16 12 10": "MT-32 system",
    "Roland 16 12 20": "MT-32 display", "Roland 16 12 7F": "MT-32 reset",
    "XG 00 00 7E": "system on", "XG 06 00 xx": "display", "XG 07 00 xx": "display bitmap",
    "XG 02 01 0D": "reverb pan", "XG 02 01 2D": "chorus pan", "XG 02 01 2E": "chorus to reverb",
    "XG 02 01 57": "variation pan", "XG 02 01 58": "variation to reverb", "XG 02 01 59": "variation to chorus",
    "XG 02 01 5B": "variation part", "XG 03 nn xx": "insertion effect",
    "XG 08 nn 00": "voice reserve", "XG 08 nn 06": "same note assign", "XG 08 nn 0A": "reserved",
    "XG 08 nn 11": "dry level", "XG 08 nn 69": "pitch envelope, start", "XG 08 nn 6A": "pitch envelope, attack",
    "XG 08 nn 6B": "pitch envelope, end", "XG 08 nn 6C": "pitch envelope, release",
    "XG 08 nn 6D": "lowest velocity", "XG 08 nn 6E": "highest velocity", "XG 08 nn 72": "bass",
    "XG 08 nn 73": "treble", "XG 08 nn 76": "bass frequency", "XG 08 nn 77": "treble frequency",
    "XG 3n rr 05": "drum reverb send", "XG 3n rr 06": "drum chorus send", "XG 3n rr 07": "drum variation send",
    "XG 3n rr 08": "drum key assign", "XG 3n rr 0A": "drum note on", "XG 3n rr 0F": "drum second decay",
    "universal 7E 06 01": "identity request", "universal 7F 04 01": "master volume",
    "universal 7E 09 01": "GM", "universal 7E 09 02": "GM off", "universal 7E 09 03": "GM2",
    "universal 7F 01 01": "time code", "universal 7F 06 01": "machine control",
  ]
}
