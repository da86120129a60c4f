import RealtimeProbes
import SynthRealtime
import Testing

@testable import SynthALSA

@Suite("The conversion for a replacement device neither allocates, locks, retains nor releases")
struct StreamConverterTests {
  /// A converter with all that it takes to render a period.
  private struct Device: ~Copyable {
    var converter: StreamConverter
    let buffers: ChannelBuffers
    let position = PCMPosition()

    init(from stream: PCMParameters, to device: PCMParameters) throws {
      converter = try StreamConverter(from: stream, to: device)
      buffers = ChannelBuffers(channelCount: device.channelCount, frameCount: device.period)
    }

    mutating func render(_ frameCount: Int) {
      let source = PCMSource(
        callback: { _, channels, channelCount, frameCount in
          for channel in 0..<Int(channelCount) { channels[channel].update(repeating: 0.5, count: Int(frameCount)) }
          return frameCount
        }, context: buffers.channels)
      _ = converter.render(source, into: buffers.channels, frameCount: frameCount, position: position)
    }

    static let entry: RenderFunction = { device, _ in
      device.assumingMemoryBound(to: Device.self).pointee.render(256)
    }
  }

  @Test(arguments: [(48000, 2), (48000, 1), (44100, 2), (96000, 4)])
  func isRealtimeSafe(rate: Int, channels: Int) throws {
    let device = Box(
      try Device(from: parameters(rate: 48000, channels: 2), to: parameters(rate: rate, channels: channels)))
    Device.entry(device.pointer, device.pointer)
    var violations = Violations()
    for _ in 0..<50 { violations.formUnion(RealtimeProbe.measure(Device.entry, device.pointer)) }
    #expect(violations.isEmpty, "\(violations)")
    #expect(device.pointer.pointee.buffers.channels[0][255] == 0.5 || rate != 48000)
  }

  private func parameters(rate: Int, channels: Int) -> PCMParameters {
    PCMParameters(
      device: "test", format: .float32, sampleRate: rate, askedSampleRate: nil, channelCount: channels, period: 256,
      buffer: 768,
      channelNames: [])
  }
}
