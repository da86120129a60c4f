import Foundation
import TestSupport
import Testing

@Suite("However it is ended, synth fades out and tells by its status how")
struct EndingTests {
  private let directory = try! TemporaryDirectory()

  /// Plays an organ's chord without end into a file, and ends that by a signal: the status and the left channel.
  private func play(
    endedBy signal: Int32, environment: [String: String] = [:]
  ) throws -> (status: Int32, left: [Float]) {
    let (song, recorded) = (directory.path("organ.mid"), directory.path("\(signal).raw"))
    let chord: [UInt8] = [0, 0xC0, 19, 0, 0x90, 48, 100, 0, 0x90, 55, 100]
    try Data(smf(format: 0, tracks: [chord + end(after: 960 * 36000)])).write(to: URL(filePath: song))
    let result = try Program.run(
      [song, "--out", "file:'\(recorded)',raw", "--rate", "48000", "--channels", "2", "--reverb", "off"],
      environment: environment, interruptWhen: { hasSeconds(recorded) }, by: signal)
    let device = "file:'\(recorded)',raw"
    #expect(result.errors == "synth: warning: \(device): ALSA writes what is played into \(recorded)\n")
    let samples = try Data(contentsOf: URL(filePath: recorded)).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    return (result.status, stride(from: 0, to: samples.count, by: 2).map { samples[$0] })
  }

  /// Whether three seconds have been recorded.
  private func hasSeconds(_ path: String) -> Bool {
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    return size ?? 0 > 3 * 48000 * 2 * MemoryLayout<Float>.size
  }

  private func steepest(_ samples: ArraySlice<Float>) -> Float {
    zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max() ?? 0
  }

  @Test(
    "the last jump is no larger than the sound's own steps",
    arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func fade(signal: Int32, status: Int32) throws {
    let (ended, left) = try play(endedBy: signal)
    #expect(ended == status)
    let end = try #require(left.lastIndex { $0 != 0 })
    // Of the two seconds before: an organ's tremolo makes some periods steeper than others.
    let own = steepest(left[max(0, end - 100_800)..<(end - 4800)])
    #expect(own > 0.005)
    #expect(abs(left[end]) < 0.01 * own && steepest(left[(end - 4800)...]) <= 1.2 * own)
  }

  @Test("to a service manager, SIGTERM is an ordinary end", arguments: ["INVOCATION_ID", "NOTIFY_SOCKET"])
  func service(variable: String) throws {
    #expect(try play(endedBy: SIGTERM, environment: [variable: "x"]).status == 0)
    #expect(try play(endedBy: SIGINT, environment: [variable: "x"]).status == 130)
  }
}
