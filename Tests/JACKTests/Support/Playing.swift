import SynthJACK
import SynthKit
import SynthMIDI
import TestSupport

/// A song at 480 ticks per quarter note and 120 bpm, so that 960 ticks are a second.
func song(_ events: [UInt8]...) throws -> Song {
  Song(try MIDIFile(bytes: smf(format: 0, tracks: [events.flatMap(\.self) + end()])))
}

/// A note on for `ticks`, then off.
func strike(_ note: UInt8, channel: UInt8 = 0, ticks: Int) -> [UInt8] {
  [0, 0x90 | channel, note, 100] + vlq(ticks) + [0x80 | channel, note, 64]
}

func configuration() throws -> SynthesizerConfiguration {
  SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont])
}

/// A song rendered without a device.
func rendered(_ song: Song, sampleRate: Int = 48000, _ frameCount: Int) throws -> [[Float]] {
  var configuration = try configuration()
  configuration.sampleRate = Double(sampleRate)
  let synthesizer = try Synthesizer(configuration)
  synthesizer.play(song)
  let buffer = SampleBuffer(channelCount: 2, frameCapacity: frameCount)
  try synthesizer.engine.render(buffer.slice(frameCount: frameCount))
  return (0..<2).map { Array(buffer.channel($0, frameCount: frameCount)) }
}

/// From the first sample that is not silent.
func sound(_ samples: [Float]) -> [Float] { Array(samples.drop { $0 == 0 }) }

extension Session {
  /// Frames of the song that were rendered.
  var frameCount: Int { Int((position * synthesizer.engine.sampleRate).rounded()) }
}
