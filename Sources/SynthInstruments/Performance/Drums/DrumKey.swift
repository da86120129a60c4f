/// What a key of a drum setup was told. It holds for notes that begin afterwards. [audio thread]
struct DrumKey: BitwiseCopyable {
  /// Stands for what the font has.
  static var unset: UInt8 { @_noLocks get { 255 } }
  /// Another place for each note.
  static var randomPan: UInt8 { @_noLocks get { 254 } }

  var semitones: Float = 0
  var cents: Float = 0
  /// An amplitude.
  var level: Float = 1
  /// 0 left, 64 the middle, 127 right; `unset` or `randomPan`.
  var pan = unset
  /// 0 for none, or `unset`.
  var group = unset
  /// Whether the note ends with its key; else it sounds to the end of its sample.
  var receivesNoteOff = true
  /// Of what the channel sends to reverb, chorus and delay, 127 for all of it.
  var sends = DrumSends(repeating: 127)
  // −64 to 63 steps about what the font has.
  var cutoff: Float = 0
  var resonance: Float = 0
  var attack: Float = 0
  var decay: Float = 0

  @_noLocks
  init() {}

  /// A level of 0 to 127, a square as channel volume is; 127 is the font's own.
  @_noLocks
  mutating func setLevel(_ value: UInt8) {
    let share = Float(value) / 127
    level = share * share
  }

  /// 0 is random, 1 left, 64 the middle, 127 right.
  @_noLocks
  mutating func setPan(_ value: UInt8) { pan = value == 0 ? Self.randomPan : value }
}
