import AudioGraph
import MIDI
import Realtime
import TestSupport
import Testing

@testable import SynthKit

@Suite("What a device's thread calls renders without a violation")
struct PlayerSourceTests {
  /// The device's callback in the shape the probe takes.
  private static let callback: RenderFunction = { context, slice in
    let slice = slice.assumingMemoryBound(to: RenderSlice.self).pointee
    _ = PlayerSource.callback(context, slice.channels, Int32(slice.channelCount), Int32(slice.frameCount))
  }

  @Test("from the first frame of a song through its tail to its end")
  func song() throws {
    let synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont]))
    let source = PlayerSource(synthesizer.engine)
    let note = [0, 0x90, 60, 100, 96, 0x80, 60, 0] + end()
    let song = Song(try MIDIFile(bytes: smf(format: 0, tracks: [note])))
    let timeline = synthesizer.play(song)
    source.begin(TailDetector(.standard, songEnd: timeline.duration, sampleRate: 48000))

    let buffer = SampleBuffer(channelCount: 2, frameCapacity: 256)
    var violations = Violations()
    var pulled = 0
    repeat {
      var slice = buffer.slice(frameCount: 256)
      violations.formUnion(RealtimeProbe.measure(Self.callback, source.context, &slice))
      pulled += 256
    } while source.frameCount == pulled && pulled < 40 * 48000
    #expect(source.frameCount < pulled)
    #expect(source.takePeak() > 0.01)
    #expect(violations.isEmpty, "\(violations)")
  }
}
