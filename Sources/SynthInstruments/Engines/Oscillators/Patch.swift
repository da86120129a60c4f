/// A sound of the oscillator instrument, as a file in `presets/instruments` describes it.
///
/// Values outside `PatchRanges` are replaced by the nearest ones inside.
public struct Patch: Sendable, Equatable {
  /// The name of its file without ".json": "warm-pad".
  public var name: String
  /// The name for people: "Warm Pad".
  public var title: String
  /// Its use, in one line.
  public var description: String

  /// How loud one note of it is at full velocity, in dB.
  public var level = -12.0
  /// How many notes of a channel sound at once.
  public var mode = Mode.poly
  /// Seconds in which a glide covers 95 % of the way; 0 jumps.
  public var glide = 0.0
  /// Voices each note has.
  public var unison = Unison()
  /// One or two.
  public var oscillators: [Oscillator]
  /// The level of white noise, in dB; nil for no noise.
  public var noise: Double?
  /// The envelope of the level.
  public var amplitude: Envelope
  /// The low-pass filter; nil for no filter.
  public var filter: Filter?
  /// The low-frequency oscillator.
  public var lfo = LFO()
  /// How the level follows the velocity.
  public var velocity = Velocity()

  public init(name: String, title: String, description: String, oscillators: [Oscillator], amplitude: Envelope) {
    self.name = name
    self.title = title
    self.description = description
    self.oscillators = oscillators
    self.amplitude = amplitude
  }

  /// How many notes of a channel sound at once.
  public enum Mode: String, CaseIterable, Sendable {
    /// As many as the polyphony permits.
    case poly
    /// One; each restarts its envelopes.
    case mono
    /// One; overlapping notes share a voice.
    case legato
  }

  /// A band-limited waveform; each spans 2, without direct current.
  public enum Waveform: String, CaseIterable, BitwiseCopyable, Sendable {
    /// A sawtooth, a pulse of adjustable width, a triangle, a sine.
    case saw, pulse, triangle, sine
  }

  /// One of the two sources of a voice.
  public struct Oscillator: Sendable, Equatable {
    /// Its waveform.
    public var wave: Waveform
    /// In dB.
    public var level = 0.0
    /// Above the key, in semitones.
    public var tune = 0.0
    /// Above that, in cents.
    public var detune = 0.0
    /// The part of a pulse's period that is high; 0.5 is a square.
    public var width = 0.5

    public init(_ wave: Waveform, level: Double = 0, tune: Double = 0, detune: Double = 0, width: Double = 0.5) {
      self.wave = wave
      self.level = level
      self.tune = tune
      self.detune = detune
      self.width = width
    }
  }

  /// An ADSR envelope.
  public struct Envelope: Sendable, Equatable {
    /// Seconds from 0 to full, in a straight line.
    public var attack: Double
    /// Seconds in which it covers 60 dB of the way to the sustain level.
    public var decay: Double
    /// The level while the key is held, 0 to 1.
    public var sustain: Double
    /// Seconds in which it falls by 60 dB.
    public var release: Double

    public init(attack: Double = 0, decay: Double = 0, sustain: Double = 1, release: Double = 0) {
      self.attack = attack
      self.decay = decay
      self.sustain = sustain
      self.release = release
    }
  }

  /// A resonant low-pass filter, 12 dB an octave.
  public struct Filter: Sendable, Equatable {
    /// The cutoff frequency at middle C and full velocity, in Hz.
    public var cutoff: Double
    /// The gain at the cutoff frequency, in dB; −3 is the flattest curve.
    public var resonance = -3.0
    /// How far the cutoff follows the key; 1 is all the way.
    public var tracking = 0.0
    /// Its own envelope.
    public var envelope = Envelope()
    /// What the envelope adds at its height, in octaves.
    public var amount = 0.0
    /// How far below that the lowest velocity is, in octaves.
    public var velocity = 0.0
    /// What full pressure adds, in octaves.
    public var pressure = 0.0

    public init(cutoff: Double) { self.cutoff = cutoff }
  }

  /// A sine that moves pitch, filter and level.
  public struct LFO: Sendable, Equatable {
    /// In Hz.
    public var rate = 5.0
    /// Seconds until it swings in full.
    public var delay = 0.0
    /// Up and down by so many cents.
    public var pitch = 0.0
    /// Up and down by so many octaves of cutoff.
    public var filter = 0.0
    /// Down by so many dB at most.
    public var amplitude = 0.0
    /// What the modulation wheel adds to `pitch`, in cents.
    public var wheel = 50.0
    /// What pressure adds to `pitch`, in cents.
    public var pressure = 0.0

    public init() {}
  }

  /// Several voices for one note.
  public struct Unison: Sendable, Equatable {
    /// 1 to 8.
    public var voices = 1
    /// From the lowest to the highest, in cents.
    public var detune = 0.0
    /// How far apart from left to right, 0 to 1.
    public var spread = 0.0

    public init(voices: Int = 1, detune: Double = 0, spread: Double = 0) {
      self.voices = voices
      self.detune = detune
      self.spread = spread
    }
  }

  /// How the level follows the velocity.
  public struct Velocity: Sendable, Equatable {
    /// From the softest to the loudest, in dB.
    public var range = 30.0
    /// The power the velocity is raised to; above 1, soft notes are nearer to one another.
    public var curve = 0.5

    public init() {}
  }
}

/// The ranges of a patch's values.
public enum PatchRanges {
  /// In dB, of the patch, an oscillator or the noise.
  public static let level = -60.0...12.0
  /// In seconds, of every stage of an envelope, of a glide and of the LFO's delay.
  public static let duration = 0.0...60.0
  /// 0 to 1: sustain, spread, key tracking.
  public static let share = 0.0...1.0
  /// In semitones.
  public static let tune = -48.0...48.0
  /// In cents.
  public static let detune = -100.0...100.0
  /// The share of a period in which a pulse is high.
  public static let pulseWidth = 0.02...0.98
  /// Of the low-pass filter, in hertz.
  public static let cutoff = 10.0...20000.0
  /// In dB.
  public static let resonance = -12.0...36.0
  /// In octaves.
  public static let filterAmount = -10.0...10.0
  /// In Hz.
  public static let rate = 0.01...50.0
  /// In cents.
  public static let vibrato = 0.0...1200.0
  /// In dB.
  public static let tremolo = 0.0...60.0
  /// How many copies of a note sound at once.
  public static let unisonVoices = 1.0...8.0
  /// In dB.
  public static let velocityRange = 0.0...60.0
  /// The exponent of the velocity: 1 is a straight line.
  public static let velocityCurve = 0.1...10.0
}
