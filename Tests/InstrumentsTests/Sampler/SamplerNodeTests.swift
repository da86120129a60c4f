import AudioGraph
import Glibc
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@Suite("A sampler node")
struct SamplerNodeTests {
  /// A sampler pulled by hand.
  private struct Played {
    let engine: AudioEngine
    let node: SamplerNode

    init(_ node: SamplerNode, rate: Double = 48000) throws {
      engine = AudioEngine(sampleRate: rate)
      self.node = node
      let output = try OutputNode(channelCount: 2)
      try engine.edit { graph in
        try graph.attach(node)
        try graph.attach(output)
        try graph.connect(node, to: output)
      }
    }

    func render(_ count: Int) throws -> [[Float]] { try engine.render(frameCount: count).channels.map { Array($0) } }
  }

  /// A sine of 480 Hz, which goes round: key 69 by its name.
  private static var sine: WaveBytes {
    var wave = WaveBytes.sine(period: 100, count: 4800)
    wave.sampler = (key: 69, fraction: 0, loop: 0...4799)
    return wave
  }

  @Test("plays a file by keys, at its level, as long as the note lasts", arguments: SamplerEngine.allCases)
  func file(_ engine: SamplerEngine) throws {
    try WaveBytes.withFolder(["A4.wav": Self.sine.bytes]) { folder in
      let played = try Played(SamplerNode(engine: engine))
      try played.node.load("\(folder)/A4.wav")
      #expect(played.node.presets == [ChannelPreset(name: "A4", bank: 0, program: 0)])
      played.node.noteOn(69, velocity: 127)
      let sound = try played.render(57600)[0]
      #expect(abs(cents(of: sound, from: 480)) < 0.1)
      // A mono sample has 3 dB less on either side.
      #expect(abs(20 * log10(amplitude(sound[9600..<19200], 480) / 0.5) + 3.01) < 0.05)
      #expect(played.node.activeVoiceCount == 1)
      played.node.noteOff(69)
      #expect(rms(try played.render(24000)[0].suffix(9600)) < 1e-5)
      played.node.noteOn(81, velocity: 127)
      #expect(abs(cents(of: try played.render(57600)[0], from: 960)) < 0.1)
    }
  }

  @Test("plays the file of the key and the velocity, and left and right where they are")
  func folder() throws {
    func steady(_ left: Int16, _ right: Int16) -> [UInt8] {
      WaveBytes([[Int16](repeating: left, count: 48000), [Int16](repeating: right, count: 48000)]).bytes
    }
    let files = [
      "C4 v64.wav": steady(4000, -8000), "C4 v127.wav": steady(12000, 0), "C5.wav": steady(-16000, 16000),
    ]
    try WaveBytes.withFolder(files) { folder in
      let played = try Played(SamplerNode())
      try played.node.load(folder)
      func levels(_ key: UInt8, _ velocity: UInt8) throws -> [Int] {
        played.node.noteOn(key, velocity: velocity)
        let sound = try played.render(4800)
        played.node.allSoundOff()
        _ = try played.render(4800)
        // The velocity's own attenuation is 40 dB × log10(127 / velocity), in whole centibels.
        return sound.map { Int(($0[4000] * 32768 * Float(pow(127 / Double(velocity), 2)) / 400).rounded()) * 400 }
      }
      #expect(try levels(60, 127) == [12000, 0])
      #expect(try levels(60, 64) == [4000, -8000])
      #expect(try levels(60, 65) == [12000, 0])
      #expect(try levels(72, 100) == [-16000, 16000])
    }
  }

  @Test("plays notes at frames of the engine, sent in order from any thread", arguments: [48000.0, 24000])
  func times(_ rate: Double) throws {
    try WaveBytes.withFolder(["60.wav": WaveBytes([[Int16](repeating: 16000, count: 96000)]).bytes]) { folder in
      let played = try Played(SamplerNode(), rate: rate)
      try played.node.load(folder)
      // Sent the other way round.
      played.node.noteOn(60, at: 12003)
      played.node.noteOn(60, at: 1000)
      played.node.noteOff(60, at: 6000)
      let sound = try played.render(24000)[0]
      let onsets = [0, 12000].compactMap { start in sound[start...].firstIndex { abs($0) > 0.01 } }
      #expect(abs(onsets[0] - 1000) <= 16, "\(onsets)")
      // The attack goes in straight lines to the ends of quanta.
      #expect(abs(onsets[1] - onsets[0] - 11003) <= (rate == 48000 ? 1 : 4), "\(onsets)")
      #expect(abs(sound[5000]) > 0.1 && abs(sound[11990]) < 0.001)
    }
  }

  @Test("is tuned, bent and set louder, also after the engine has started over")
  func settings() throws {
    try WaveBytes.withFolder(["A4.wav": Self.sine.bytes]) { folder in
      let played = try Played(SamplerNode())
      try played.node.load(folder)
      played.node.tuning = 150
      for _ in 1...2 {
        played.node.noteOn(69, velocity: 127)
        let higher = 480 * pow(2, 150.0 / 1200)
        #expect(abs(cents(of: try played.render(57600)[0], from: higher)) < 0.1)
        played.node.pitchBend(-1)
        _ = try played.render(4800)
        // Sums of cents and bends are whole cents.
        #expect(abs(cents(of: try played.render(57600)[0], from: 480 * pow(2, -50.0 / 1200))) < 1.1)
        try played.engine.reset()
      }
      played.node.gain.value = -20
      played.node.noteOn(69, velocity: 127)
      let sound = try played.render(19200)[0].suffix(9600)
      #expect(abs(20 * log10(amplitude(sound, 480 * pow(2, 150.0 / 1200)) / 0.5) + 23.01) < 0.05)
    }
  }

  @Test("gives all channels a preset of a soundfont, drums too", arguments: SamplerEngine.allCases)
  func presets(_ engine: SamplerEngine) throws {
    let font = try TestFiles.soundFont
    let played = try Played(SamplerNode(engine: engine))
    try played.node.load(font)
    _ = try played.render(640)
    #expect(played.node.preset(ofChannel: 9)?.bank == 128 && played.node.preset()?.bank == 0)
    try played.node.load(font, program: 56)
    _ = try played.render(640)
    #expect((0..<16).allSatisfy { played.node.preset(ofChannel: $0)?.program == 56 })
    #expect((0..<16).allSatisfy { played.node.preset(ofChannel: $0)?.bank == 0 })
    try played.node.load(font, bank: 128, program: 0)
    _ = try played.render(640)
    #expect((0..<16).allSatisfy { played.node.preset(ofChannel: $0)?.bank == 128 })
    try played.engine.reset()
    _ = try played.render(640)
    #expect(played.node.preset()?.bank == 128)
    #expect(throws: InstrumentError.presetMissing(path: font, bank: 99, program: 3)) {
      try played.node.load(font, bank: 99, program: 3)
    }
    #expect(played.node.path == font && played.node.presets.count > 100)
    played.node.noteOn(38)
    #expect(rms(try played.render(4800)[0]) > 0.001)
  }

  @Test("counts what is lost, and has a bus for each channel if that is asked for")
  func losses() throws {
    let node = try SamplerNode(outputs: .channels)
    #expect(node.outputBusCount == 16)
    var isSent = true
    for _ in 0..<5000 { isSent = node.noteOn(60) }
    #expect(!isSent && node.lostMessageCount == 5000 - EventInput.liveCapacity)
    #expect(throws: InstrumentError.sampleRateOutOfRange(1000)) { try SamplerNode(sampleRate: 1000) }
  }
}
