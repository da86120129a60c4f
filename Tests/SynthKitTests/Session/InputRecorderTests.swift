import AudioGraph
import Foundation
import SynthAudioFiles
import SynthDSP
import SynthKit
import SynthRealtime
import Testing

@Suite("A recorder of an input", .timeLimit(.minutes(5)))
struct InputRecorderTests {
  private let unit = VirtualInput(sampleRate: 8000, channelCount: 3)
  private let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws { try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true) }

  private func path(_ name: String) -> String { directory.appending(path: name).path }

  /// Channel c at frame n: n + c/4, in steps that 24 bits hold.
  private func ramp(_ frames: Range<Int>) -> [[Float]] {
    (0..<3).map { channel in frames.map { (Float($0) + Float(channel) / 4) / 0x1p16 } }
  }

  @Test("writes the wanted channels, each frame once, to the frame that is its last")
  func channels() throws {
    let recorder = try InputRecorder(
      unit, to: path("a.wav"), channelMap: ChannelMap([2, -1, 0]), sampleRate: 8000, frameLimit: 2001)
    try recorder.start()
    var peaks: [Float] = [0, 0, 0]
    for start in stride(from: 0, to: 2500, by: 500) { unit.deliver(ramp(start..<(start + 500))) }
    while let some = try recorder.record() { peaks = zip(peaks, some).map(max) }
    try recorder.finish()
    let wanted = ramp(0..<2001)
    let samples = try AudioFileReader(path: path("a.wav")).readAll().channels.map(Array.init)
    #expect(samples == [wanted[2], [Float](repeating: 0, count: 2001), wanted[0]])
    #expect(peaks == [wanted[2][2000], 0, wanted[0][2000]])
    #expect(recorder.frameCount == 2001 && recorder.duration == 2001 / 8000.0)
    #expect(recorder.input.statistics.framesLost == 0 && recorder.input.statistics.framesMissing == 0)
    #expect(!unit.isRunning)
  }

  @Test("writes all that came when the input ends")
  func end() throws {
    let recorder = try InputRecorder(unit, to: path("a.flac"), channelCount: 2)
    try recorder.start()
    unit.deliver(ramp(0..<5003))
    unit.stop()
    while try recorder.record() != nil {}
    try recorder.finish()
    let samples = try AudioFileReader(path: path("a.flac")).readAll().channels.map(Array.init)
    #expect(samples.map(\.count) == [5003, 5003])
    #expect(samples == Array(ramp(0..<5003).prefix(2)))
  }

  @Test("counts what a disk that stalls for longer than two seconds loses, and is in time after it")
  func slowDisk() throws {
    let recorder = try InputRecorder(unit, to: path("a.wav"), channelCount: 1, frameLimit: 44_000)
    try recorder.start()
    for start in stride(from: 0, to: 40_000, by: 250) { unit.deliver(ramp(start..<(start + 250))) }
    // There is room for 16384, and more finds room only once those are in the file.
    for _ in 0..<5 { #expect(try recorder.record() != nil) }
    let more = ramp(40_000..<48_000)
    let thread = try WorkerThread(named: "capture") { [unit] in
      for start in stride(from: 0, to: 8000, by: 250) {
        unit.deliver(more.map { Array($0[start..<(start + 250)]) })
        Semaphore().wait(nanoseconds: 5_000_000)
      }
    }
    while try recorder.record() != nil {}
    thread.join()
    try recorder.finish()
    let samples = Array(try AudioFileReader(path: path("a.wav")).readAll()[0])
    let lost = recorder.input.statistics.framesLost
    // Beside the gap the first frame is 0, and the one that is faded in from nothing.
    #expect(lost == 23_750 && samples.filter { $0 == 0 }.count == lost + 2)
    #expect(Array(samples.prefix(16_250)) == ramp(0..<16_250)[0])
    #expect(samples.count == 44_000 && Array(samples.suffix(1000)) == ramp(43_000..<44_000)[0])
  }

  @Test("refuses a map that is not for the wanted channels or the input's, and another rate, and leaves no file")
  func refusals() throws {
    func error(_ count: Int?, _ map: [Int]?, _ rate: Int?, _ name: String = "a.wav") -> String {
      do {
        _ = try InputRecorder(
          unit, to: path(name), channelCount: count, channelMap: map.map { ChannelMap($0) }, sampleRate: rate)
        return ""
      } catch { return "\(error)" }
    }
    #expect(error(2, [0, 1, 2], nil).contains("it has 3 entries, and 2 channels are wanted"))
    #expect(error(nil, [0, 3], nil).contains("virtual input has no channel 3; it has channels 0 to 2"))
    #expect(
      error(nil, nil, 44100)
        == "recording virtual input at 44100 Hz: it captures at 8000 Hz; leave the rate out, or ask for 8000")
    #expect(error(nil, nil, nil, "a.mid").contains("a.mid: unknown extension — use .wav, "))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
    try Data().write(to: URL(filePath: path("a.wav")))
    #expect(error(nil, nil, nil) == "creating \(path("a.wav")): file exists — choose another name")
  }
}
