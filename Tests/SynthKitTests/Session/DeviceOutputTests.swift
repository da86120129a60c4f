import AudioGraph
import Foundation
import Synchronization
import SynthALSA
import SynthKit
import TestSupport
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
    let request = PCMRequest(device: "file:'\(file.path)',raw", channelCount: 2, sampleRate: 48000, period: 100)
    let engine = try engine(on: try DeviceOutput([request]))
    try engine.start()
    ramp.await()
    try engine.stop()
    let heard = try Data(contentsOf: file).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let rendered = try engine.render(frameCount: heard.count / 2).channels.map(Array.init)
    #expect(!heard.isEmpty)
    #expect((0..<2).map { channel in stride(from: channel, to: heard.count, by: 2).map { heard[$0] } } == rendered)
  }

  @Test("it takes the device's rate and channels, and goes through its life on it as often as one likes")
  func lifeCycle() throws {
    let device = try DeviceOutput("null")
    let engine = try engine(on: device)
    #expect(engine.sampleRate == Double(device.device.parameters.sampleRate) && device.name == "null")
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

  /// What a file device has been given: interleaved left and right.
  private func heard(_ file: URL) throws -> [Float] {
    try Data(contentsOf: file).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  @Test("it moves to another device while it plays: it fades out and in, and no frame is lost between the two")
  func move() throws {
    let files = (0..<2).map { FileManager.default.temporaryDirectory.appending(path: "move-\($0)-\(UUID()).raw") }
    defer { for file in files { try? FileManager.default.removeItem(at: file) } }
    let names = files.map { "file:'\($0.path)',raw" }
    let device = try DeviceOutput([PCMRequest(device: names[0], channelCount: 2, sampleRate: 48000, period: 128)])
    let engine = try engine(on: device)
    try engine.start()
    ramp.await()
    #expect(throws: PCMError.self) { try device.move(to: "hw:CARD=Nope,DEV=0") }
    try device.move(to: names[0])
    try device.move(to: names[1])
    #expect(eventually { device.device.outputs[0].statistics.moves == 1 })
    let calls = ramp.calls.load(ordering: .relaxed)
    #expect(eventually { ramp.calls.load(ordering: .relaxed) > calls + 100 })
    try engine.stop()
    #expect(device.device.outputs[0].statistics.departures == 0)
    let (first, second) = (try heard(files[0]), try heard(files[1]))
    let (end, last) = (first.count / 2, second.count / 2 - 1)
    #expect(second[2 * last] == Float(end + last) / 65536 && second[2 * last + 1] == -Float(end + last) / 65536)
    #expect(abs(first[2 * end - 2]) < 0.1 * Float(end) / 65536, "it has faded out")
    #expect(abs(second[0]) < 0.1 * Float(end) / 65536, "it fades in")
  }

  @Test("a device that was asked for while it stands still is played on from the start")
  func moveBeforeStart() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "move-\(UUID()).raw")
    defer { try? FileManager.default.removeItem(at: file) }
    let device = try DeviceOutput("null")
    let engine = try engine(on: device)
    try device.move(to: "file:'\(file.path)',raw")
    try engine.start()
    #expect(eventually { device.device.outputs[0].statistics.moves == 1 })
    try engine.stop()
    #expect(device.device.outputs[0].present?.device == "file:'\(file.path)',raw")
    #expect(throws: PCMError("moving to", "null", .invalid("several devices play as one; name all at the start"))) {
      try DeviceOutput([PCMRequest(device: "null"), PCMRequest(device: "null")]).move(to: "null")
    }
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
