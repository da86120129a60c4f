// Presets as data: which samples sound on which keys, and how.

/// A sample set and how it is played, over a range of keys.
struct Layer: Sendable {
  let sound: SampleSet
  var articulation: Articulation
  var keys = 0...127

  init(_ sound: SampleSet, _ articulation: Articulation, keys: ClosedRange<Int> = 0...127) {
    self.sound = sound
    self.articulation = articulation
    self.keys = keys
  }

  /// The layer split in two copies, tuned apart and panned apart.
  func doubled(cents: Double, pan: Double) -> [Layer] {
    var (left, right) = (self, self)
    left.articulation.detune -= cents / 2
    right.articulation.detune += cents / 2
    left.articulation.pan -= pan
    right.articulation.pan += pan
    return [left, right]
  }

  /// One zone for each sample of the set, all articulated alike.
  var instrument: Instrument {
    Instrument(
      articulation: articulation,
      zones: sound.splits(over: keys).map { Zone(sample: $0.sample, keys: $0.keys, articulation: nil) })
  }
}

/// A drum: one sound on one key.
struct Drum: Sendable {
  let key: Int
  let sound: SampleSet
  let articulation: Articulation

  init(_ key: Int, _ sound: SampleSet, _ articulation: Articulation) {
    self.key = key
    self.sound = sound
    self.articulation = articulation
  }
}

/// One sample over a range of keys.
struct Zone: Sendable {
  let sample: Sample
  let keys: ClosedRange<Int>
  /// Nil leaves it to the instrument.
  let articulation: Articulation?
  /// Replaces the sample's own key.
  var rootKey: Int?
}

/// Zones that sound together or side by side.
struct Instrument: Sendable {
  /// Holds for all zones; nil if each has its own.
  let articulation: Articulation?
  let zones: [Zone]
}

/// A sound that a program change chooses.
struct Preset: Sendable {
  let bank: Int
  let program: Int
  /// At most 19 ASCII characters.
  let name: String
  let instruments: [Instrument]

  /// A melodic sound of bank 0.
  init(_ program: Int, _ name: String, _ layers: [Layer]) {
    bank = 0
    self.program = program
    self.name = name
    let gain = programLevels[program]
    instruments = layers.map { layer -> Instrument in
      var levelled = layer
      levelled.articulation.level += gain
      return levelled.instrument
    }
  }

  /// A drum kit of the percussion bank.
  init(kit program: Int, _ name: String, _ drums: [Drum]) {
    bank = 128
    self.program = program
    self.name = name
    let zones = drums.flatMap { drum in
      drum.sound.samples.prefix(1).map {
        Zone(sample: $0, keys: drum.key...drum.key, articulation: drum.articulation, rootKey: drum.key)
      }
    }
    instruments = [Instrument(articulation: nil, zones: zones)]
  }
}
