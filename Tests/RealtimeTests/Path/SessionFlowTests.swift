import AudioGraph
import SynthMIDI
import SynthRealtime
import TestSupport
import Testing

@testable import SynthKit

@Suite("What a session's output calls renders without a violation")
struct SessionFlowTests {
  private let synthesizer: Synthesizer
  private let flow: SessionFlow
  private let buffer = SampleBuffer(channelCount: 2, frameCapacity: 256)

  init() throws {
    synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont]))
    flow = SessionFlow(synthesizer, PacedOutput())
    flow.begin(AudioEngine.outputCallback, context: synthesizer.engine.outputContext)
  }

  /// Renders a slice: how many frames it had before the stream ended.
  private func render(_ violations: inout Violations) -> Int {
    var slice = buffer.slice(frameCount: 256, hostTime: 1)
    violations.formUnion(RealtimeProbe.measure(SessionFlow.callback, flow.context, &slice))
    return slice.frameCount
  }

  private func song(_ number: Int, stops: Bool) -> SessionSong {
    let detector = TailDetector(.standard, songEnd: .max, sampleRate: 48000)
    return SessionSong(detector: detector, number: number, latency: 0, stops: stops)
  }

  @Test("from the first frame of a song through its tail to its end")
  func song() throws {
    let note = [0, 0x90, 60, 100, 96, 0x80, 60, 0] + end()
    let song = Song(try MIDIFile(bytes: smf(format: 0, tracks: [note])))
    let number = synthesizer.play(Timeline(song, sampleRate: 48000))
    flow.play(self.song(number, stops: true), isRunning: false)

    var violations = Violations()
    var pulled = 0
    repeat { pulled += 256 } while render(&violations) == 256 && pulled < 40 * 48000
    #expect(flow.songPosition < Double(pulled) && flow.songPosition > Double(pulled - 256))
    #expect(flow.takePeak() > 0.01)
    #expect(violations.isEmpty, "\(violations)")
  }

  @Test("while it fades out, is silent and fades in again, and while a song begins amid it")
  func fades() {
    var violations = Violations()
    for isAudible in [true, false, true] {
      flow.setAudible(isAudible)
      for _ in 0..<20 { #expect(render(&violations) == 256) }
      #expect((flow.silentFrames > 0) == !isAudible)
      flow.play(song(1, stops: false), isRunning: true)
    }
    #expect(violations.isEmpty, "\(violations)")
  }
}
