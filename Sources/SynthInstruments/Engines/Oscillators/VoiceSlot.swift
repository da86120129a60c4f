/// A place a voice can sound in, as the allocator keeps it and the renderer reads it.
struct VoiceSlot: BitwiseCopyable {
  enum State: BitwiseCopyable {
    case free, on
    /// Its place was wanted; it is faded out in a few milliseconds and does not count.
    case fading
  }

  var state = State.free
  var channel: UInt8 = 0
  var part: UInt8 = 0
  var key: UInt8 = 0
  /// Where its key is tuned to, in semitones, 69 at 440 Hz.
  var pitch: Float = 0
  /// The pitch it begins with and glides from.
  var glideFrom: Float = 0
  /// In semitones a millisecond, where it glides by its channel's portamento; 0 where it does by its patch.
  var glideSpeed: Float = 0
  /// The number of its note in the log of notes; 0 for none.
  var number: UInt32 = 0
  /// Whether it fades because others needed its place.
  var isStolen = false
  /// Whether others fade for it; then it fades in.
  var hasStolen = false
  /// Which of the voices of a note in unison, from 0.
  var unisonIndex: UInt8 = 0
  /// The frame of the quantum at which it starts.
  var startFrame: UInt8 = 0
  /// Not rendered yet.
  var isNew = false
  var isSoft = false
  /// What holds it; a voice that has not begun is held by nothing.
  var hold = NoteHold(isKeyDown: false)
  /// 0 to 65535.
  var velocity: UInt16 = 0
  /// The number of its note; later notes have higher ones.
  var serial: UInt32 = 0
  /// Its own bend in semitones (MIDI 2.0 per-note pitch bend).
  var bend: Float = 0
  /// Its own pressure, 0 to 1.
  var pressure: Float = 0
  /// How loud it is or is about to become, 0 to 1; set by the renderer.
  var level: Float = 1

  @_noLocks
  init() {}

  /// Whether it sounds and is not fading away because it was stolen.
  var isOn: Bool {
    @_noLocks get {
      switch state {
      case .on: true
      default: false
      }
    }
  }

  var isFading: Bool {
    @_noLocks get {
      switch state {
      case .fading: true
      default: false
      }
    }
  }

  var isFree: Bool {
    @_noLocks get {
      switch state {
      case .free: true
      default: false
      }
    }
  }
}

/// Eight neighbouring slots, rendered as one: their voices are of one channel and one part.
struct VoiceGroup: BitwiseCopyable {
  var channel: UInt8 = 0
  var part: UInt8 = 0
  /// A bit for each slot that is not free.
  var lanes: UInt8 = 0

  @_noLocks
  init() {}

  static var width: Int {
    @_noLocks get { 8 }
  }
}

/// How the notes of a patch become voices.
struct VoicePart: BitwiseCopyable, Hashable {
  /// How many notes of a channel sound at once.
  enum Mode: BitwiseCopyable, Hashable {
    case poly
    /// One; each restarts its envelopes.
    case mono
    /// One; overlapping notes share a voice.
    case legato
  }

  var mode = Mode.poly
  /// Voices a note has, 1 to 8.
  var unisonCount = 1
  /// Which patch, in the renderer's table.
  var patch = 0
}

extension VoicePart {
  init(_ patch: Patch, index: Int) {
    mode =
      switch patch.mode {
      case .poly: .poly
      case .mono: .mono
      case .legato: .legato
      }
    unisonCount = min(max(patch.unison.voices, 1), VoiceGroup.width)
    self.patch = index
  }
}
