import AudioGraph
import Glibc
import Synchronization
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@testable import SynthKit

@Suite("While a session plays, its presets are loaded", .timeLimit(.minutes(1)))
struct BackgroundLoaderTests {
  private let synthesizer: Synthesizer
  private let news = News()

  private final class News: Sendable {
    let items = Mutex<[SessionEvent]>([])
  }

  init() throws {
    synthesizer = try Synthesizer(
      SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont], preload: .used([]), reverb: nil))
  }

  /// Renders until a condition holds; gives up after ten seconds.
  private func render(until condition: () -> Bool) throws -> Bool {
    for _ in 0..<1000 {
      _ = try synthesizer.engine.render(frameCount: 256)
      if condition() { return true }
      usleep(10_000)
    }
    return false
  }

  private var isComplete: Bool {
    if case .all = synthesizer.instruments.configuration.sampler.preload { true } else { false }
  }

  private func loader(_ loading: BackgroundLoading) throws -> BackgroundLoader {
    let loader = BackgroundLoader(synthesizer.instruments, loading) { [news] item in
      news.items.withLock { $0.append(item) }
    }
    try loader.start()
    return loader
  }

  private func change(_ program: UInt8) {
    _ = synthesizer.instruments.events.send(
      MIDIEvent(time: 0, message: .programChange(channel: 2, program: program)))
  }

  @Test("all of them, and a program that was given before is there then, and told")
  func everything() throws {
    change(48)
    let loader = try loader(.everything)
    defer { withExtendedLifetime(loader) {} }
    #expect(try render { news.items.withLock { !$0.isEmpty } })
    #expect(isComplete)
    let preset = try #require(synthesizer.instruments.preset(ofChannel: 2))
    #expect(preset.program == 48)
    #expect(news.items.withLock { $0 } == [.presetChanged(channel: 2, preset)])
  }

  @Test("those that are asked for, and no others")
  func asked() throws {
    let loader = try loader(.asked)
    defer { withExtendedLifetime(loader) {} }
    for program in [UInt8(48), 30] {
      change(program)
      #expect(try render { synthesizer.instruments.preset(ofChannel: 2)?.program == Int(program) })
    }
    #expect(!isComplete)
    #expect(try render { synthesizer.instruments.collect() })
  }
}
