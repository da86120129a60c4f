import Foundation
import SynthMIDI
import SynthSoundFonts
import TestSupport

/// The FluidSynth of Debian's testing suite, a program that plays one score: Tests/newest-fluidsynth prepares it.
enum NewestFluidSynth {
  /// Nil where it is not there.
  static let player = ProcessInfo.processInfo.environment["SYNTH_NEWEST_FLUIDSYNTH"]

  enum Failure: Error { case notThere, ended(Int32) }

  /// Renders a case as `NullRendering` does.
  static func render(_ test: NullCase) throws -> [Float] {
    guard let player else { throw Failure.notThere }
    let folder = FileManager.default.temporaryDirectory.appending(path: "null-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (score, output) = (folder.appending(path: "score"), folder.appending(path: "output"))
    try test.score.lines.write(to: score, atomically: true, encoding: .utf8)
    return try test.font.withFile { font in
      let process = Process()
      process.executableURL = URL(filePath: player)
      process.arguments = [font, score.path, "48000", output.path]
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw Failure.ended(process.terminationStatus) }
      return try Data(contentsOf: output).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }
  }

  static func compare(_ test: NullCase) throws -> NullComparison {
    var comparison = NullComparison()
    let unlike = test.unlike + test.unlike.map { $0 + test.score.frameCount }
    comparison.add(
      reference: try render(test).silenced(at: unlike),
      rendered: try NullRendering.render(test) { $0.useNative() }.silenced(at: unlike))
    return comparison
  }
}

extension NullScore {
  /// The modulators that synth's FluidSynth has beside its own, the exact end of the wheel among them; then a line for
  /// each message, its frame and its bytes, and one for the end.
  fileprivate var lines: String {
    let modulators = ZoneModulator.controllerDefaults.map {
      "m \($0.source.rawValue) \($0.amountSource.rawValue) \($0.destination) \($0.amount)"
    }
    let wheel = "m \(0x020E) \(0x0010) 52 12800"
    let messages = events.map { event in
      "\(event.frame)" + (event.message.bytes ?? []).map { " " + String($0, radix: 16) }.joined()
    }
    return (modulators + [wheel] + messages + ["\(frameCount)"]).joined(separator: "\n") + "\n"
  }
}
