import AudioGraph
import SynthDSP
import SynthKit
import SynthMIDI
import SynthRealtime

/// One way to render a song.
protocol Contender {
  /// Begins the song anew.
  func start()
  /// Renders the next quanta.
  func render(_ quantumCount: Int)
  /// A frame of the last quantum.
  func sample(channel: Int, frame: Int) -> Float
}

/// FluidSynth and nothing else.
final class BareSong: Contender {
  private let synth: BareFluidSynth
  private let timeline: Timeline
  private var position = 0
  private var time: Int64 = 0

  init(font: String, timeline: Timeline, pairCount: Int) throws {
    synth = try BareFluidSynth(font: font, pairCount: pairCount)
    self.timeline = timeline
  }

  var activeVoiceCount: Int { synth.activeVoiceCount }

  func start() {
    synth.reset()
    position = 0
    time = 0
  }

  func render(_ quantumCount: Int) {
    for _ in 0..<quantumCount {
      time += Int64(renderQuantum)
      while position < timeline.events.count, timeline.events[position].time < time {
        synth.play(timeline.events[position])
        position += 1
      }
      synth.render()
    }
  }

  func sample(channel: Int, frame: Int) -> Float { synth.mix(channel: channel, frame: frame) }
}

/// The chain without what FluidSynth alone has not: sampler, mixer, equalizer, output.
final class ChainSong: Contender {
  private let synthesizer: Synthesizer
  private let song: Song
  private var buffer = AudioBuffer(format: .stereo(Work.sampleRate), frameCount: renderQuantum)

  init(font: String, song: Song, curve: EqualizerCurve) throws {
    var configuration = SynthesizerConfiguration(
      soundFonts: [font], sampleRate: Work.sampleRate, curve: curve, isLimited: false, gain: Decibels(amplitude: 0.2),
      reverb: nil, chorus: nil)
    configuration.instruments.sampler.engine = .fluidSynth
    synthesizer = try Synthesizer(configuration)
    self.song = song
  }

  func start() { synthesizer.play(song) }

  func render(_ quantumCount: Int) {
    buffer.withRenderSlice { slice in
      for _ in 0..<quantumCount { try? synthesizer.engine.render(slice) }
    }
  }

  func sample(channel: Int, frame: Int) -> Float { buffer[channel, frame] }
}
