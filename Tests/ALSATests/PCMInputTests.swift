import Synchronization
import SynthALSA
import SynthRealtime
import TestSupport
import Testing

/// What an input has given.
private struct Take: ~Copyable {
  let frames = Atomic(0)
  let isSilent = Atomic(true)
  let firstTime = Atomic<UInt64>(0)
  let isSteady = Atomic(true)

  static let callback: PCMCaptureCallback = { context, channels, channelCount, frameCount, time in
    let take = context.assumingMemoryBound(to: Take.self)
    let before = take.pointee.frames.load(ordering: .relaxed)
    if before == 0 { take.pointee.firstTime.store(time, ordering: .relaxed) }
    let elapsed = Double(time) - Double(take.pointee.firstTime.load(ordering: .relaxed))
    // Times are those that follow from the count, to a microsecond.
    if abs(elapsed - Double(before) / 48000 * 1e9) > 1000 { take.pointee.isSteady.store(false, ordering: .relaxed) }
    for channel in 0..<Int(channelCount) {
      for frame in 0..<Int(frameCount) where channels[channel][frame] != 0 {
        take.pointee.isSilent.store(false, ordering: .relaxed)
      }
    }
    take.pointee.frames.add(Int(frameCount), ordering: .releasing)
  }
}

@Test("A device without a clock is read at the host's pace, again and again", .timeLimit(.minutes(5)))
func capturesFromNull() throws {
  let input = try PCMInput(PCMRequest(device: "null", channelCount: 3, sampleRate: 48000, period: 480))
  #expect(input.parameters.channelCount == 3 && input.parameters.sampleRate == 48000)
  #expect(input.parameters.buffer >= 4800)
  for _ in 1...2 {
    let take = Box(Take())
    let start = HostClock.now
    try input.start(Take.callback, context: take.pointer)
    #expect(throws: PCMError.self) { try input.start(Take.callback, context: take.pointer) }
    try #require(eventually { take.pointer.pointee.frames.load(ordering: .acquiring) >= 4800 })
    let elapsed = HostClock.now - start
    input.stop()
    input.wait()
    #expect(!input.isRunning)
    // Not faster than time passes.
    #expect(elapsed >= 99_000_000)
    let (isSteady, isSilent) = (
      take.pointer.pointee.isSteady.load(ordering: .relaxed), take.pointer.pointee.isSilent.load(ordering: .relaxed)
    )
    #expect(isSteady && isSilent)
  }
  #expect(input.statistics.framesLost == 0 && input.statistics.departures == 0)
}

@Test("An input that cannot be opened says so in one line, and takes the first fallback that can")
func inputErrors() throws {
  let error = #expect(throws: PCMError.self) { try PCMInput(PCMRequest(device: "hw:9")) }
  #expect(error?.cause == .noSuchDevice)
  #expect(throws: PCMError("setting up", "null", .invalid("0 channels — must be 1 to 256"))) {
    try PCMInput(PCMRequest(device: "null", channelCount: 0))
  }
  let input = try PCMInput(PCMRequest(device: "hw:9", fallbacks: ["null"]))
  #expect(input.parameters.device == "null")
}
