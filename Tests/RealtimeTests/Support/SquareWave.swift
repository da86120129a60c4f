import SynthInstruments
import SynthMIDI
import SynthRealtime

/// A square wave of an amplitude: an instrument of another module, which the rack does not know, written against the
/// public seam alone. The smallest complete engine, to start from.
struct SquareWave: Instrument {
  let amplitude: Float

  var name: String { "square" }

  static func load(_ loading: EngineLoading<SquareWave>) throws(InstrumentError) -> LoadedEngine {
    guard loading.sampleRate >= 8000 else { throw .notLoaded(instrument: "square", reason: "the rate is too low") }
    return LoadedEngine(SquareWaveEngine(loading)) { _, code in ChannelPreset(name: "Square", program: Int(code) - 1) }
  }
}

struct SquareWaveEngine: SoundEngine, ~Copyable {
  private let voices: UnsafeMutablePointer<Voice>
  /// Of each part.
  private let amplitudes: UnsafeMutablePointer<Float>
  private let partCount: Int
  private let sampleRate: Float
  private let programs: UnsafeMutablePointer<UInt8>
  private var hasNewPresets = true
  private var lostVoiceCount = 0

  private struct Voice {
    var isFree = true
    var channel: UInt8 = 0
    var key: UInt8 = 0
    /// By which its note is recorded.
    var number: UInt32 = 0
    var hold = NoteHold()
    var amplitude: Float = 0
    /// 0 to 1.
    var phase: Float = 0
    /// Of the left and the right, at the end of the last quantum.
    var gain = SIMD2<Float>(0, 0)
  }

  private static var voiceCount: Int {
    @_noLocks get { 32 }
  }

  init(_ loading: EngineLoading<SquareWave>) {
    sampleRate = Float(loading.sampleRate)
    voices = .allocate(capacity: Self.voiceCount)
    voices.initialize(repeating: Voice(), count: Self.voiceCount)
    partCount = loading.parts.count
    amplitudes = .allocate(capacity: partCount)
    for (index, part) in loading.parts.enumerated() { amplitudes[index] = part.instrument.amplitude }
    programs = .allocate(capacity: 16)
    programs.initialize(repeating: 0, count: 16)
  }

  deinit {
    voices.deallocate()
    amplitudes.deallocate()
    programs.deallocate()
  }

  static let entry: RenderFunction = { EngineCall.at($1).perform(on: $0, as: SquareWaveEngine.self) }

  @_noLocks
  mutating func play(_ event: EngineEvent) {
    for index in 0..<Self.voiceCount {
      voices[index].hold.follow(event, on: voices[index].channel, key: voices[index].key)
    }
    switch event.action {
    case .noteOn: for part in 0..<partCount where event.isFor(part: part) { start(event, amplitudes[part]) }
    case .endSound(let channels):
      for index in 0..<Self.voiceCount where channels & 1 << UInt16(voices[index].channel) != 0 {
        voices[index].isFree = true
      }
    default: break
    }
    if event.message.kind == .programChange {
      programs[Int(event.message.channel)] = event.message.program
      hasNewPresets = true
    }
  }

  @_noLocks
  private mutating func start(_ event: EngineEvent, _ amplitude: Float) {
    for index in 0..<Self.voiceCount where voices[index].isFree {
      voices[index] = Voice()
      voices[index].isFree = false
      voices[index].channel = event.message.channel
      voices[index].key = event.message.note
      voices[index].number = event.number
      voices[index].amplitude = amplitude
      return
    }
    lostVoiceCount &+= 1
  }

  @_noLocks
  mutating func render(_ quantum: inout EngineQuantum) {
    quantum.hasNewPresets = quantum.hasNewPresets || hasNewPresets
    quantum.lostVoiceCount &+= lostVoiceCount
    (hasNewPresets, lostVoiceCount) = (false, 0)
    for index in 0..<Self.voiceCount where !voices[index].isFree {
      quantum.voiceCount &+= 1
      quantum.sounds(voices[index].number)
      quantum.isSilent = false
      render(voices + index, quantum)
    }
  }

  /// Adds a quantum of a voice to its channel, in a ramp to its gain, or to 0 when nothing holds it any more.
  @_noLocks
  private func render(_ voice: UnsafeMutablePointer<Voice>, _ quantum: EngineQuantum) {
    let (channel, isHeld) = (Int(voice.pointee.channel), voice.pointee.hold.isHeld)
    let target = isHeld ? quantum.amplitude(ofChannel: channel) * voice.pointee.amplitude : SIMD2(0, 0)
    let increase = (target - voice.pointee.gain) * (1 / 64)
    let step = quantum.performance.pointee.frequency(voice.pointee.key, voice.pointee.channel) / sampleRate
    let bus = quantum.context.output(channel)
    for frame in 0..<renderQuantum {
      voice.pointee.gain += increase
      let sample: Float = voice.pointee.phase < 0.5 ? 1 : -1
      bus[0][frame] += sample * voice.pointee.gain.x
      bus[1][frame] += sample * voice.pointee.gain.y
      let phase = voice.pointee.phase + step
      voice.pointee.phase = phase < 1 ? phase : phase - 1
    }
    bus.isSilent = false
    voice.pointee.gain = target
    voice.pointee.isFree = !isHeld
  }

  @_noLocks
  mutating func reset(_ reset: EngineReset) {
    for index in 0..<Self.voiceCount { voices[index] = Voice() }
    for channel in 0..<16 { programs[channel] = 0 }
    hasNewPresets = true
  }

  @_noLocks
  mutating func takeOver(_ handover: EngineHandover) {
    for channel in 0..<16 { programs[channel] = handover.performance.pointee.channels[channel].program }
  }

  @_noLocks
  func preset(ofChannel channel: Int) -> UInt32 { UInt32(programs[channel]) + 1 }
}
