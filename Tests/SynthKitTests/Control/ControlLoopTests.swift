import AudioGraph
import Glibc
import SynthRealtime
import TestSupport
import Testing

@testable import SynthKit

@Suite("A control loop", .timeLimit(.minutes(5)))
struct ControlLoopTests {
  private struct Failure: Error {}

  @Test("calls all that belongs to it in order, as long as something holds, and ends at an error")
  func order() throws {
    let loop = ControlLoop()
    var calls: [Int] = []
    loop.add { calls.append(1) }
    loop.add { [unowned loop] in
      calls.append(2)
      if calls.count > 3 { throw Failure() }
      loop.hurry()
    }
    loop.add { calls.append(3) }
    try loop.run { calls.count < 2 }
    #expect(calls == [1, 2, 3])
    #expect(throws: Failure.self) { try loop.run { true } }
    #expect(calls == [1, 2, 3, 1, 2])
  }

  @Test("performs what a client on another thread asks for, and tells it of what changes")
  func clients() throws {
    let synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont]))
    let session = Session(synthesizer, output: HandOutput(sampleRate: 48000, period: 256))
    let surface = ControlSurface(SynthesizerControl(synthesizer, session: session), session: session)
    let client = try surface.connect(named: "app", as: .owner) {}
    let loop = ControlLoop()
    loop.add(surface)
    let thread = try WorkerThread(named: "client") { client.ask(.command("gain -3")) }
    defer { thread.join() }
    var news: [SurfaceNews] = []
    try loop.run {
      while let next = client.take() { news.append(next) }
      return news.count < 2
    }
    #expect(news == [.greeting(release: ""), .answer(.text("gain       −3.0 dB"), id: nil)])
  }

  @Test("waits for a descriptor that is asked for before each wait")
  func descriptors() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0 && write(ends[1], "x", 1) == 1)
    let signal = ends[0]
    defer { ends.forEach { close($0) } }
    let loop = ControlLoop()
    var (asked, isRead) = (0, false)
    loop.add(wokenBy: {
      asked += 1
      return isRead ? nil : signal
    }) {
      var byte: UInt8 = 0
      isRead = isRead || read(signal, &byte, 1) == 1
    }
    try loop.turn()
    #expect(isRead && asked == 1)
    try loop.turn()
    #expect(asked == 2)
  }
}
