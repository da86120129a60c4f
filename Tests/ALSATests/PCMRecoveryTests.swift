import Glibc
import Testing

@testable import SynthALSA

private func parameters(period: Int, buffer: Int) -> PCMParameters {
  PCMParameters(
    device: "test", format: .float32, sampleRate: 48000, askedSampleRate: nil, channelCount: 1, period: period,
    buffer: buffer, channelNames: [])
}

@Suite("A device is worked on until there is no hope", .timeLimit(.minutes(1)))
struct PCMRecoveryTests {
  /// Whether a device is given up within 100 times of being prepared again, after `frames` and a pause each.
  private func isGivenUp(frames: Int, buffer: Int, pause: UInt32 = 0) -> Bool {
    var recovery = PCMRecovery(parameters(period: buffer / 3, buffer: buffer))
    recovery.begin()
    for _ in 0..<100 where !recovery.isHopeless {
      recovery.prepare()
      if frames > 0 { recovery.note(frames: frames) }
      if pause > 0 { usleep(pause) }
    }
    return recovery.isHopeless
  }

  @Test("one that takes no frame")
  func noFrame() { #expect(isGivenUp(frames: 0, buffer: 768)) }

  @Test("one that takes a buffer and has none of it left at once")
  func noTime() { #expect(isGivenUp(frames: 48000, buffer: 48000)) }

  @Test("but not one that plays its buffer each time before it runs empty")
  func slowMachine() { #expect(!isGivenUp(frames: 48, buffer: 48, pause: 1000)) }

  @Test("nor one that takes more than fits its buffer")
  func progress() { #expect(!isGivenUp(frames: 769, buffer: 768)) }
}

@Test("A device's delay is the most of what waited in the last windows, told at their ends, and not at the first")
func delayOfDevice() {
  var meter = PCMDelayMeter()
  let window: UInt64 = 500_000_000
  func told(_ frames: [Int], from start: UInt64) -> [Int] {
    frames.indices.compactMap { meter.note(frames[$0], at: start + UInt64($0)) }
  }
  #expect(told([100, 500, 900], from: 1) == [])
  #expect(told([400, 512, 400], from: 1 + window) == [])
  #expect(told([380, 400], from: 1 + 2 * window) == [900])
  #expect(told([380], from: 1 + 3 * window) == [512])
}

@Suite("What a lost device has not played")
struct PCMHistoryTests {
  /// Renders 1, 2, 3…, or silence.
  private struct Ramp {
    var next: Float = 1
    var isSilent = false

    static let render: PCMRenderCallback = { context, channels, channelCount, frameCount in
      let ramp = context.assumingMemoryBound(to: Ramp.self)
      for frame in 0..<Int(frameCount) {
        let sample = ramp.pointee.isSilent ? 0 : ramp.pointee.next
        for channel in 0..<Int(channelCount) { channels[channel][frame] = sample }
        if !ramp.pointee.isSilent { ramp.pointee.next += 1 }
      }
      return frameCount
    }
  }

  /// The first samples of slices that follow 10 frames, of which `unheard` are lost, and of which an absence follows.
  private func heard(
    unheard: Int, slices: [Int], repeats: Bool = true, absence: (frames: Int, isSilent: Bool)? = nil,
    goesOn: Bool = true
  ) -> [[Float]] {
    var ramp = Ramp()
    return withUnsafeMutablePointer(to: &ramp) { ramp in
      var history = PCMHistory(parameters(period: 2, buffer: 6))
      history.begin(PCMSource(callback: Ramp.render, context: ramp), repeats: repeats)
      let buffers = ChannelBuffers(channelCount: 1, frameCount: 16)
      return withUnsafeMutablePointer(to: &history) { history in
        func render(_ count: Int, _ callback: PCMRenderCallback = PCMHistory.callback) -> [Float] {
          let rendered = callback(history, buffers.channels, 1, Int32(count))
          return (0..<Int(rendered)).map { buffers.channels[0][$0] }
        }
        for _ in 0..<5 { _ = render(2) }
        history.pointee.rewind(unheard)
        if let absence {
          ramp.pointee.isSilent = absence.isSilent
          _ = render(absence.frames, PCMHistory.unheard)
          ramp.pointee.isSilent = !goesOn
        }
        return slices.map { render($0) }
      }
    }
  }

  @Test("is played again, in whole periods, and then what follows")
  func repeated() {
    #expect(heard(unheard: 4, slices: [2, 2, 2]) == [[7, 8], [9, 10], [11, 12]])
    #expect(heard(unheard: 3, slices: [3, 3]) == [[7, 8, 9], [10, 11, 12]])
    #expect(heard(unheard: 0, slices: [2]) == [[11, 12]])
  }

  @Test("is at most what was kept")
  func most() { #expect(heard(unheard: 1000, slices: [2]) == [[3, 4]]) }

  @Test("is played again after silence that nobody heard, but not after sound")
  func absence() {
    #expect(heard(unheard: 2, slices: [2, 2], absence: (5, true)) == [[9, 10], [11, 12]])
    #expect(heard(unheard: 2, slices: [2], absence: (5, false)) == [[16, 17]])
  }

  @Test("is not played again by a stream that waits for somebody when its device is back")
  func waiting() {
    #expect(heard(unheard: 2, slices: [2, 2], absence: (5, true), goesOn: false) == [[0, 0], [0, 0]])
  }

  @Test("is not played again where each frame is due at a time of its own")
  func unrepeated() { #expect(heard(unheard: 4, slices: [2], repeats: false) == [[11, 12]]) }
}
