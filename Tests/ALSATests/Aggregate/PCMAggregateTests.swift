import Glibc
import Synchronization
import SynthALSA
import Testing

/// Renders frame n of channel c as n + c / 8, in 65536ths, and ends after `length` frames.
private struct Numbered: ~Copyable {
  let length: Int
  var frames = 0

  static let render: PCMRenderCallback = { context, channels, channelCount, frameCount in
    let numbered = context.assumingMemoryBound(to: Numbered.self)
    let count = min(Int(frameCount), numbered.pointee.length - numbered.pointee.frames)
    for channel in 0..<Int(channelCount) {
      for frame in 0..<count {
        channels[channel][frame] = sample(frame: numbered.pointee.frames + frame, channel: channel)
      }
    }
    numbered.pointee.frames += count
    return Int32(count)
  }

  static func sample(frame: Int, channel: Int) -> Float { (Float(frame % 8192 + 1) + Float(channel) / 8) / 65536 }
}

private func play(_ aggregate: PCMAggregate, frames: Int) throws {
  let numbered = UnsafeMutablePointer<Numbered>.allocate(capacity: 1)
  numbered.initialize(to: Numbered(length: frames))
  defer {
    numbered.deinitialize(count: 1)
    numbered.deallocate()
  }
  try aggregate.start(Numbered.render, context: numbered)
  aggregate.wait()
  #expect(!aggregate.isRunning)
}

/// What a file of floats holds after its first silence; the file is removed.
private func takeSound(_ path: String, channels: Int) -> [Float] {
  let bytes = takeContents(path)
  let samples = stride(from: 0, to: bytes.count - 3, by: 4).map { index in
    Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[index + $1]) << (8 * UInt32($1)) })
  }
  let silence = samples.firstIndex { $0 != 0 } ?? samples.count
  return Array(samples[(silence / channels * channels)...])
}

private func request(_ path: String, channels: Int, period: Int, rate: Int = 48000) -> PCMRequest {
  PCMRequest(device: "file:'\(path)',raw", channelCount: channels, sampleRate: rate, period: period)
}

@Suite("Several devices as one", .timeLimit(.minutes(5)))
struct PCMAggregateTests {
  private let path = "/tmp/pcmaggregate-\(getpid())-\(UInt32.random(in: 0 ... .max))"

  @Test(
    "Each device gets its channels of the space, frame for frame to the last, whatever the periods are",
    arguments: [(64, 64), (256, 64), (64, 256), (100, 441)])
  func channelsKeepTheirPlaces(periods: (Int, Int)) throws {
    let aggregate = try PCMAggregate([
      request(path + "a", channels: 2, period: periods.0), request(path + "b", channels: 3, period: periods.1),
      request(path + "c", channels: 1, period: 128),
    ])
    #expect(aggregate.channelCount == 6)
    try play(aggregate, frames: 10_000)
    for (name, channels) in [("a", 0..<2), ("b", 2..<5), ("c", 5..<6)] {
      let expected = (0..<10_000).flatMap { frame in channels.map { Numbered.sample(frame: frame, channel: $0) } }
      let isEqual = takeSound(path + name, channels: channels.count) == expected
      #expect(isEqual, "device \(name)")
    }
  }

  @Test("The same devices can be started again, and the next stream is whole, too")
  func startsAgain() throws {
    let aggregate = try PCMAggregate([
      request(path + "a", channels: 1, period: 64), request(path + "b", channels: 1, period: 64),
    ])
    for _ in 0..<3 { try play(aggregate, frames: 3000) }
    let sound = takeSound(path + "b", channels: 1).filter { $0 != 0 }
    let expected = (0..<3000).map { Numbered.sample(frame: $0, channel: 1) }
    #expect(sound == expected + expected + expected)
    _ = takeContents(path + "a")
  }

  @Test("One device alone is asked for its frames by nothing but the callback")
  func oneAlone() throws {
    let aggregate = try PCMAggregate([request(path + "a", channels: 2, period: 64)])
    #expect(aggregate.channelCount == 2)
    #expect(aggregate.drifts.isEmpty)
    try play(aggregate, frames: 1000)
    #expect(takeContents(path + "a").count == 1000 * 8)
  }

  @Test("Stops when told to while the devices play, by draining and by dropping", arguments: [PCMStop.drain, .drop])
  func stops(how: PCMStop) throws {
    let aggregate = try PCMAggregate([PCMRequest(device: "null"), PCMRequest(device: "null")])
    let numbered = UnsafeMutablePointer<Numbered>.allocate(capacity: 1)
    numbered.initialize(to: Numbered(length: .max))
    defer { numbered.deallocate() }
    try aggregate.start(Numbered.render, context: numbered)
    #expect(aggregate.isRunning)
    #expect(throws: PCMError.self) { try aggregate.start(Numbered.render, context: numbered) }
    usleep(20_000)
    aggregate.stop(how)
    aggregate.wait()
    #expect(!aggregate.isRunning)
  }

  @Test("Without a device, or with one that is not there, it says so")
  func refuses() {
    #expect(throws: PCMError.self) { try PCMAggregate([]) }
    let error = #expect(throws: PCMError.self) {
      try PCMAggregate([PCMRequest(device: "null"), PCMRequest(device: "hw:31")])
    }
    #expect(error?.device == "hw:31")
  }
}

@Test("A device that has another rate only is resampled: 480 frames at 48000 last as long as 441 at 44100")
func resamples() async {
  await #expect(processExitsWith: .success) {
    let path = "/tmp/pcmaggregate-\(getpid())"
    configure(
      "pcm.slow { type file file '\(path)b' format raw slave.pcm { type plug slave { pcm null rate 44100 } } }")
    let aggregate = try PCMAggregate([
      request(path + "a", channels: 1, period: 64), PCMRequest(device: "slow", channelCount: 1, sampleRate: 48000),
    ])
    #expect(aggregate.outputs[1].parameters.sampleRate == 44100)
    try play(aggregate, frames: 4800)
    // The leading silence included, 480 frames last as long as 441; the last one may begin within the stream or not.
    let (clock, follower) = (takeContents(path + "a").count / 4, takeContents(path + "b").count / 4)
    #expect(clock > 4800)
    #expect(abs(follower - clock * 441 / 480) <= 1, "\(follower) frames for \(clock)")
  }
}
