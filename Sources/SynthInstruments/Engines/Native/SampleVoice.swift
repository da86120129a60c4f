import SynthDSP
import SynthMIDI
import SynthRealtime
import SynthSoundFonts

/// One voice of a note: a zone that sounds. [audio thread]
///
/// Its model is FluidSynth's: envelopes, LFOs, pitch and filter have a value for each control segment, to which the
/// amplitude goes in a straight line. A segment is a quantum, cut where the note begins or is let go, where its attack
/// or its hold ends, and behind its opening.
struct SampleVoice: BitwiseCopyable {
  let zone: UnsafePointer<PlayableZone>
  let channel: UInt8
  /// The note's; in mono mode a voice may go on with another one.
  var key: UInt8
  /// On the scale of seven bits.
  var velocity: Double
  /// What its drum setup makes of it.
  var drum = DrumNote()
  /// Counts the notes of the engine; all voices of a note have the same.
  var note: UInt32
  /// By which the note is recorded; 0 for none.
  var number: UInt32
  var hold = NoteHold()
  /// Where it is among the voices of its channel.
  var rank = 0
  /// Where it is among all voices: its lane of the filters.
  var lane = 0
  /// Its lane when the last quanta were rendered, in which its rows still lie.
  var row = 0
  /// A bit for each of these quanta in which it has anything of its wave.
  var heardQuanta: QuantumSet = 0
  typealias QuantumSet = UInt8
  /// The last of them that it has sounded in.
  var lastQuantum = 0

  /// Whether nothing holds it any more, though it may wait for its shortest length.
  var isReleased = false
  /// Whether another note of its exclusive class has ended it.
  var isExcluded = false
  /// Whether it has ended in the quanta that were rendered last.
  var isFinished = false
  /// Frames it has sounded, up to the start of the quantum; no more than `longestAge`.
  var age: Int32 = 0
  /// Where it begins in the quantum; 0 for one that goes on.
  var startFrame: Int32
  /// Frames that are left of its opening, the first 64 frames that are heard of it.
  var openingLeft = Int32(renderQuantum)
  /// Where it is let go in the quantum; nil if it is not.
  var releaseFrame: Int32?
  /// The age at which it is let go, to be no shorter than the shortest note.
  var releaseAge: Int32?
  /// Frames that are left of its fade; nil where it does not fade.
  var fadeLeft: Int32?
  /// On the clock of the engine, for its age among all voices.
  var startTime: Int64

  var volumeTimes = EnvelopeTimes()
  var modulationTimes = EnvelopeTimes()
  var volumeEnvelope = VoiceEnvelope()
  var modulationEnvelope = VoiceEnvelope()
  var modulationLFO = VoiceLFO()
  var vibratoLFO = VoiceLFO()

  /// In centibels, 0 to 1440.
  var attenuation = 0.0
  /// What it was before it changed last.
  var lastAttenuation = 0.0
  /// The amplitudes of `attenuation`, and of the least that it can become by controllers.
  var amplitude = 1.0
  var highestAmplitude = 1.0
  /// What left and right go to.
  var gainTarget = SIMD2(0.0, 0.0)

  /// Left and right there at once, where nothing of it has sounded.
  var fullGain: StereoGain {
    @_noLocks get { StereoGain(left: Float(gainTarget.x), right: Float(gainTarget.y)) }
  }

  /// In cents: that of the key, and all that is added to it.
  var keyPitch = 0.0
  var pitch = 0.0
  /// Of the key at which the wave was recorded.
  var rootPitch = 0.0
  /// The frequency at which a word is played in a frame.
  var rootFrequency = 1.0
  /// Where it was last, in cents, and what the reader's increment is there.
  var readPitch = Double.nan
  var increment: UInt64 = 0
  /// Of this note alone, in cents.
  var noteBend = 0.0
  /// In cents, on the way to 0.
  var glide = 0.0
  /// In cents a quantum.
  var glideStep = 0.0

  var modulationToPitch = 0.0
  var vibratoToPitch = 0.0
  var envelopeToPitch = 0.0
  var modulationToVolume = 0.0
  var modulationToFilter = 0.0
  var envelopeToFilter = 0.0
  /// In absolute cents.
  var cutoff = 13500.0
  /// Linear.
  var resonance: Float = 0.707

  var wave: SampledWave
  var reader: WaveReader
  var loopMode = LoopMode.none
  /// Whether its filter has been set.
  var hasFilter = false
  /// Where its filter has gone so far, in absolute cents, and the frequency that `coefficients` are for, in hertz; not
  /// numbers before the first.
  var filterCutoff = Double.nan
  var filterFrequency = Double.nan
  var coefficients: ResonantCoefficients

  enum LoopMode: UInt8, BitwiseCopyable { case none, always, untilRelease }

  @_noLocks
  init(
    _ zone: UnsafePointer<PlayableZone>, channel: UInt8, key: UInt8, velocity: Double, note: UInt32, number: UInt32,
    frame: Int32, time: Int64
  ) {
    self.zone = zone
    self.channel = channel
    self.key = key
    self.velocity = velocity
    self.note = note
    self.number = number
    startFrame = frame
    startTime = time
    wave = SampledWave(words: zone.pointee.sample.words, start: 0, end: 0)
    reader = WaveReader(wave)
    coefficients = ResonantCoefficients(cutoff: 0.45, resonance: 0.707)
  }

  @_noLocks
  mutating func noteHeard(inQuantum quantum: Int) { heardQuanta |= 1 &<< QuantumSet(truncatingIfNeeded: quantum) }

  @_noLocks
  func isHeard(inQuantum quantum: Int) -> Bool { heardQuanta >> QuantumSet(truncatingIfNeeded: quantum) & 1 != 0 }

  /// Six hours at 48 kHz. All that depends on the age has happened by then, and it stays far from overflow.
  static var longestAge: Int32 {
    @_noLocks get { 1 << 30 }
  }

  /// Its age at a frame of the quantum.
  @_noLocks
  func age(at frame: Int32) -> Int32 { age &+ frame &- startFrame }

  /// What modulators take for the key.
  var sourceKey: Double {
    @_noLocks get {
      let key = Double(zone.pointee.generators[46])
      return key >= 0 ? Double(Int32(key)) : Double(self.key)
    }
  }

  /// What modulators take for the velocity.
  var sourceVelocity: Double {
    @_noLocks get {
      let velocity = Double(zone.pointee.generators[47])
      return velocity > 0 ? Double(Int32(velocity)) : self.velocity
    }
  }

  /// Not 0 for a voice that others of its class end. Groups of a drum setup are classes beyond those of fonts.
  var exclusiveClass: Int32 {
    @_noLocks get {
      if isExcluded { return 0 }
      guard let group = drum.group else { return Int32(zone.pointee.generators[57]) }
      return group == 0 ? 0 : 0x10000 &+ Int32(group)
    }
  }

  /// Goes on to the start of the next quantum.
  @_noLocks
  mutating func endQuantum() {
    age = min(age(at: Int32(renderQuantum)), Self.longestAge)
    startFrame = 0
  }

  // MARK: - Notes

  /// Lets it fade, whatever its envelope does.
  @_noLocks
  mutating func beginFade() {
    isReleased = true
    fadeLeft = Self.fadeLength
  }

  /// In frames: 5 ms at 48 kHz.
  static var fadeLength: Int32 {
    @_noLocks get { 256 }
  }

  /// Lets the note go at a frame of the quantum, but not before it is `shortest` frames long.
  @_noLocks
  mutating func letGo(at frame: Int32, shortest: Int32) {
    isReleased = true
    let frame = max(frame, startFrame)
    if age(at: frame) >= shortest {
      if releaseFrame == nil { releaseFrame = frame }
    } else {
      let quantum = Int32(renderQuantum)
      releaseAge = (shortest &+ quantum &- 1) / quantum &* quantum
    }
  }

  /// Goes over to the release, from the level it has.
  @_noLocks
  mutating func beginRelease(_ conversions: Conversions) {
    releaseFrame = nil
    releaseAge = nil
    var level = volumeEnvelope.value
    if volumeEnvelope.isAttacking, level > 0 {
      // The attack is linear in amplitude, and the release in decibels.
      let tremolo = modulationLFO.value * -modulationToVolume
      let amplitude = level * conversions.amplitude(tremolo)
      level = 1 - (-200 * logarithm10(amplitude) - tremolo) / 960
    }
    volumeEnvelope.release(from: level)
    var modulation = modulationEnvelope.value
    if modulationEnvelope.isAttacking, modulation > 0 { modulation = conversions.convex(127 * modulation) }
    modulationEnvelope.release(from: modulation)
  }

  /// Begins the attack again, at the level it has, for a note that is played legato.
  @_noLocks
  mutating func beginAttack(_ conversions: Conversions) {
    var level = volumeEnvelope.value
    switch volumeEnvelope.section {
    case .delay, .attack: break
    default: level = conversions.amplitude(960 * (1 - level))
    }
    level *= conversions.amplitude(lastAttenuation) / max(amplitude, 1e-9)
    volumeEnvelope.attack(from: level)
    var modulation = modulationEnvelope.value
    switch modulationEnvelope.section {
    case .delay, .attack: break
    default: modulation = conversions.amplitude((1 - modulation) * 480)
    }
    modulationEnvelope.attack(from: min(modulation, 1))
  }

  @_noLocks
  private func logarithm10(_ x: Double) -> Double { Double(logarithm2(Float(x))) * 0.301_029_995_663_981_2 }
}
