import SynthMIDI
import SynthSoundFonts
import TestSupport
import Testing

@testable import SynthInstruments

@Suite("Notes that last, and LFOs that race")
struct LongNoteTests {
  @Test("the age of a note stays at its highest, after 6 hours, and a release is due then as ever")
  func age() throws {
    let words = [Int16](repeating: 0, count: 64)
    try words.withUnsafeBufferPointer { words in
      // A zone of zeros, whose sample has words.
      let memory = UnsafeMutableRawPointer.allocate(
        byteCount: MemoryLayout<PlayableZone>.stride, alignment: MemoryLayout<PlayableZone>.alignment)
      defer { memory.deallocate() }
      memory.initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<PlayableZone>.stride)
      let sample = try #require(MemoryLayout<PlayableZone>.offset(of: \.sample))
      memory.storeBytes(of: UInt(bitPattern: words.baseAddress), toByteOffset: sample, as: UInt.self)
      var voice = SampleVoice(
        memory.assumingMemoryBound(to: PlayableZone.self), channel: 0, key: 60, velocity: 100, note: 1, number: 0,
        frame: 0, time: 0)
      voice.age = SampleVoice.longestAge - 64
      for _ in 0..<3 { voice.endQuantum() }
      #expect(voice.age == SampleVoice.longestAge)
      voice.letGo(at: 10, shortest: 480)
      #expect(voice.releaseFrame == 10 && voice.releaseAge == nil)
    }
  }

  @Test(
    "an LFO of the native engine stays within ±1 at any frequency", arguments: [0.1, 60, 1e3, 1e9, .infinity, .nan])
  func nativeLFO(frequency: Double) {
    var lfo = VoiceLFO()
    lfo.setFrequency(frequency, sampleRate: 8000)
    lfo.setDelay(frames: frequency)
    for _ in 0..<1000 {
      lfo.advance(64, age: 1 << 30)
      #expect(abs(lfo.value) <= 1)
    }
  }

  @Test("one of the oscillators too, at four times 50 Hz in a zone of MPE at 8 kHz")
  func oscillatorLFO() throws {
    var patch = Patch.bare()
    (patch.lfo.rate, patch.lfo.pitch, patch.lfo.amplitude) = (50, 100, 12)
    let rack = try PlayedRack(RackConfiguration(assignments: [InstrumentAssignment(.patch(patch))]), sampleRate: 8000)
    let zone: [MIDIMessage] = [
      .controlChange(channel: 0, .registeredParameter, value7: 0),
      .controlChange(channel: 0, .registeredParameterLSB, value7: 6),
      .controlChange(channel: 0, .dataEntry, value7: 15),
    ]
    for message in zone { rack.play(message) }
    for channel: UInt8 in 0...1 { rack.play(.controlChange(channel: channel, .vibratoRate, value7: 127)) }
    rack.play(.noteOn(channel: 1, note: 69, velocity7: 127))
    // The runaway of the phase made its sine infinite within a second.
    let samples = rack.render(8000 * 4)
    #expect(samples.allSatisfy { abs($0) <= 2 } && rms(samples.suffix(8000)) > 0.003)
  }

  @Test("conversions of NaN are numbers")
  func conversions() {
    let conversions = ConversionTables.shared.conversions
    let results = [
      conversions.frequency(.nan), conversions.amplitude(.nan), conversions.exactAmplitude(.nan),
      conversions.concave(.nan), conversions.convex(.nan), conversions.seconds(.nan, upTo: 8000),
      exponential2(.nan),
    ]
    #expect(results.allSatisfy { $0.isFinite })
    let sides = conversions.sides(pan: .nan, balance: .nan)
    #expect(sides.x.isFinite && sides.y.isFinite)
  }
}
