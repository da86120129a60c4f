import AudioGraph
import Foundation
import Synchronization
import SynthKit
import SynthMIDI
import TestSupport
import Testing

@Suite("A session", .timeLimit(.minutes(5)))
struct SessionTests {
  private let synthesizer: Synthesizer
  private let keyboard = VirtualSource("keyboard")
  private let recording = Recording()

  init() throws {
    // Dry, so that what sounds is the keys alone.
    synthesizer = try Synthesizer(
      SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont], reverb: nil, chorus: nil))
  }

  private func session(on output: (any OutputUnit)? = nil) -> Session {
    Session(synthesizer, output: output ?? recording.paced(), sources: [keyboard])
  }

  /// An organ, which sounds as long as its key is held.
  private func holdOrgan() {
    keyboard.send(.programChange(channel: 0, program: 19))
    keyboard.send(.noteOn(channel: 0, note: 48, velocity7: 100))
  }

  private func voices(atLeast count: Int) -> Bool {
    for _ in 0..<1000 {
      if synthesizer.instruments.activeVoiceCount >= count { return true }
      usleep(5000)
    }
    return false
  }

  @Test("has a host time in every slice, every callback and every tap")
  func hostTime() throws {
    let times = Mutex<[UInt64]>([])
    let tap = try TapNode { block in times.withLock { $0.append(block.hostTime) } }
    try synthesizer.engine.edit { [synthesizer] graph in try graph.tap(synthesizer.equalizer, with: tap) }
    let session = session()
    try session.play(try song(strike(60, ticks: 96)))
    session.wait()
    #expect(!recording.hostTimes.isEmpty && recording.hostTimes.allSatisfy { $0 > 0 })
    let tapped = times.withLock { $0 }
    #expect(!tapped.isEmpty && tapped.allSatisfy { $0 > 0 })
  }

  @Test("runs its engine: state, properties and order of steps are those of every engine")
  func state() throws {
    let (session, engine) = (session(), synthesizer.engine)
    #expect(engine.state == .stopped && !session.isPlaying)
    try session.start()
    #expect(engine.state == .running && engine.isRunning && session.isPlaying)
    #expect(throws: PropertyError.running(node: "output", name: "channel count")) {
      try engine.set("channel count", of: synthesizer.output, to: 4)
    }
    #expect(throws: EngineError.wrongState(operation: "starting", state: .running)) { try session.start() }
    try session.pause()
    #expect(engine.state == .paused && !session.isPlaying)
    #expect(throws: EngineError.wrongState(operation: "pausing", state: .paused)) { try session.pause() }
    try session.start()
    try session.stop()
    #expect(engine.state == .stopped && !session.isPlaying)
  }

  @Test("keeps its voices and the song's position in a pause, and fades out and in")
  func pause() throws {
    let session = session()
    try session.start()
    holdOrgan()
    #expect(recording.sounds())
    usleep(500_000)
    try session.pause()
    let (before, position) = (recording.left.count, session.position)
    usleep(50_000)
    #expect(recording.left.count == before && session.position == position)
    #expect(recording.left.suffix(256).allSatisfy { $0 == 0 })
    try session.start()
    #expect(recording.sounds())
    usleep(100_000)
    try session.stop()
    let left = recording.left
    let own = Recording.steepest(left[..<(before - 4800)])
    #expect(own > 0.001)
    #expect(Recording.steepest(left[(before - 4800)...]) <= 1.2 * own)
  }

  @Test("fades out: the last jump is no larger than the sound's own steps, and it ends in silence")
  func fadeOut() throws {
    let session = session()
    try session.start()
    holdOrgan()
    #expect(recording.sounds())
    usleep(500_000)
    try session.fadeOut()
    let left = recording.left
    #expect(left.last == 0 && synthesizer.engine.state == .stopped)
    let silence = try #require(left.lastIndex { $0 != 0 })
    let own = Recording.steepest(left[..<(silence - 4800)])
    #expect(own > 0.001)
    #expect(Recording.steepest(left[(silence - 4800)...]) <= 1.2 * own)
  }

  @Test("plays a song and a keyboard at once, and plays on when the song is over")
  func playAlong() throws {
    let session = session()
    // It ends with its last event.
    let tail = Tail(threshold: 2, hold: 0, maximum: 1)
    try session.play(try song(strike(60, channel: 1, ticks: 1920)), tail: tail, then: .playOn)
    #expect(voices(atLeast: 1))
    let alone = synthesizer.instruments.activeVoiceCount
    holdOrgan()
    #expect(voices(atLeast: alone + 1))
    var events: [SessionEvent] = []
    for _ in 0..<4000 where !events.contains(.songEnded) {
      usleep(5000)
      events += session.takeEvents()
    }
    #expect(events.contains(.songEnded) && session.position >= 2)
    #expect(session.isPlaying && recording.sounds())
    try session.fadeOut()
    #expect(session.takeEvents().last == .ended)
  }

  @Test("ends with its song, and tells those who wait")
  func end() async throws {
    let session = session()
    let events = session.events
    try session.play(try song(strike(60, ticks: 96)))
    for await event in events {
      #expect(event == .ended)
      break
    }
    #expect(!session.isPlaying && session.position > 0.1)
    #expect(recording.left.count == Int((session.position * 48000).rounded()))
  }

  @Test("moves to another output: a held key sounds on, and it fades out there and in here")
  func move() throws {
    let (session, other) = (session(), Recording())
    try session.start()
    holdOrgan()
    #expect(recording.sounds())
    usleep(500_000)
    let voiceCount = synthesizer.instruments.activeVoiceCount
    let next = other.paced(period: 64)
    try session.move(to: next)
    #expect(session.output === next && session.isPlaying)
    #expect(other.sounds())
    #expect(synthesizer.instruments.activeVoiceCount == voiceCount)
    usleep(100_000)
    try session.stop()
    let (old, new) = (recording.left, other.left)
    let own = Recording.steepest(old[..<(old.count - 4800)])
    #expect(own > 0.001 && new.first == 0)
    #expect(max(Recording.steepest(old.suffix(4800)), Recording.steepest(new[...])) <= 1.2 * own)
  }

  @Test("refuses an output with another rate or channel count, and plays on")
  func wrongOutput() throws {
    let session = session()
    try session.start()
    holdOrgan()
    #expect(throws: EngineError.sampleRate(engine: 48000, player: "paced output", rate: 44100)) {
      try session.move(to: PacedOutput(sampleRate: 44100))
    }
    #expect(throws: EngineError.channelCount(outputNode: 2, player: "paced output", channels: 4)) {
      try session.move(to: PacedOutput(channelCount: 4))
    }
    #expect(session.isPlaying && recording.sounds())
    try session.stop()
  }

  @Test("is one of its engine's players at a time")
  func taken() throws {
    let (first, second) = (session(), session())
    try first.start()
    #expect(throws: EngineError.wrongState(operation: "starting", state: .running)) { try second.start() }
    #expect(first.isPlaying && !second.isPlaying)
    try second.stop()
    #expect(first.isPlaying)
    try first.stop()
    try second.start()
    #expect(second.isPlaying && !first.isPlaying)
  }

  @Test("falls silent when it goes away")
  func deallocation() throws {
    let output = recording.paced()
    do {
      let session = session(on: output)
      try session.start()
      withExtendedLifetime(session) {}
    }
    #expect(!output.isRunning && synthesizer.engine.state == .stopped)
  }
}
