import AudioGraph
import SynthDSP
import SynthKit
import SynthMIDI
import TestSupport
import Testing

/// A MIDI file through the whole chain, with all that changes sound off, beside libfluidsynth driven by a reader and a
/// clock of the test's own: an event belongs to the 64 frames in which the frame nearest to its time lies.
struct FluidSynthComparison {
  /// How far the two are apart where FluidSynth's channels are added up one after the other, as our mixer adds its
  /// inputs.
  private(set) var apart: Float = 0
  /// The same where FluidSynth mixes all voices of all channels itself, in double precision.
  private(set) var mixed: Float = 0
  private(set) var peak: Float = 0
  private(set) var frameCount = 0

  private static let font = Result { try TestFiles.soundFont }
  private static let slice = 4096
  /// FluidSynth's own.
  private static let gain = Decibels(amplitude: 0.2)

  /// - Parameter seconds: how much of the file at most.
  init(_ bytes: [UInt8], sampleRate: Int = 48000, seconds: Int = 3600) throws {
    let font = try Self.font.get()
    let file = PlainMIDIFile(bytes, sampleRate: sampleRate)
    var configuration = SynthesizerConfiguration(
      soundFonts: [font], sampleRate: Double(sampleRate), isLimited: false, gain: Self.gain, reverb: nil, chorus: nil)
    configuration.delay = nil
    configuration.instruments.sampler.engine = .fluidSynth
    let synthesizer = try Synthesizer(configuration)
    synthesizer.play(Song(try MIDIFile(bytes: bytes)))
    let references = try [16, 1].map {
      try FluidSynthAlone(font: font, sampleRate: sampleRate, gain: Self.gain.amplitude, pairCount: $0)
    }

    let ours = SampleBuffer(channelCount: 2, frameCapacity: Self.slice)
    let theirs = [0, 1].map { _ in SampleBuffer(channelCount: 2, frameCapacity: Self.slice) }
    // Half a second more than the last event.
    let end = min((file.events.last?.frame ?? 0) + sampleRate / 2, seconds * sampleRate)
    var next = 0
    while frameCount < end {
      try synthesizer.engine.render(ours.slice(frameCount: Self.slice))
      for offset in stride(from: 0, to: Self.slice, by: 64) {
        while next < file.events.count, file.events[next].frame < frameCount + offset + 64 {
          for synth in references { synth.play(file.events[next]) }
          next += 1
        }
        for (synth, buffer) in zip(references, theirs) {
          synth.render(left: buffer.channels[0] + offset, right: buffer.channels[1] + offset)
        }
      }
      apart = max(apart, difference(ours, theirs[0]))
      mixed = max(mixed, difference(ours, theirs[1]))
      frameCount += Self.slice
    }
  }

  private mutating func difference(_ ours: SampleBuffer, _ theirs: SampleBuffer) -> Float {
    var largest: Float = 0
    for channel in 0..<2 {
      let (a, b) = (ours.channels[channel], theirs.channels[channel])
      for frame in 0..<Self.slice {
        peak = max(peak, abs(a[frame]))
        largest = max(largest, abs(a[frame] - b[frame]))
      }
    }
    return largest
  }

  /// A difference in decibels of full scale, for people.
  static func decibels(_ difference: Float) -> String {
    difference == 0 ? "none" : "\((10 * Decibels(amplitude: Double(difference)).value).rounded() / 10) dB"
  }
}
