import SynthMIDI
import TestSupport
import Testing

@testable import SynthInstruments

@Suite("An instrument's events after a reset")
struct EventInputTests {
  private let key = MIDIMessage.noteOn(channel: 0, note: 60, velocity7: 100)

  @Test("what was played live and has not sounded never will, and what is played then does at once")
  func live() throws {
    let rack = try PlayedRack(.bare())
    rack.play(key)
    rack.play(key, after: 10_000)
    rack.play(key, after: 1_000_000)
    try rack.reset()
    #expect(rack.render(12_000).allSatisfy { $0 == 0 })
    rack.play(key)
    #expect(rack.render(640).contains { $0 != 0 })
  }

  @Test("a timeline that has not begun never does")
  func timeline() throws {
    let rack = try PlayedRack(.bare())
    let song = Song(try MIDIFile(bytes: smf(tracks: [note(60) + end(after: 480)])))
    rack.rack.events.play(Timeline(song, sampleRate: 48000))
    try rack.reset()
    #expect(rack.render(12_000).allSatisfy { $0 == 0 })
    rack.rack.events.play(Timeline(song, sampleRate: 48000))
    #expect(rack.render(640).contains { $0 != 0 })
  }

  @Test("System Exclusive messages that were never played leave their room")
  func payloads() throws {
    let rack = try PlayedRack(.bare())
    let message: [UInt8] = [0x7E, 0x7F, 0x09, 0x01]
    for _ in 0..<2 {
      for _ in 0..<32 {
        let isSent = message.withUnsafeBufferPointer { rack.rack.events.send(systemExclusive: $0, time: 1000) }
        #expect(isSent)
      }
      try rack.reset()
      _ = rack.render(64)
    }
  }
}

@Suite("Live events", .timeLimit(.minutes(2)))
struct LiveEventTests {
  private func send(_ song: ReadSong, _ note: UInt8, at time: Int64) -> Bool {
    song.input.send(MIDIEvent(time: time, message: .noteOn(channel: 0, note: note, velocity7: 100)))
  }

  @Test("come in the order of their times, those of one time in the order in which they were sent")
  func order() throws {
    let song = try ReadSong()
    for (note, time) in [(1, 48000), (2, 4800), (3, 4800), (4, 100), (5, 48000)] as [(UInt8, Int64)] {
      #expect(send(song, note, at: time))
    }
    let notes = song.read(751).map(\.description)
    #expect(notes == ["100 on 1 4", "4800 on 1 2", "4800 on 1 3", "48000 on 1 1", "48000 on 1 5"])
  }

  @Test("come in the order of their times also where thousands wait, sent in any order")
  func manyInAnyOrder() throws {
    let song = try ReadSong()
    var random = SplitMix64(seed: 1)
    let times = (0..<EventInput.liveCapacity).map { Int64($0 / 2 * 3) }.shuffled(using: &random)
    for time in times { #expect(send(song, 60, at: time)) }
    #expect(song.read(100).map(\.frame) == times.sorted())
  }

  @Test("that come late are played at once, in the order in which they were sent")
  func late() throws {
    let song = try ReadSong()
    _ = song.read(10)
    for (note, time) in [(1, 500), (2, 0), (3, 639), (4, .min)] as [(UInt8, Int64)] {
      #expect(send(song, note, at: time))
    }
    #expect(song.read(1).map(\.text) == ["on 1 1", "on 1 2", "on 1 3", "on 1 4"])
  }

  @Test("from several threads are all there, each thread's in its order")
  func threads() async throws {
    let song = try ReadSong()
    let (input, perThread) = (song.input, UInt32(EventInput.liveCapacity / 8))
    await withTaskGroup { group in
      for thread in UInt8(0)..<8 {
        group.addTask {
          for number in 0..<perThread {
            let message = MIDIMessage.noteOn(channel: thread, note: 60, velocity7: 100)
            #expect(input.send(MIDIEvent(time: 0, message: message, source: number)))
          }
        }
      }
    }
    #expect(!send(song, 60, at: 0))
    let events = song.read(1)
    #expect(events.count == EventInput.liveCapacity)
    for thread in 1...8 { #expect(events.filter { $0.text == "on \(thread) 60" }.count == Int(perThread)) }
  }

  @Test("beyond the capacity are refused, until some are played")
  func capacity() throws {
    let song = try ReadSong()
    for time in 0..<Int64(EventInput.liveCapacity) { #expect(send(song, 60, at: time)) }
    #expect(!send(song, 60, at: 0))
    _ = song.read(1)
    for _ in 0..<64 { #expect(send(song, 60, at: 5000)) }
    #expect(!send(song, 60, at: 0))
  }

  @Test("are dropped by a reset though they have reached the instrument, and leave their room")
  func reset() throws {
    let rack = try PlayedRack(.bare())
    for _ in 0..<3 {
      for _ in 0..<EventInput.liveCapacity {
        #expect(rack.rack.events.send(MIDIEvent(time: 100_000, message: .pitchBend(channel: 0, bend14: 0))))
      }
      _ = rack.render(64)
      try rack.reset()
      _ = rack.render(64)
    }
  }
}

@Suite("A song that is stopped")
struct SongStopTests {
  // The second note begins at 48000; nothing ends either.
  private func playing() throws -> ReadSong {
    let song = try ReadSong(note(60), note(62, after: 960))
    song.input.play(song.timeline)
    return song
  }

  @Test("releases what it holds at once, and plays no more; what is played live sounds on")
  func release() throws {
    let song = try playing()
    _ = song.input.send(MIDIEvent(time: 64, message: .noteOn(channel: 1, note: 70, velocity7: 100)))
    #expect(song.read(10).map(\.text) == ["on 1 60", "on 2 70"])
    song.input.stop()
    #expect(song.input.timeline == nil)
    #expect(song.read(3000).map(\.description) == ["640 off 1 60"])
    #expect(song.input.clock.end(ofSong: song.input.clock.song) <= 640)
  }

  @Test("lets another begin")
  func another() throws {
    let song = try playing()
    _ = song.read(10)
    song.input.stop()
    _ = song.read(1)
    song.input.play(song.timeline)
    #expect(song.read(1).map(\.text) == ["on 1 60"])
  }

  @Test("ends though another had been sent in its place that has not begun, and that never does")
  func replaced() throws {
    let song = try playing()
    _ = song.read(10)
    song.input.play(song.timeline, from: 96000)
    song.input.stop()
    #expect(song.read(3000).map(\.text).filter { $0.hasPrefix("on") }.isEmpty)
  }

  @Test("takes what is queued with it, and goes round no loop")
  func queued() throws {
    let song = try playing()
    _ = song.input.queue(song.timeline)
    _ = song.input.repeatPassage(TimelineLoop(start: 0, end: 48000))
    _ = song.read(10)
    song.input.stop()
    #expect(!song.input.hasQueuedSong)
    #expect(song.read(3000).map(\.text) == ["off 1 60"])
  }
}
