import Glibc
import Synchronization
import SynthDSP
import SynthRealtime
import TestSupport
import Testing

@Suite("A ring of frames from one thread to another", .timeLimit(.minutes(5)))
struct FrameRingTests {
  @Test("has every frame that is not in a gap as it was written, and no gap where nothing was lost")
  func gaps() {
    let ring = Box(FrameRing(channelCount: 1, minimumCapacity: 1024))
    let lost = Lost()
    let isDone = Flag()
    let producer = RunningThread {
      let samples = UnsafeMutablePointer<Float>.allocate(capacity: 100)
      defer { samples.deallocate() }
      withUnsafePointer(to: samples) { channels in
        var number = 0
        for _ in 0..<100_000 {
          for frame in 0..<100 { samples[frame] = Float((number + frame) % 1_000_000) }
          lost.add(ring.pointer.pointee.write(channels, from: 0, frameCount: 100))
          number += 100
          if number % 5000 == 0 { sched_yield() }
        }
      }
      isDone.raise()
    }
    var (next, silent, isWhole) = (0, 0, true)
    while true {
      let isLast = isDone.isRaised
      let end = ring.pointer.pointee.endIndex
      let gap = ring.pointer.pointee.gap(before: end)
      if gap.start <= next, next < gap.end {
        silent += gap.end - next
        next = gap.end
      } else {
        let frames = ring.pointer.pointee.frames(from: next, limit: (next < gap.start ? gap.start : end) - next)
        for frame in 0..<frames.count where frames.first[frame] != Float((next + frame) % 1_000_000) { isWhole = false }
        next += frames.count
      }
      ring.pointer.pointee.release(upTo: next)
      if isLast, next == end { break }
    }
    producer.join()
    #expect(isWhole && next == 10_000_000)
    #expect(silent <= lost.count)
  }
}

private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isRaised: Bool { value.load(ordering: .acquiring) }
  func raise() { value.store(true, ordering: .releasing) }
}

private final class Lost: Sendable {
  private let value = Atomic(0)
  var count: Int { value.load(ordering: .acquiring) }
  func add(_ count: Int) { value.add(count, ordering: .releasing) }
}
