import SynthDSP
import SynthMIDI
import SynthRealtime

extension SampleVoice {
  /// Reads a quantum of its wave into a row, segment by segment.
  ///
  /// - Parameters:
  ///   - course: takes the segments.
  ///   - window: scratch memory for the reader.
  @_noLocks
  mutating func render(
    into row: UnsafeMutablePointer<Float>, _ course: inout VoiceCourse, _ interpolator: Interpolator,
    window: UnsafeMutablePointer<Float>, _ context: VoiceContext
  ) {
    let quantum = Int32(renderQuantum)
    var frame = startFrame
    if frame > 0 {
      course.addSilence(start: 0)
      silence(row, 0, frame)
    }
    while frame < quantum {
      var end = quantum
      if !isSteady {
        if isDue(at: frame) { beginRelease(context.conversions) }
        end = segmentEnd(from: frame)
        if volumeEnvelope.isDelaying(volumeTimes) {
          // Nothing sounds that could fade.
          if fadeLeft != nil {
            finish(row, frame, &course)
            break
          }
          advance(end &- frame, age: age(at: frame))
          course.addSilence(start: frame)
          silence(row, frame, end)
          // The wave goes on meanwhile: it is the envelope that is late.
          aimPitch(age: age(at: end), context)
          let isOver = !reader.skip(wave, count: Int(end &- frame), increment: increment, loops: loops)
          glideOn(end &- frame)
          frame = end
          if isOver {
            finish(row, frame, &course)
            break
          }
          continue
        }
        if openingLeft > 0 { end = min(end, frame &+ openingLeft) }
      }
      guard let target = control(end &- frame, age: age(at: frame), context) else {
        finish(row, frame, &course)
        break
      }
      course.add(start: frame, target: target)
      let wanted = Int(end &- frame)
      if openingLeft > 0 { openingLeft &-= end &- frame }
      aimPitch(age: age(at: end), context)
      let count = reader.read(
        wave, into: row + Int(frame), count: wanted, increment: increment, loops: loops,
        with: interpolator, window: window)
      glideOn(end &- frame)
      frame = end
      if count < wanted || fadeLeft == 0 {
        // Its last segment goes to its own end, not to that of the quantum.
        if frame < quantum { course.addSilence(start: frame) }
        finish(row, frame &- Int32(wanted &- count), &course)
        break
      }
    }
    endQuantum()
  }

  @_noLocks
  private mutating func finish(_ row: UnsafeMutablePointer<Float>, _ frame: Int32, _ course: inout VoiceCourse) {
    isFinished = true
    course.end(before: frame)
    silence(row, frame, Int32(renderQuantum))
  }

  @_noLocks
  private func silence(_ row: UnsafeMutablePointer<Float>, _ first: Int32, _ end: Int32) {
    for frame in Int(first)..<Int(end) { row[frame] = 0 }
  }

  /// Whether nothing cuts the quantum, as in most.
  private var isSteady: Bool {
    @_noLocks get { openingLeft == 0 && releaseFrame == nil && releaseAge == nil && !volumeEnvelope.canBend }
  }

  /// Whether it is let go at a frame.
  @_noLocks
  private func isDue(at frame: Int32) -> Bool {
    if let releaseFrame { return releaseFrame <= frame }
    if let releaseAge { return releaseAge <= age(at: frame) }
    return false
  }

  @_noLocks
  private func segmentEnd(from frame: Int32) -> Int32 {
    var end = frame &+ min(Int32(renderQuantum) &- frame, volumeEnvelope.framesToBend(volumeTimes))
    if let releaseFrame, releaseFrame > frame { end = min(end, releaseFrame) }
    if let releaseAge, releaseAge > age(at: frame) { end = min(end, frame &+ releaseAge &- age(at: frame)) }
    return end
  }

  @_noLocks
  private mutating func advance(_ frames: Int32, age: Int32) {
    volumeEnvelope.advance(frames, volumeTimes)
    modulationEnvelope.advance(frames, modulationTimes)
    modulationLFO.advance(frames, age: age)
    vibratoLFO.advance(frames, age: age)
  }

  /// Goes on by a segment.
  ///
  /// - Returns: the amplitude at its end; nil if the voice has ended.
  @_noLocks
  private mutating func control(_ frames: Int32, age: Int32, _ context: VoiceContext) -> Double? {
    advance(frames, age: age)
    let conversions = context.conversions
    let tremolo = modulationLFO.value * -modulationToVolume
    var target = amplitude
    switch volumeEnvelope.section {
    case .finished: return nil
    case .delay, .attack: target *= conversions.amplitude(tremolo) * volumeEnvelope.value
    default:
      // What can never be louder than the noise floor is over.
      if highestAmplitude * volumeEnvelope.value * context.gain < inaudible { return nil }
      let lowered = 960 * (1 - volumeEnvelope.value) + tremolo
      target *= frames < renderQuantum ? conversions.exactAmplitude(lowered) : conversions.amplitude(lowered)
    }
    guard let left = fadeLeft else { return target }
    fadeLeft = max(left &- frames, 0)
    return target * Double(max(left &- frames, 0)) / Double(Self.fadeLength)
  }

  /// The amplitude below which FluidSynth ends a voice: 2·10⁻⁷, or where it goes round its sample's loop, what makes
  /// that so quiet.
  private var inaudible: Double {
    @_noLocks get {
      let sample = zone.pointee.sample
      guard reader.hasLooped, wave.loopStart >= sample.loopStart, wave.loopEnd <= sample.loopEnd else {
        return 2e-7
      }
      if case .always = loopMode { return 2e-7 / Double(sample.loopPeak) }
      return 2e-7
    }
  }

  /// The envelope and the LFOs that move pitch and filter, at the end of a segment; in the opening, at its end.
  ///
  /// So the first quantum of a note sounds the same wherever it begins. Mutating, because a voice passed by value is
  /// copied: 3 % of a song's instructions. Inline, because each segment asks: 1 %.
  ///
  /// - Parameter age: at the end of the segment.
  @_noLocks
  @inline(__always)
  private mutating func movement(age: Int32, _ context: VoiceContext) -> Movement {
    if openingLeft > 0 { return movementAfterOpening(age: age, context) }
    return Movement(modulationEnvelope, modulationLFO, vibratoLFO, context.conversions)
  }

  @_noLocks
  @inline(never)
  private mutating func movementAfterOpening(age: Int32, _ context: VoiceContext) -> Movement {
    var (envelope, modulation, vibrato) = (modulationEnvelope, modulationLFO, vibratoLFO)
    envelope.advance(openingLeft, modulationTimes)
    modulation.advance(openingLeft, age: age)
    vibrato.advance(openingLeft, age: age)
    return Movement(envelope, modulation, vibrato, context.conversions)
  }

  private struct Movement {
    let envelope: Double
    let modulationLFO: Double
    let vibratoLFO: Double

    /// The attack of the envelope is convex.
    @_noLocks
    init(_ envelope: VoiceEnvelope, _ modulation: VoiceLFO, _ vibrato: VoiceLFO, _ conversions: Conversions) {
      self.envelope = envelope.isAttacking ? conversions.convex(127 * envelope.value) : envelope.value
      modulationLFO = modulation.value
      vibratoLFO = vibrato.value
    }
  }

  /// Moves the reader's increment to where pitch, LFOs and envelope are.
  @_noLocks
  private mutating func aimPitch(age: Int32, _ context: VoiceContext) {
    let movement = movement(age: age, context)
    let cents =
      pitch + glide + movement.modulationLFO * modulationToPitch + movement.vibratoLFO * vibratoToPitch
      + movement.envelope * envelopeToPitch
    // Most notes stay where they are, and the table would have to come from memory.
    guard cents != readPitch else { return }
    readPitch = cents
    increment = WaveReader.increment(context.conversions.frequency(cents) / rootFrequency)
  }

  /// Whether its loop is gone round now.
  private var loops: Bool {
    @_noLocks get {
      switch loopMode {
      case .none: return false
      case .always: return true
      case .untilRelease:
        switch volumeEnvelope.section {
        case .release, .finished: return false
        default: return true
        }
      }
    }
  }

  @_noLocks
  private mutating func glideOn(_ frames: Int32) {
    guard glideStep != 0 else { return }
    let before = glide
    glide += glideStep * Double(frames) / Double(Int32(renderQuantum))
    if glide == 0 || (glide > 0) != (before > 0) { (glide, glideStep) = (0, 0) }
  }

  /// Sets its filter to where LFO and envelope have it at the end of the quantum.
  @_noLocks
  mutating func aimFilter(_ bank: UnsafeMutablePointer<ResonantBank>, _ lane: Int, _ context: VoiceContext) {
    let movement = movement(age: age, context)
    let cents = cutoff + movement.modulationLFO * modulationToFilter + movement.envelope * envelopeToFilter
    if cents != filterCutoff || filterFrequency.isNaN { turnFilter(to: cents, context) }
    if !hasFilter {
      hasFilter = true
      bank.pointee.start(lane, coefficients)
    }
    bank.pointee.aimFilter(lane, at: coefficients, frames: renderQuantum)
  }

  /// Turns it towards a cutoff. The more it resonates, the smaller a part of the way it goes in a quantum, up to a
  /// fifth, so that it does not click; source: FluidSynth 2.6, `fluid_iir_filter_calc`.
  @_noLocks
  private mutating func turnFilter(to cents: Double, _ context: VoiceContext) {
    let cents = min(max(1500, cents), 13500)
    let way = cents - filterCutoff
    // Not a number for the first.
    let isFar = abs(way) > 1
    filterCutoff = isFar ? filterCutoff + way / Double(min(max(resonance, 1), 5)) : cents
    let frequency = max(min(context.conversions.frequency(filterCutoff), 0.45 * context.sampleRate), 5)
    if frequency == filterFrequency { return }
    filterFrequency = frequency
    coefficients = ResonantCoefficients(cutoff: frequency / context.sampleRate, resonance: resonance)
  }
}
