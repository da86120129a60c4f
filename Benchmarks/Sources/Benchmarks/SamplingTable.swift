import Glibc
import SynthDSP
import SynthMIDI
import SynthRealtime

/// What a sampled voice costs, piece by piece, beside one of FluidSynth.
enum SamplingTable {
  private static let voiceCount = 256
  private static let turns = 51
  private static let quanta = 40

  static func measure() throws {
    let names = ["cubic, 4 points", "sinc, 8 points", "sinc, 12 points", "sinc, 16 points"]
    let voices = zip(names, Interpolation.allCases).map { ($0, SampledVoices(voiceCount, Interpolator($1))) }
    let fluidSynth = try HeldVoices(voiceCount)
    print(row(["ns a voice and frame, \(voiceCount) voices", "reading", "filter", "pan", "all"], widths: widths))
    var costs = voices.map { _ in [[Double]](repeating: [], count: 4) }
    var theirs: [Double] = []
    for _ in 0..<turns {
      for (index, voices) in voices.enumerated() {
        for (column, stages) in [SampledVoices.Stages.reading, .filter, .pan, .all].enumerated() {
          costs[index][column].append(time(voiceCount) { voices.1.render(stages) })
        }
      }
      theirs.append(time(fluidSynth.count) { fluidSynth.synth.render() })
    }
    for (voices, columns) in zip(voices, costs) {
      print(row([voices.0] + columns.map { fixed(Distribution($0).median, 2) }, widths: widths))
    }
    print(row(["FluidSynth, 4 points", "", "", "", fixed(Distribution(theirs).median, 2)], widths: widths))
  }

  private static let widths = [40, 10, 10, 10, 10]

  private static func time(_ voiceCount: Int, _ render: () -> Void) -> Double {
    let start = ThreadClock.now
    for _ in 0..<quanta { render() }
    return (ThreadClock.now - start) / Double(quanta * renderQuantum * voiceCount)
  }
}

/// Voices of FluidSynth that sound for a long time.
private struct HeldVoices {
  let synth: BareFluidSynth
  let count: Int

  init(_ wanted: Int) throws {
    synth = try BareFluidSynth(font: SoundFont.small(), pairCount: 1)
    // Strings and organs, of which each key has one voice or two.
    for key in 40..<90 where synth.activeVoiceCount < wanted {
      for channel in 0..<8 where synth.activeVoiceCount < wanted {
        let program = UInt8(channel < 4 ? 48 + channel : 12 + channel)
        let channel = UInt8(channel)
        if key == 40 { synth.play(.init(time: 0, message: .programChange(channel: channel, program: program))) }
        synth.play(.init(time: 0, message: .noteOn(channel: channel, note: UInt8(key), velocity7: 90)))
      }
    }
    for _ in 0..<200 { synth.render() }
    count = synth.activeVoiceCount
  }
}

/// Looped voices at pitches up to an octave from their own, on sixteen buses.
private final class SampledVoices {
  enum Stages { case reading, filter, pan, all }

  private let words: UnsafeMutablePointer<Int16>
  private let samples: UnsafeMutablePointer<Float>
  private let interpolator: Interpolator
  private var waves: [SampledWave] = []
  private var increments: [UInt64] = []
  private var readers: [WaveReader] = []
  private var banks: [ResonantBank] = []
  private let gains: UnsafeMutablePointer<StereoGain>
  private var quantum = 0

  init(_ count: Int, _ interpolator: Interpolator) {
    self.interpolator = interpolator
    let length = 16_000
    words = .allocate(capacity: count * length)
    gains = .allocate(capacity: count)
    gains.initialize(repeating: StereoGain(left: 0.01, right: 0.02), count: count)
    samples = UnsafeMutableRawPointer.allocate(byteCount: Self.sampleCount * 4, alignment: 64)
      .initializeMemory(as: Float.self, repeating: 0, count: Self.sampleCount)
    for index in 0..<count * length { words[index] = Int16(truncatingIfNeeded: (index &* 0x9E37_79B9) >> 11) }
    for voice in 0..<count {
      let start = voice * length
      let wave = SampledWave(
        words: words, start: start, end: start + length, loopStart: start + 4000, loopEnd: start + 5000 + 31 * voice)
      waves.append(wave)
      readers.append(WaveReader(wave))
      increments.append(WaveReader.increment(exp2(Double(voice % 25) / 12 - 1)))
    }
    for _ in 0..<count / 8 {
      var bank = ResonantBank()
      for lane in 0..<8 { bank.start(lane, ResonantCoefficients(cutoff: 0.1, resonance: 1)) }
      banks.append(bank)
    }
  }

  deinit {
    words.deallocate()
    gains.deallocate()
    samples.deallocate()
  }

  /// Eight rows, the reader's window, sixteen stereo buses.
  private static let sampleCount = 8 * renderQuantum + WaveReader.windowSize + 32 * renderQuantum

  func render(_ stages: Stages) {
    quantum += 1
    let window = samples + 8 * renderQuantum
    let buses = window + WaveReader.windowSize
    for bank in banks.indices {
      if stages == .reading || stages == .all {
        for lane in 0..<8 {
          let voice = bank * 8 + lane
          _ = readers[voice].read(
            waves[voice], into: samples + lane * renderQuantum, count: renderQuantum, increment: increments[voice],
            loops: true, with: interpolator, window: window)
        }
      }
      if stages == .filter || stages == .all { shape(bank) }
      if stages == .pan || stages == .all {
        let left = buses + bank % 16 * 2 * renderQuantum
        var mix = RowMix()
        for lane in 0..<8 {
          let gain = gains + bank * 8 + lane
          gain.pointee.aim(left: 0.01, right: 0.02, frames: renderQuantum)
          mix.append(samples + lane * renderQuantum, gain)
        }
        mix.add(toLeft: left, right: left + renderQuantum)
      }
    }
  }

  /// Every bank's filter moves in every fourth quantum.
  private func shape(_ bank: Int) {
    for lane in 0..<8 {
      banks[bank].aimAmplitude(lane, at: quantum % 2 == 0 ? 0.5 : 0.6, frames: renderQuantum)
      if (quantum + bank) % 4 == 0 {
        let cutoff = 0.1 + 0.01 * Double(quantum % 3)
        banks[bank].aimFilter(
          lane, at: ResonantCoefficients(cutoff: cutoff, resonance: 1), frames: renderQuantum)
      } else {
        banks[bank].holdFilter(lane)
      }
    }
    banks[bank].process(samples, count: renderQuantum)
  }
}
