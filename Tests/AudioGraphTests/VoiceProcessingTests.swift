import AudioGraph
@preconcurrency import Glibc
import Synchronization
import SynthDSP
import TestSupport
import Testing

/// 16 s of a call at 48 kHz: the far end speaks all the time, the near end from 9 to 14 s, equally loud.
private struct Call {
  static let shared = Result { try Call() }
  let far: [Float]
  let near: [Float]
  let echo: [Float]

  private init() throws {
    let count = 16 * 48000
    far = try Speech.words(["Front_Center", "Rear_Left", "Front_Right", "Front_Left"], frameCount: count, level: -20)
    let words = try Speech.words(["Side_Left", "Side_Right", "Rear_Right"], frameCount: count, level: -26)
    near = words.indices.map { (9 * 48000..<14 * 48000).contains($0) ? words[$0] : 0 }
    echo = EchoRoom.echo(of: far, level: -26)
  }

  /// With the hiss that every microphone has, at -75 dB.
  var microphone: [Float] {
    var random = SplitMix64(seed: 1)
    return echo.indices.map { echo[$0] + near[$0] + Float(random.uniform()) * 0.0003 }
  }
}

@Suite("Voice processing", .timeLimit(.minutes(2)))
struct VoiceProcessingTests {
  let voice: VoiceProcessingNode

  init() throws { voice = try VoiceProcessingNode() }

  private func source(_ samples: [[Float]], rate: Double = 48000) -> SourceNode {
    SourceNode(format: AudioFormat(sampleRate: rate, channelCount: samples.count)) { request in
      for channel in samples.indices {
        for frame in 0..<request.frameCount {
          let time = Int(request.sampleTime) + frame
          request.buffers[channel][frame] = time < samples[channel].count ? samples[channel][time] : 0
        }
      }
    }
  }

  // microphone ─► voice ─► output
  // far end ───────┘ 1
  private func engine(
    _ microphone: [Float], far: [[Float]] = [], rate: Double = 48000, sources: Double = 48000
  ) throws -> AudioEngine {
    let engine = AudioEngine(sampleRate: rate)
    let output = try OutputNode(channelCount: 1, sourceCount: 1)
    try engine.edit { graph in
      for node in [voice, output] as [any AudioNode] { try graph.attach(node) }
      for (bus, samples) in [[microphone], far].enumerated() where !samples.isEmpty {
        let source = source(samples, rate: sources)
        try graph.attach(source)
        try graph.connect(source, to: voice, toBus: bus)
      }
      try graph.connect(voice, to: output)
    }
    return engine
  }

  private func level(_ samples: [Float], _ seconds: Range<Double>, rate: Double = 48000) -> Double {
    let range = Int(seconds.lowerBound * rate)..<min(Int(seconds.upperBound * rate), samples.count)
    return Decibels(amplitude: Speech.rms(samples[range])).value
  }

  @Test(
    "after 5 s 20 dB of the echo are gone, and of a near end that speaks at the same time 5 dB at most",
    arguments: [1, 2])
  func echo(farEndChannels: Int) throws {
    let call = try Call.shared.get()
    let microphone = call.microphone
    let far = Array(repeating: call.far, count: farEndChannels)
    let samples = try engine(microphone, far: far).render(microphone.count, channels: 1)[0]
    let enhancement = [5.0..<9, 14.5..<16].map { level(microphone, $0) - level(samples, $0) }
    // What of the output is the near end, by correlation.
    var (both, near, all) = (0.0, 0.0, 0.0)
    for frame in 10 * 48000..<14 * 48000 {
      let (out, spoken) = (Double(samples[frame]), Double(call.near[frame - voice.latency]))
      both += out * spoken
      near += spoken * spoken
      all += out * out
    }
    let kept = 10 * log10(both * both / near / near)
    let rest = 10 * log10(both * both / near / (all - both * both / near))
    print(
      "echo return loss enhancement \(enhancement.map { Decibels($0) }), near end kept \(Decibels(kept)), "
        + "beside the rest \(Decibels(rest))")
    #expect(enhancement[0] > 20)
    #expect(enhancement[1] > 20)
    #expect(kept > -5)
    #expect(rest > 0)
  }

  // far end ─┬──────────► output ┄ room ┄┐
  //          └ 1 ─► voice ─► tap         ┆
  // input ──── 0 ────┘ ◄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┘
  @Test("what an engine plays comes back by its input, and leaves it again")
  func duplex() throws {
    let call = try Call.shared.get()
    let unit = VirtualInput(channelCount: 1, period: 512)
    let (input, speech) = (try InputNode(unit), source([call.far]))
    let heard = Mutex<[Float]>([])
    let tap = try TapNode { block in heard.withLock { $0 += block[0] } }
    let engine = AudioEngine(sampleRate: 48000)
    let output = try OutputNode(channelCount: 1, sourceCount: 1)
    try engine.edit { [voice] graph in
      for node in [input, speech, voice, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(speech, to: output)
      try graph.connect(speech, to: voice, toBus: 1)
      try graph.connect(input, to: voice)
      try graph.tap(voice, with: tap)
    }
    try input.start()
    var room = EchoRoom(gain: 0.2)
    // A quantum ahead, as rendering by hand waits for it.
    var captured = [Float](repeating: 0, count: 64)
    unit.deliver([captured])
    var played = [Float](repeating: 0, count: 512)
    while captured.count < 9 * 48000 {
      let echo = room.hear(played)
      unit.deliver([echo])
      captured += echo
      played = Array(try engine.render(frameCount: 512)[0])
    }
    try input.stop()
    tap.finish()
    let samples = heard.withLock { $0 }
    let enhancement = level(captured, 5..<9) - level(samples, 5..<9)
    print("duplex: \(Decibels(level(captured, 5..<9))) come back, \(Decibels(enhancement)) of it are gone")
    #expect(samples.count == captured.count - 64 && input.statistics.framesLost == 0)
    #expect(enhancement > 20)
  }

  @Test("bypass gives the microphone on as it is, as late as it says, at every rate and slice size")
  func bypass() throws {
    let microphone = (0..<9600).map { Float($0 % 1000) / 1000 - 0.3 }
    voice.bypass.value = 1
    for rate in [8000.0, 11025, 16000, 22050, 44100, 48000] {
      let engine = try engine(microphone, far: [microphone], rate: rate, sources: rate)
      let samples = engine.render(9600, channels: 1, sliceSize: 100)[0]
      #expect(engine.latency == voice.latency)
      #expect(voice.latency > 0 && Double(voice.latency) < 0.025 * rate)
      #expect(samples[..<voice.latency].allSatisfy { $0 == 0 })
      #expect(Array(samples[voice.latency...]) == Array(microphone[..<(9600 - voice.latency)]), "\(rate) Hz")
    }
  }

  @Test("what it gives is as late as it says", arguments: [1, 77, 512])
  func latency(sliceSize: Int) throws {
    voice.noiseSuppression.value = 0
    let words = try Speech.words(["Side_Left"], frameCount: 24000, level: -20)
    let samples = try engine(words).render(24000, channels: 1, sliceSize: sliceSize)[0]
    func likeness(_ lag: Int) -> Double {
      (2000..<24000).reduce(0) { $0 + Double(samples[$1]) * Double(words[$1 - lag]) }
    }
    let lags = Array(voice.latency - 20...voice.latency + 20)
    let likenesses = lags.map(likeness)
    let best = lags[likenesses.firstIndex(of: likenesses.max() ?? 0) ?? 0]
    // A high-pass of some hertz against constants hurries low frequencies.
    #expect(abs(best - voice.latency) <= 2)
  }

  @Test("beside an output unit at another rate it runs at one that it can, and tells how late it is")
  func rates() throws {
    let microphone = try Call.shared.get().near.suffix(6 * 48000).map { $0 }
    for (rate, own) in [(4000.0, 8000.0), (96000, 48000), (88200, 44100), (192_000, 48000)] {
      let engine = try engine(microphone, rate: rate)
      #expect(voice.outputFormats(inputs: [], sampleRate: rate) == [.mono(own)])
      let samples = engine.render(Int(rate * 3), channels: 1)[0]
      #expect(Speech.rms(samples[...]) > 0.5 * Speech.rms(microphone[..<(3 * 48000)]), "\(rate) Hz")
      #expect(Double(engine.latency) / rate > Double(voice.latency) / own)
    }
  }

  @Test("steady noise is lowered by as much as it is told, speech is not", arguments: [0, 10, 20] as [Float])
  func noise(suppression: Float) throws {
    voice.noiseSuppression.value = suppression
    var random = SplitMix64(seed: 2)
    let speech = try Call.shared.get().near
    let microphone = speech.map { $0 + Float(random.uniform()) * 0.005 }
    let samples = try engine(microphone).render(14 * 48000, channels: 1)[0]
    let lowered = level(microphone, 4..<9) - level(samples, 4..<9)
    print("noise suppression of \(suppression) dB lowers noise by \(Decibels(lowered))")
    #expect(abs(lowered - Double(suppression)) < 3)
    #expect(abs(level(microphone, 10..<14) - level(samples, 10..<14)) < 2)
  }

  @Test("the automatic gain brings quiet and loud speech near the same level", arguments: [-20, -30] as [Float])
  func automaticGain(target: Float) throws {
    voice.automaticGain.value = 1
    voice.targetLevel.value = target
    var levels: [Double] = []
    for spoken in [-45.0, -10] {
      let words = try Speech.words(["Side_Left", "Rear_Right"], frameCount: 20 * 48000, level: spoken)
      voice.reset()
      levels.append(level(try engine(words).render(20 * 48000, channels: 1)[0], 15..<20))
    }
    print("automatic gain to \(target) dB: \(levels.map { Decibels($0) })")
    #expect(levels.allSatisfy { abs($0 - Double(target)) < 2 })
  }

  @Test("mute fades over 20 ms, to silence and back, while it runs")
  func mute() throws {
    voice.bypass.value = 1
    let engine = try engine([Float](repeating: 0.5, count: 48000))
    #expect(engine.render(4800, channels: 1)[0].last == 0.5)
    voice.mute.value = 1
    let out = engine.render(4800, channels: 1)[0]
    #expect(zip(out, out.dropFirst()).allSatisfy { $0 >= $1 && $0 - $1 < 0.001 })
    #expect(out[900] > 0.01 && out[1024...].allSatisfy { $0 == 0 })
    voice.mute.value = 0
    let back = engine.render(4800, channels: 1)[0]
    #expect(zip(back, back.dropFirst()).allSatisfy { $0 <= $1 && $1 - $0 < 0.001 })
    #expect(back.last == 0.5)
  }

  @Test("of what is no sound comes sound, and the canceller recovers from a room that changes at once")
  func endurance() throws {
    let call = try Call.shared.get()
    // The loudspeaker is turned over at 6 s, and up; before, there are numbers that are none.
    var (microphone, far) = (call.echo, call.far)
    for frame in 6 * 48000..<microphone.count { microphone[frame] *= -2 }
    for frame in 0..<64 { (microphone[frame], far[frame]) = (.nan, .infinity) }
    let samples = try engine(microphone, far: [far]).render(microphone.count, channels: 1)[0]
    #expect(samples.allSatisfy { abs($0) <= 1 })
    let enhancement = level(microphone, 13..<16) - level(samples, 13..<16)
    print("after the room has changed: \(Decibels(enhancement))")
    #expect(enhancement > 15)
  }

  @Test("it is found as vpio, and made with a quality")
  func component() throws {
    let registry = try ComponentRegistry(Component.audioGraph)
    let component = try registry.component(named: "voice processing")
    #expect("\(component.description)" == "aufx/vpio/synt")
    let node = try #require(try component.make(["quality": "high"]) as? VoiceProcessingNode)
    #expect(node.quality == .high)
  }
}
