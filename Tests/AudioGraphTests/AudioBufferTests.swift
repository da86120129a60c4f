import AudioGraph
import TestSupport
import Testing

@Suite("An audio buffer")
struct AudioBufferTests {
  /// Frame f of channel c is 10 c + f.
  private let ramp = AudioBuffer(format: .stereo(10), frameCount: 5) { Float(10 * $0 + $1) }

  @Test("has format, frames and duration, and gives samples by channel and frame")
  func samples() {
    #expect(ramp.format == .stereo(10) && ramp.frameCount == 5 && ramp.duration == 0.5 && !ramp.isEmpty)
    #expect(ramp[0] == [0, 1, 2, 3, 4] && ramp[1] == [10, 11, 12, 13, 14] && ramp[1, 2] == 12)
    #expect(ramp.channels.map(Array.init) == [[0, 1, 2, 3, 4], [10, 11, 12, 13, 14]])
    #expect(ramp.span(ofChannel: 1)[4] == 14 && ramp.span(ofChannel: 1).count == 5)
    #expect("\(ramp)" == "5 frames of 10 Hz stereo" && "\(ramp[0])" == "[0.0, 1.0, 2.0, 3.0, 4.0]")
  }

  @Test("is made of silence and of arrays, of which shorter ones end in silence")
  func making() {
    #expect(AudioBuffer(format: .mono(10), frameCount: 3)[0] == [0, 0, 0])
    let uneven = AudioBuffer([[1], [2, 3], []], sampleRate: 10)
    #expect(uneven.channels == [[1, 0], [2, 3], [0, 0]])
    #expect(AudioBuffer([], sampleRate: 10).channels.isEmpty)
    #expect(throws: CancellationError.self) {
      try AudioBuffer(format: .mono(10), frameCount: 3) { _, _ in throw CancellationError() }
    }
  }

  @Test("has levels")
  func levels() {
    let buffer = AudioBuffer([[3, -4], [0, 0]], sampleRate: 10)
    #expect(buffer[0].peak == 4 && buffer[0].rms == Float(12.5).squareRoot() && buffer[1].peak == 0 && buffer.peak == 4)
    #expect(buffer[..<0][0].peak == 0 && buffer[..<0][0].rms == 0)
  }

  @Test("is a value: a change leaves copies, channels and slices of it as they were")
  func valueSemantics() {
    var buffer = ramp
    let (channel, slice) = (buffer[0], buffer[1..<3])
    buffer[0, 1] = 7
    var span = buffer.mutableSpan(ofChannel: 1)
    span[2] = 8
    #expect(buffer[0] == [0, 7, 2, 3, 4] && buffer[1] == [10, 11, 8, 13, 14])
    #expect(ramp[0, 1] == 1 && channel == [0, 1, 2, 3, 4] && slice[0] == [1, 2] && slice[1] == [11, 12])
  }

  @Test("is sliced into buffers that count from 0, to any depth")
  func slices() {
    var slice = ramp[1...][..<3]
    #expect(slice.frameCount == 3 && slice[0] == [1, 2, 3] && slice[1...1][1] == [12] && ramp[5...].isEmpty)
    slice[1, 0] = -1
    #expect(slice[1] == [-1, 12, 13] && ramp[1, 1] == 11)
    #expect(ramp[1..<3] == AudioBuffer([[1, 2], [11, 12]], sampleRate: 10))
    #expect(ramp[1..<3] != AudioBuffer([[1, 2], [11, 12]], sampleRate: 11))
  }

  @Test("is appended to, also to itself, to a slice and to a copy")
  func appending() throws {
    var buffer = ramp[3...]
    try buffer.append(buffer)
    #expect(buffer[0] == [3, 4, 3, 4] && buffer[1] == [13, 14, 13, 14])
    var copy = buffer
    try copy.append(ramp[..<1])
    try buffer.append(ramp[2..<3])
    #expect(copy[0] == [3, 4, 3, 4, 0] && buffer[0] == [3, 4, 3, 4, 2] && ramp.frameCount == 5)
    for _ in 0..<1000 { try buffer.append(ramp) }
    #expect(
      buffer.frameCount == 5005 && buffer[1].last == 14
        && buffer[1][..<10].elementsEqual([13, 14, 13, 14, 12] + ramp[1]))
  }

  @Test("refuses to be appended to in another format")
  func otherFormat() {
    var buffer = ramp
    let error = #expect(throws: AudioBufferError.self) {
      try buffer.append(AudioBuffer(format: .mono(10), frameCount: 1))
    }
    #expect(
      error?.description
        == "appending to a buffer: it has 10 Hz stereo and what is appended 10 Hz mono; convert that with converted(to:) first"
    )
    #expect(buffer == ramp)
  }

  @Test("clamps sizes beyond measure")
  func extremes() {
    let none = AudioBuffer(format: AudioFormat(sampleRate: 10, channelCount: -1), frameCount: .min)
    #expect(none.channelCount == 0 && none.frameCount == 0)
    let all = AudioBuffer(format: AudioFormat(sampleRate: 10, channelCount: .max), frameCount: .max)
    #expect(all.channelCount == 1024 && [0, 1 << 21].contains(all.frameCount))
  }

  @Test("ends the program where a channel or a frame is not there", .timeLimit(.minutes(2)))
  func bounds() async {
    await #expect(processExitsWith: .failure) { _ = AudioBuffer(format: .stereo(10), frameCount: 5)[2] }
    await #expect(processExitsWith: .failure) { _ = AudioBuffer(format: .stereo(10), frameCount: 5)[-1, 0] }
    await #expect(processExitsWith: .failure) { _ = AudioBuffer(format: .stereo(10), frameCount: 5)[0][5] }
    await #expect(processExitsWith: .failure) { _ = AudioBuffer(format: .stereo(10), frameCount: 5)[0, -1] }
    await #expect(processExitsWith: .failure) { _ = AudioBuffer(format: .stereo(10), frameCount: 5)[0..<6] }
    await #expect(processExitsWith: .failure) {
      var buffer = AudioBuffer(format: .stereo(10), frameCount: 5)
      buffer[1, 5] = 1
    }
  }

  @Test("lends its memory to what renders slices, never more than it has")
  func renderSlices() {
    var buffer = ramp[1...]
    let copy = buffer
    let count = buffer.withRenderSlice(frameCount: 9, hostTime: 3) { slice in
      #expect(slice.hostTime == 3 && slice.channelCount == 2 && slice.channels[1][0] == 11)
      slice.channels[1][3] = 5
      return slice.frameCount
    }
    #expect(count == 4 && buffer[1] == [11, 12, 13, 5] && copy[1] == [11, 12, 13, 14])
    #expect(buffer.withRenderSlice(frameCount: -1) { $0.frameCount } == 0)
  }
}

@Suite("Rendering into a buffer")
struct BufferRenderingTests {
  private func engine() throws -> AudioEngine {
    try AudioEngine.chain(CountingSource().node, output: try OutputNode(channelCount: 2))
  }

  @Test("fills the memory that it has, and no copy of it")
  func reuse() throws {
    let engine = try engine()
    var buffer = try engine.render(frameCount: 100)
    let first = buffer
    try engine.render(into: &buffer)
    #expect(first[0].last == 99 && buffer[0].first == 100 && buffer.format == .stereo(48000))
    let before = buffer.span(ofChannel: 0).withUnsafeBufferPointer { $0.baseAddress }
    try engine.render(into: &buffer)
    #expect(buffer.span(ofChannel: 0).withUnsafeBufferPointer { $0.baseAddress } == before && buffer[1].first == -200)
  }

  @Test("is refused where the format differs, and changes nothing")
  func format() throws {
    let engine = try engine()
    var buffer = AudioBuffer(format: .stereo(44100), frameCount: 10)
    let error = #expect(throws: EngineError.self) { try engine.render(into: &buffer) }
    #expect(
      error?.description
        == "rendering into a buffer: it has 44100 Hz stereo and the engine renders 48000 Hz stereo; make it with that format"
    )
    #expect(engine.sampleTime == 0)
  }
}
