import AudioGraph
import Foundation
import SynthAudioFiles
import SynthDSP
import SynthKit
import TestSupport
import Testing

@Suite("An input that is passed through", .timeLimit(.minutes(5)))
struct PassThroughTests {
  private let period = 256
  private let unit = VirtualInput(isOnOutputClock: true)
  private let output = HandOutput(sampleRate: 48000, period: 256)

  /// Samples of up to a quarter of full scale on the left, another for each of 4001 frames, and silence on the right.
  private func signal(_ frames: Range<Int>) -> [[Float]] {
    [frames.map { Float($0 * 1009 % 4001 - 2000) / 8192 }, [Float](repeating: 0, count: frames.count)]
  }

  /// Captures and plays so many periods.
  private func pass(_ count: Int) {
    for _ in 0..<count {
      let start = output.left.count
      unit.deliver(signal(start..<(start + period)), hostTime: output.hostTime(ofFrame: start))
      output.turn()
    }
  }

  @Test("is heard as it came, frame by frame, as late as is told", arguments: [true, false])
  func same(isLimited: Bool) throws {
    let through = try PassThrough(InputNode(unit), to: output, isLimited: isLimited)
    #expect(through.latency == nil)
    try through.engine.start()
    pass(100)
    let latency = try #require(through.latency)
    // The output of a test plays a slice when it asks for it.
    let delay = Int((latency * 48000).rounded())
    try through.engine.stop()
    // In the beginning it is faded in.
    let end = output.left.count
    #expect(Array(output.left[10_000...]) == signal((10_000 - delay)..<(end - delay))[0])
    #expect(!unit.isRunning && through.input.statistics.framesMissing == 0)
  }

  @Test("has a fader and the presets of the equalizer, and what is heard can be recorded")
  func effects() throws {
    let through = try PassThrough(InputNode(unit), to: output, gain: Decibels(-12))
    try through.engine.start()
    pass(50)
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).wav").path
    let recorder = SessionRecorder(through)
    #expect(throws: RecordingError.noKeyboards("a.mid")) { try recorder.start("a.mid") }
    try recorder.start(path)
    pass(50)
    through.mixer.outputGain.value = 0
    through.equalizer.curve = try EqualizerPresetLibrary.standard().preset("bass-booster").curve
    pass(200)
    // The tap delivers on a thread of its own.
    try #require(eventually { recorder.recordings[0].duration > 1 })
    let recorded = try #require(try recorder.stop().first)
    try through.engine.stop()
    let samples = Array(try AudioFileReader(path: recorded.path).readAll()[0])
    func peak(_ samples: some Sequence<Float>) -> Float { samples.reduce(0) { max($0, abs($1)) } }
    #expect(abs(peak(samples.prefix(4800)) - 2000 / 8192 * Float(Decibels(-12).amplitude)) < 1e-4)
    #expect(peak(samples.suffix(4800)) > 0.1)
    #expect(abs(peak(samples.suffix(4800)) - peak(output.left.suffix(4800))) < 1e-3)
  }
}
