import AudioGraph
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

/// A song on an oscillator and a metronome behind it, rendered by hand at 48 kHz.
final class ClickedSong {
  let rack: RackNode
  let metronome: MetronomeNode
  let timeline: Timeline
  private let engine = AudioEngine(sampleRate: 48000)
  private(set) var time = 0
  private var last: [Float] = [0, 0]

  /// A click: its first frame, and whether it begins a bar.
  struct Click: Equatable, CustomStringConvertible {
    let frame: Int
    let isFirst: Bool

    var description: String { isFirst ? "|\(frame)" : "\(frame)" }
  }

  /// - Parameter events: of a track at 480 ticks in a quarter note, of which two are a second until a tempo comes.
  init(_ events: [UInt8]..., isOn: Bool = true) throws {
    let song = Song(try MIDIFile(bytes: smf(format: 0, tracks: [events.flatMap(\.self)])))
    timeline = Timeline(song, sampleRate: 48000)
    rack = try RackNode(
      RackConfiguration(
        sampler: SamplerConfiguration(soundFonts: []), assignments: [InstrumentAssignment(.patch(.bare()))]),
      sampleRate: 48000)
    metronome = MetronomeNode(following: rack.events)
    metronome.isOn.value = isOn ? 1 : 0
    let output = try OutputNode(channelCount: 1)
    try engine.edit { [rack, metronome] graph in
      for node in [rack, metronome, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(rack, to: metronome)
      try graph.connect(metronome, to: output)
    }
  }

  var events: EventInput { rack.events }
  /// The frame of the song that is rendered next.
  var songFrame: Double { events.clock.songFrame(at: Double(time)) }

  func render(_ frameCount: Int) -> [Float] {
    let buffer = SampleBuffer(channelCount: 1, frameCapacity: frameCount)
    do { try engine.render(buffer.slice(frameCount: frameCount)) } catch { Issue.record(error) }
    time += frameCount
    let samples = Array(buffer.channel(0, frameCount: frameCount))
    last = Array((last + samples).suffix(2))
    return samples
  }

  /// The clicks in the next frames, where the song itself is silent. Frames are counted from the first one rendered.
  func clicks(_ frameCount: Int) -> [Click] {
    let (start, before) = (time, last)
    let samples = before + render(frameCount) + [0]
    var clicks: [Click] = []
    for frame in 0..<frameCount where samples[frame + 2] != 0 && samples[frame] == 0 && samples[frame + 1] == 0 {
      // The higher tone falls faster from its peak.
      clicks.append(Click(frame: start + frame, isFirst: samples[frame + 3] < 0.968 * samples[frame + 2]))
    }
    return clicks
  }
}

/// A time signature.
func signature(_ numerator: UInt8, power: UInt8, after ticks: Int = 0) -> [UInt8] {
  vlq(ticks) + [0xFF, 0x58, 4, numerator, power, 24, 8]
}

/// A tempo in quarter notes per minute.
func bpm(_ quarters: Int, after ticks: Int = 0) -> [UInt8] { tempo(60_000_000 / quarters, after: ticks) }
