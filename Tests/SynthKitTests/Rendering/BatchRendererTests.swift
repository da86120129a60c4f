import Foundation
import Synchronization
import SynthAudioFiles
import SynthDSP
import SynthInstruments
import SynthLoudness
import SynthMIDI
import TestSupport
import Testing

@testable import SynthKit

@Suite("Many songs rendered at once", .timeLimit(.minutes(10)))
struct BatchRendererTests {
  private let directory = FileManager.default.temporaryDirectory.appending(path: "batch-\(UUID())")
  private struct Broken: Error {}

  init() throws { try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true) }

  private func batch(workerCount: Int) throws -> BatchRenderer {
    BatchRenderer(
      SynthesizerConfiguration(
        soundFonts: [try TestFiles.soundFont], preload: .used([]), sampleRate: 8000, reverb: nil),
      workerCount: workerCount)
  }

  private func item(_ key: UInt8, _ name: String = "\(UUID())") -> BatchRenderer.Item {
    BatchRenderer.Item(path: directory.appending(path: "\(name).wav").path) {
      try song([0, 0xC0, key & 15], strike(key, ticks: 200))
    }
  }

  @Test("outcomes come as songs are done, also of those that cannot be read")
  func outcomes() async throws {
    let items = (UInt8(40)..<52).map { item($0, "\($0)") }
    let broken = BatchRenderer.Item(path: "/nope/x.wav") { throw Broken() }
    var outcomes: [Int: BatchRenderer.Outcome] = [:]
    for try await outcome in try batch(workerCount: 3).outcomes(of: items + [broken]) {
      #expect(outcomes.updateValue(outcome, forKey: outcome.index) == nil)
    }
    #expect(outcomes.count == 13)
    for index in 0..<12 { #expect(try #require(outcomes[index]).result.get().progress.peak > 0.001) }
    #expect(throws: Broken.self) { try #require(outcomes[12]).result.get() }
  }

  /// A tenth of a second each, 20 minutes in all, if the end were waited for once more.
  @Test("the end is told at once")
  func end() {
    for _ in 0..<12_000 {
      let queue = BatchQueue([], workerCount: 1)
      queue.leave()
      #expect(queue.progress() != nil)
      #expect(queue.progress() == nil)
    }
  }

  @Test("a song is asked for when a worker is free, not before")
  func laziness() throws {
    let asked = Atomic(0)
    let items = (0..<1000).lazy.map { number in
      asked.add(1, ordering: .relaxed)
      return item(UInt8(number & 63))
    }
    var doneCount = 0
    try batch(workerCount: 2).render(items) { progress in
      doneCount += progress.outcomes.count
      return doneCount < 4
    }
    #expect(asked.load(ordering: .relaxed) < 100)
    // What was under way has left nothing.
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(names.allSatisfy { $0.hasSuffix(".wav") && !$0.hasPrefix(".") })
  }

  @Test("a cancelled task ends its batch")
  func cancelled() async throws {
    let asked = Counter()
    let batch = try batch(workerCount: 2)
    let directory = directory
    let items = EndlessItems { key in
      asked.count.add(1, ordering: .relaxed)
      return BatchRenderer.Item(path: directory.appending(path: "\(key).wav").path) { try song(strike(60, ticks: 9)) }
    }
    for try await _ in batch.outcomes(of: items) { break }
    #expect(
      eventually {
        let before = asked.count.load(ordering: .relaxed)
        usleep(200_000)
        return asked.count.load(ordering: .relaxed) == before
      })
  }

  @Test("a synthesizer with borrowed soundfonts sounds as one that loads them", arguments: [true, false])
  func pool(isLoadingAll: Bool) throws {
    let song = Song(try MIDIFile(path: try TestFiles.song("busy_schedule.mid")))
    let preload: SamplerPreload = isLoadingAll ? .all : .used([song])
    var configuration = SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont], preload: preload)
    func samples() throws -> [[Float]] {
      let synthesizer = try Synthesizer(configuration)
      synthesizer.play(song)
      return synthesizer.samples(48000)
    }
    let own = try samples()
    #expect(own[0].contains { abs($0) > 0.001 })
    configuration.instruments.sampler.pool = SoundFontPool()
    for _ in 0..<3 {
      // With voices that sound to its end.
      let isSame = try samples() == own
      #expect(isSame)
    }
  }

  @Test("loudness is measured where that is asked for, and a target is met")
  func loudness() async throws {
    var batch = try batch(workerCount: 1)
    func outcome() async throws -> RenderedSong {
      for try await outcome in batch.outcomes(of: [item(60)]) { return try outcome.result.get() }
      throw Broken()
    }
    #expect(try await outcome().loudness == nil)
    batch.measuresLoudness = true
    let plain = try await outcome()
    let integrated = try #require(plain.loudness).integrated
    batch.loudness = LoudnessTarget(LUFS(integrated.value - 6))
    let target = try await outcome()
    #expect(abs(try #require(target.loudness).integrated.value - integrated.value + 6) < 1e-9)
    #expect(abs(target.progress.peak / plain.progress.peak - Float(Decibels(-6).amplitude)) < 1e-5)
  }

  @Test("what no song could be rendered with is thrown before the first")
  func badConfiguration() throws {
    var batch = try batch(workerCount: 1)
    batch.synthesizer.instruments.sampler.soundFonts = ["/nope.sf2"]
    #expect(throws: InstrumentError.self) { try batch.render([item(60)]) { _ in true } }
  }
}

/// Items without end.
private struct EndlessItems: Sequence, Sendable {
  let item: @Sendable (UInt8) -> BatchRenderer.Item

  func makeIterator() -> AnyIterator<BatchRenderer.Item> {
    var key: UInt8 = 0
    return AnyIterator {
      key &+= 1
      return item(key)
    }
  }
}

private final class Counter: Sendable {
  let count = Atomic(0)
}
