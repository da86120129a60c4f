import TestSupport
import Testing

@testable import SynthKit

@Suite("The sample clock")
struct SampleClockTests {
  private let millisecond: UInt64 = 1_000_000

  @Test("knows no time before the first slice")
  func beforeTheFirst() {
    let clock = SampleClock(sampleRate: 1000)
    expect(clock.sampleTime(at: 0), nil)
  }

  @Test("counts a frame each millisecond at 1000 Hz, from the first slice on and before it")
  func counts() {
    let clock = SampleClock(sampleRate: 1000)
    clock.note(sampleTime: 100, hostTime: 500 * millisecond)
    expect(clock.sampleTime(at: 500 * millisecond), 100)
    expect(clock.sampleTime(at: 507 * millisecond), 107)
    expect(clock.sampleTime(at: 390 * millisecond), -10)
  }

  @Test("is not moved by slices that come late")
  func lateness() {
    let clock = SampleClock(sampleRate: 1000)
    var generator = SplitMix64(seed: 1)
    for slice in 0..<1000 as Range<UInt64> {
      // Every fourth is on time.
      let late = slice % 4 == 0 ? 0 : UInt64.random(in: 0..<20, using: &generator)
      clock.note(sampleTime: Int64(slice * 10), hostTime: (slice * 10 + late) * millisecond)
      expect(clock.sampleTime(at: slice * 10 * millisecond), Int64(slice * 10))
    }
  }

  @Test("forgets within 0.2 s that an empty buffer was filled at once")
  func filling() {
    let clock = SampleClock(sampleRate: 1000)
    for slice in 0..<3 as Range<Int64> { clock.note(sampleTime: slice * 10, hostTime: 0) }
    expect(clock.sampleTime(at: 0), 20)
    // The device plays from 1 ms on, and asks a millisecond late for each slice.
    for slice in 3..<20 as Range<Int64> {
      clock.note(sampleTime: slice * 10, hostTime: UInt64((slice - 2) * 10 + 2) * millisecond)
    }
    expect(clock.sampleTime(at: 202 * millisecond), 220)
  }

  @Test("follows a device that is 200 ppm slow within 0.2 ms")
  func drift() {
    let clock = SampleClock(sampleRate: 48000)
    for slice in 0..<20_000 as Range<Int64> {
      let frame = slice * 480
      let hostTime = UInt64(frame) * 1_000_000_000 / 48000 * 1_000_200 / 1_000_000
      clock.note(sampleTime: frame, hostTime: hostTime)
      let told = clock.sampleTime(at: hostTime) ?? -1
      #expect((frame...frame + 10).contains(told))
    }
  }

  @Test(
    "goes on at once after an interruption, and within a second after a shorter one", arguments: [20, 60, 3_600_000])
  func interruption(gap: UInt64) {
    let clock = SampleClock(sampleRate: 1000)
    for slice in 0..<100 as Range<UInt64> { clock.note(sampleTime: Int64(slice), hostTime: slice * millisecond) }
    let settling: UInt64 = gap > 50 ? 1 : 1100
    for slice in 100..<100 + settling {
      clock.note(sampleTime: Int64(slice), hostTime: (slice + gap) * millisecond)
    }
    expect(clock.sampleTime(at: (5000 + gap) * millisecond), 5000)
  }

  @Test("still counts after a year")
  func year() {
    let clock = SampleClock(sampleRate: 96000)
    let seconds: UInt64 = 365 * 24 * 3600
    clock.note(sampleTime: Int64(seconds) * 96000, hostTime: seconds * 1_000_000_000)
    expect(clock.sampleTime(at: (seconds + 1) * 1_000_000_000), Int64(seconds + 1) * 96000)
    clock.note(sampleTime: 0, hostTime: 0)
    expect(clock.sampleTime(at: seconds * 1_000_000_000), Int64(seconds) * 96000)
  }
}

/// `#expect` cannot look into what cannot be copied.
private func expect(_ told: Int64?, _ expected: Int64?) {
  #expect(told == expected)
}
