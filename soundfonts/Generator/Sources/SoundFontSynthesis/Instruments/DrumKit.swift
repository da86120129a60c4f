// The percussion bank: General MIDI keys 35–81, and 27–34 and 82–87 as GS and GM2 have them.
enum DrumKit {
  static let presets = [Preset(kit: 0, "Standard Kit", kit + effects + hands)]

  private static let kit = [
    Drum(35, Drums.kick, hit(level: 0, tune: -200)),
    Drum(36, Drums.kick, hit(level: 0, tune: 0)),
    Drum(37, Drums.stick, hit(level: 0, pan: -6)),
    Drum(38, Drums.snare, hit(level: 0, pan: -3, dynamics: 2_000)),
    Drum(39, Drums.clap, hit(level: -1, pan: 8)),
    Drum(40, Drums.snare, hit(level: 0, pan: -3, tune: 200, dynamics: 2_000)),
    Drum(41, Drums.tom, hit(level: 0, pan: 30, tune: -500)),
    Drum(42, Cymbals.closedHat, hat(level: -4)),
    Drum(43, Drums.tom, hit(level: 0, pan: 22, tune: -250)),
    Drum(44, Cymbals.closedHat, hat(level: -5, tune: -250)),
    Drum(45, Drums.tom, hit(level: 0, pan: 10, tune: 0)),
    Drum(46, Cymbals.openHat, hat(level: -10, decay: 4.5)),
    Drum(47, Drums.tom, hit(level: 0, pan: -4, tune: 270)),
    Drum(48, Drums.tom, hit(level: 0, pan: -14, tune: 550)),
    Drum(49, Cymbals.crash, ring(level: -5, decay: 9, pan: -22)),
    Drum(50, Drums.tom, hit(level: 0, pan: -26, tune: 850)),
    Drum(51, Cymbals.ride, ring(level: -11, decay: 8, pan: 25)),
    Drum(52, Cymbals.crash, ring(level: -6, decay: 6, pan: -28, tune: -450)),
    Drum(53, Cymbals.rideBell, ring(level: -13, decay: 7, pan: 25)),
    Drum(54, Percussion.tambourine, hit(level: -1, pan: 14)),
    Drum(55, Cymbals.crash, ring(level: -5, decay: 3.5, pan: -12, tune: 550)),
    Drum(56, Percussion.cowbell, hit(level: -3, pan: 12)),
    Drum(57, Cymbals.crash, ring(level: -5, decay: 8, pan: 22, tune: -160)),
    Drum(58, Percussion.vibraslap, hit(level: -2, pan: -22)),
    Drum(59, Cymbals.ride, ring(level: -11, decay: 6.5, pan: 30, tune: 220)),
  ]

  private static let hands = [
    Drum(60, Percussion.bongo, hit(level: -1, pan: 24, tune: 150)),
    Drum(61, Percussion.bongo, hit(level: -1, pan: 24, tune: -350)),
    Drum(62, Percussion.mutedConga, hit(level: 0, pan: -18)),
    Drum(63, Percussion.conga, hit(level: 0, pan: -18, tune: 150)),
    Drum(64, Percussion.conga, hit(level: 0, pan: -18, tune: -350)),
    Drum(65, Percussion.timbale, hit(level: 0, pan: 18, tune: 200)),
    Drum(66, Percussion.timbale, hit(level: 0, pan: 18, tune: -300)),
    Drum(67, Percussive.agogo, ring(level: -7, decay: 2, pan: -28, tune: 800)),
    Drum(68, Percussive.agogo, ring(level: -7, decay: 2, pan: -28, tune: 300)),
    Drum(69, Percussion.cabasa, hit(level: -1, pan: -28)),
    Drum(70, Percussion.shaker, hit(level: -2, pan: -24)),
    Drum(71, Percussion.whistle, whistle(seconds: 0.6)),
    Drum(72, Percussion.whistle, whistle(seconds: 3)),
    Drum(73, Percussion.guiro, hit(level: -3, pan: 26, tune: 1_200)),
    Drum(74, Percussion.guiro, hit(level: -3, pan: 26)),
    Drum(75, Drums.claves, hit(level: -2, pan: 16)),
    Drum(76, Drums.woodblock, hit(level: 0, pan: 20, tune: 250)),
    Drum(77, Drums.woodblock, hit(level: 0, pan: 20, tune: -250)),
    Drum(78, Percussion.cuica, hit(level: -4, pan: -16, tune: 600, group: 4)),
    Drum(79, Percussion.cuica, hit(level: -4, pan: -16, tune: -300, group: 4)),
    Drum(80, Percussion.triangle, ring(level: -8, decay: 1.2, pan: -30, group: 5)),
    Drum(81, Percussion.triangle, ring(level: -13, decay: 9, pan: -30, group: 5)),
    Drum(82, Percussion.shaker, hit(level: -2, pan: 20, tune: 200)),
    Drum(83, Percussion.tambourine, hit(level: 0, pan: 18, tune: 300)),
    Drum(84, Mallets.musicBox, ring(level: -10, decay: 6, pan: 14, tune: 1_200)),
    Drum(85, Percussion.castanet, hit(level: -2, pan: 22)),
    Drum(86, Percussion.surdo, muted(seconds: 0.5)),
    Drum(87, Percussion.surdo, hit(level: 0, pan: -8, group: 6)),
  ]

  private static let effects = [
    Drum(27, Percussion.zap, hit(level: -6)),
    Drum(28, Percussion.mutedConga, hit(level: 0, tune: 700)),
    Drum(29, Percussion.scratch, hit(level: -4, group: 7)),
    Drum(30, Percussion.scratch, hit(level: -4, tune: -500, group: 7)),
    Drum(31, Drums.drumSticks, hit(level: -2, pan: -6)),
    Drum(32, Percussion.click, hit(level: -4, tune: 900)),
    Drum(33, Percussion.click, hit(level: -3)),
    Drum(34, Cymbals.rideBell, ring(level: -6, decay: 1.5, pan: 0)),
  ]

  /// Sounds to its end, however short the note.
  private static func hit(
    level: Double, pan: Double = 0, tune: Int = 0, dynamics: Double = 0, group: Int = 0
  ) -> Articulation {
    Articulation(
      level: level, release: 6, cutoff: dynamics > 0 ? 12_000 : nil, dynamics: dynamics, pan: pan,
      transpose: tune / 100, detune: Double(tune % 100), exclusiveClass: group)
  }

  /// A looped sound that dies away by its envelope, `decay` seconds to -100 dB.
  private static func ring(
    level: Double, decay: Double, pan: Double, tune: Int = 0, group: Int = 0
  ) -> Articulation {
    Articulation(
      level: level, decay: decay, sustain: 100, release: decay, pan: pan, transpose: tune / 100,
      detune: Double(tune % 100), exclusiveClass: group)
  }

  /// Closed, pedal and open hi-hat silence each other.
  private static func hat(level: Double, decay: Double = 2, tune: Int = 0) -> Articulation {
    ring(level: level, decay: decay, pan: 16, tune: tune, group: 1)
  }

  private static func whistle(seconds: Double) -> Articulation {
    Articulation(
      level: -4, hold: seconds * 0.2, decay: seconds, sustain: 100, release: 0.1, pan: 20, exclusiveClass: 2)
  }

  private static func muted(seconds: Double) -> Articulation {
    Articulation(level: 0, decay: seconds * 3, sustain: 100, release: seconds * 3, pan: -8, exclusiveClass: 6)
  }
}
