import Glibc
import Synchronization
import SynthDSP
import Testing

@testable import SynthALSA

/// A sine of 1000 Hz and half amplitude on the first channel; channel n has it divided by n + 1.
private struct Sine: ~Copyable {
  let rate: Double
  let frames = Atomic(0)

  static let render: PCMRenderCallback = { context, channels, channelCount, frameCount in
    let sine = context.assumingMemoryBound(to: Sine.self)
    let start = sine.pointee.frames.load(ordering: .relaxed)
    for channel in 0..<Int(channelCount) {
      for frame in 0..<Int(frameCount) {
        let phase = 2 * Double.pi * 1000 * Double((start + frame) % Int(sine.pointee.rate)) / sine.pointee.rate
        channels[channel][frame] = Float(0.5 * sin(phase)) / Float(channel + 1)
      }
    }
    sine.pointee.frames.add(Int(frameCount), ordering: .releasing)
    return frameCount
  }
}

/// The amplitude of the 1000 Hz sine in samples of a channel, and what is left without it, in decibels below it.
private func sine(in samples: ArraySlice<Float>, rate: Double) -> (amplitude: Double, residue: Double) {
  // Whole periods, so that sine and cosine are orthogonal.
  let samples = samples.prefix(samples.count / Int(rate / 100) * Int(rate / 100))
  var (a, b, energy) = (0.0, 0.0, 0.0)
  for (index, sample) in samples.enumerated() {
    let phase = 2 * Double.pi * 1000 * Double(index) / rate
    a += Double(sample) * sin(phase)
    b += Double(sample) * cos(phase)
    energy += Double(sample) * Double(sample)
  }
  let half = Double(samples.count) / 2
  let amplitude = (a * a + b * b).squareRoot() / half
  return (amplitude, 10 * log10(max(energy - amplitude * amplitude * half, 1e-30) / (amplitude * amplitude * half)))
}

private func parameters(rate: Int, channels: Int, period: Int) -> PCMParameters {
  PCMParameters(
    device: "test", format: .float32, sampleRate: rate, askedSampleRate: nil, channelCount: channels, period: period,
    buffer: 3 * period, channelNames: [])
}

/// What a device gets of a sine that is rendered for other parameters, by channels.
private func convert(_ stream: PCMParameters, _ device: PCMParameters, frames: Int) throws -> [[Float]] {
  let source = UnsafeMutablePointer<Sine>.allocate(capacity: 1)
  source.initialize(to: Sine(rate: Double(stream.sampleRate)))
  defer { source.deallocate() }
  var converter = try StreamConverter(from: stream, to: device)
  let buffers = ChannelBuffers(channelCount: device.channelCount, frameCount: device.period)
  let position = PCMPosition()
  var channels = Array(repeating: [Float](), count: device.channelCount)
  while channels[0].count < frames {
    let count = converter.render(
      PCMSource(callback: Sine.render, context: source), into: buffers.channels, frameCount: device.period,
      position: position)
    for channel in channels.indices {
      channels[channel] += (0..<count).map { buffers.channels[channel][$0] }
    }
  }
  return channels
}

@Suite("A stream is converted for the device that replaces the first one", .timeLimit(.minutes(5)))
struct ReplacementDeviceTests {
  @Test(
    "to its rate: a sine keeps its frequency and its level",
    arguments: [(48000, 44100), (44100, 48000), (48000, 96000), (192_000, 48000)], [64, 100, 1024])
  func rates(rates: (Int, Int), period: Int) throws {
    let channels = try convert(
      parameters(rate: rates.0, channels: 2, period: 256), parameters(rate: rates.1, channels: 2, period: period),
      frames: rates.1)
    for (channel, samples) in channels.enumerated() {
      let found = sine(in: samples[2000...], rate: Double(rates.1))
      #expect(abs(found.amplitude - 0.5 / Double(channel + 1)) < 1e-4)
      #expect(found.residue < -90, "channel \(channel)")
    }
  }

  @Test(
    "to its channel count, without a sample changed where one channel becomes one",
    arguments: [
      (1, 2, [1, 1]), (1, 4, [1, 1, 0, 0]), (2, 1, [0.75]), (2, 4, [1, 0.5, 0, 0]),
      // 4.0: the surrounds are the last two channels, and join the sides at -3 dB.
      (4, 2, [1 + 1 / 3.0 * 0.5.squareRoot(), 1 / 2.0 + 1 / 4.0 * 0.5.squareRoot()]),
      (4, 1, [(1 + 1 / 2.0 + (1 / 3.0 + 1 / 4.0) * 0.5.squareRoot()) / 2]),
      // 5.1: the centre is the third channel, the surrounds are the last two.
      (6, 2, [1 + (1 / 3.0 + 1 / 5.0) * 0.5.squareRoot(), 1 / 2.0 + (1 / 3.0 + 1 / 6.0) * 0.5.squareRoot()]),
    ] as [(Int, Int, [Double])])
  func channelCounts(stream: Int, device: Int, gains: [Double]) throws {
    let channels = try convert(
      parameters(rate: 48000, channels: stream, period: 256), parameters(rate: 48000, channels: device, period: 100),
      frames: 4800)
    for (samples, gain) in zip(channels, gains) {
      let isEqual = samples.indices.allSatisfy { frame in
        abs(Double(samples[frame]) - gain * 0.5 * sin(2 * .pi * 1000 * Double(frame) / 48000)) < 1e-6
      }
      #expect(isEqual, "gain \(gain)")
    }
  }

  @Test("to its last frame")
  func end() throws {
    var converter = try StreamConverter(
      from: parameters(rate: 48000, channels: 1, period: 64), to: parameters(rate: 44100, channels: 1, period: 128))
    let buffers = ChannelBuffers(channelCount: 1, frameCount: 128)
    let left = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    left.initialize(to: 4800)
    defer { left.deallocate() }
    let callback: PCMRenderCallback = { context, channels, _, frameCount in
      let left = context.assumingMemoryBound(to: Int32.self)
      let count = min(left.pointee, frameCount)
      channels[0].update(repeating: 0.5, count: Int(count))
      left.pointee -= count
      return count
    }
    var total = 0
    while true {
      let count = converter.render(
        PCMSource(callback: callback, context: left), into: buffers.channels, frameCount: 128,
        position: PCMPosition())
      total += count
      if count < 128 { break }
    }
    #expect(total == 4410)
  }

  @Test("when the wanted device has another channel count only")
  func otherChannelCount() async {
    await #expect(processExitsWith: .success) {
      let bindings = (0..<4).map { "\($0) { slave a channel \($0) }" }.joined(separator: " ")
      let captured = try captureReplacement(
        "multi slaves.a { pcm \"null\" channels 4 } bindings { \(bindings) }", channels: 4)
      for (channel, amplitude) in [0.5, 0.25, 0, 0].enumerated() {
        let samples = stride(from: channel, to: captured.count, by: 4).map { captured[$0] }
        #expect(abs(sine(in: samples[4800...], rate: 48000).amplitude - amplitude) < 1e-3)
      }
    }
  }
}

/// Plays the sine on `null`, with two channels, until the wanted device is defined and plays instead: the samples that
/// this device was given, from its first frame on. Only for exit tests, because it changes the environment.
private func captureReplacement(_ device: String, channels: Int) throws -> [Float] {
  let home = "/tmp/alsa-home-\(getpid())"
  mkdir(home, 0o700)
  setenv("HOME", home, 1)
  var request = PCMRequest(device: "wanted", fallbacks: ["null"], channelCount: 2, sampleRate: 48000, period: 256)
  request.formats = [.float32]
  let output = try PCMOutput(request)
  #expect(output.present?.device == "null")
  let source = UnsafeMutablePointer<Sine>.allocate(capacity: 1)
  source.initialize(to: Sine(rate: 48000))
  defer { source.deallocate() }
  try output.start(Sine.render, context: source)
  let file = try #require(fopen("\(home)/.asoundrc", "w"))
  fputs(
    """
    pcm.bare { type \(device) }
    pcm.wanted { type file file '\(home)/captured' format raw slave.pcm bare }

    """, file)
  fclose(file)
  let deadline = time(nil) + 20
  while output.present?.device != "wanted", time(nil) < deadline { usleep(1000) }
  #expect(output.present?.device == "wanted")
  #expect(output.present?.channelCount == channels)
  #expect(output.parameters.channelCount == 2)
  let written = output.statistics.framesWritten
  while output.statistics.framesWritten < written + 30_000, time(nil) < deadline { usleep(1000) }
  output.stop(.drop)
  output.wait()
  let bytes = takeContents("\(home)/captured")
  unlink("\(home)/.asoundrc")
  rmdir(home)
  return stride(from: 0, to: min(bytes.count, 30_000 * channels * 4), by: 4).map { index in
    Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[index + $1]) << (8 * UInt32($1)) })
  }
}
