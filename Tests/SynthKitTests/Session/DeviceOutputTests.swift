import ALSA
import AudioGraph
import Foundation
import Synchronization
import SynthKit
import Testing

@Suite("A device as an engine's output unit", .timeLimit(.minutes(1)))
struct DeviceOutputTests {
  /// Left is the sample time, right its negative; counts its calls and keeps the last host time.
  private final class Ramp: Sendable {
    let calls = Atomic<Int>(0)
    let hostTime = Atomic<UInt64>(0)

    func node() -> SourceNode {
      SourceNode(format: .stereo(48000)) { [self] request in
        calls.add(1, ordering: .relaxed)
        hostTime.store(request.hostTime, ordering: .relaxed)
        for frame in 0..<request.frameCount {
          request.buffers[0][frame] = Float(request.sampleTime + Int64(frame)) / 65536
          request.buffers[1][frame] = -request.buffers[0][frame]
        }
      }
    }

    /// Waits until a quantum has been asked for.
    func await() { while calls.load(ordering: .relaxed) == 0 { usleep(500) } }
  }

  private let ramp = Ramp()

  private func engine(on device: DeviceOutput) throws -> AudioEngine {
    let engine = AudioEngine(output: device)
    let (source, output) = (ramp.node(), try OutputNode(channelCount: device.channelCount))
    try engine.edit { graph in
      try graph.attach(source)
      try graph.attach(output)
      try graph.connect(source, to: output)
    }
    return engine
  }

  @Test("the device gets the samples that rendering by hand gives")
  func samples() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "device-output-\(UUID()).raw")
    defer { try? FileManager.default.removeItem(at: file) }
    let request = PCMRequest(device: "file:'\(file.path)',raw", channels: 2, rate: 48000, period: 100)
    let engine = try engine(on: try DeviceOutput([request]))
    try engine.start()
    ramp.await()
    try engine.stop()
    let heard = try Data(contentsOf: file).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let rendered = try engine.render(frameCount: heard.count / 2)
    #expect(!heard.isEmpty)
    #expect((0..<2).map { channel in stride(from: channel, to: heard.count, by: 2).map { heard[$0] } } == rendered)
  }

  @Test("it takes the device's rate and channels, and goes through its life on it as often as one likes")
  func lifeCycle() throws {
    let device = try DeviceOutput("null")
    let engine = try engine(on: device)
    #expect(engine.sampleRate == Double(device.device.parameters.rate) && device.name == "null")
    for _ in 0..<3 {
      try engine.start()
      ramp.await()
      #expect(engine.isRunning)
      try engine.pause()
      #expect(!device.isRunning)
      try engine.start()
      try engine.stop()
      #expect(!device.isRunning)
    }
    #expect(ramp.hostTime.load(ordering: .relaxed) > 0)
  }

  @Test("two engines cannot be heard on one device at once")
  func taken() throws {
    let device = try DeviceOutput("null")
    let (first, second) = (try engine(on: device), try engine(on: device))
    try first.start()
    #expect(throws: PCMError("starting", "null", .invalid("it is running already"))) { try second.start() }
    #expect(first.isRunning && second.state == .stopped)
    try first.stop()
    try second.start()
  }

  @Test("an engine that goes away falls silent")
  func deallocation() throws {
    let device = try DeviceOutput("null")
    do {
      let engine = try engine(on: device)
      try engine.start()
      ramp.await()
    }
    #expect(!device.isRunning)
  }
}
