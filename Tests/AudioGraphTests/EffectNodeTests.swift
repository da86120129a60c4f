import AudioGraph
import CSynthRender
import Synchronization
import SynthRealtime
import Testing

@Suite("Effect node")
struct EffectNodeTests {
  // constant ─► effect ─► output
  @Test("a closure that multiplies is a gain, in every channel of any number", arguments: [1, 2, 5])
  func gain(channels: Int) throws {
    let source = ConstantSource(8, format: AudioFormat(sampleRate: 48000, channelCount: channels))
    let half = EffectNode { request in
      for channel in 0..<request.buffers.channelCount {
        for frame in 0..<request.frameCount { request.buffers[channel][frame] *= 0.5 }
      }
    }
    let output = try OutputNode(channelCount: channels, sourceCount: channels)
    let engine = try AudioEngine.chain(source.node, half, output: output)
    for (channel, samples) in engine.render(1000, channels: channels).enumerated() {
      #expect(samples == [Float](repeating: 4 + Float(channel) / 2, count: 1000))
    }
  }

  // counting ─► effect ─► output
  @Test("a C function that keeps a sample is a delay of one, across quanta and edits", arguments: [1, 64, 100, 1000])
  func delay(sliceSize: Int) throws {
    let last = UnsafeMutablePointer<Float>.allocate(capacity: 1)
    last.initialize(to: -1)
    defer { last.deallocate() }
    let source = CountingSource(format: .mono(48000))
    let late = EffectNode(latency: 1, tail: 1, context: UnsafeMutableRawPointer(last)) { last, request in
      let last = last.assumingMemoryBound(to: Float.self)
      let request = request.assumingMemoryBound(to: RenderRequest.self).pointee
      for frame in 0..<request.frameCount { swap(&last.pointee, &request.buffers[0][frame]) }
    }
    let engine = try AudioEngine.chain(source.node, late, output: try OutputNode(channelCount: 1, sourceCount: 1))
    #expect(engine.latency == 1)
    var samples = engine.render(1000, channels: 1, sliceSize: sliceSize)[0]
    try engine.edit { graph in try graph.attach(MixerNode(inputBusCount: 1)) }
    samples += engine.render(1000, channels: 1, sliceSize: sliceSize)[0]
    #expect(samples == (0..<2000).map { Float($0 - 1) })
  }

  // one, for 128 frames ─► effect ─► output
  @Test(
    "in silence it is called for as long as its tail says",
    arguments: [(0, 2), (1, 3), (64, 3), (65, 4), (nil, 10)] as [(Int?, Int)])
  func tail(tail: Int?, callCount: Int) throws {
    let calls = Calls()
    let source = SourceNode(format: .mono(48000)) { request in
      if request.sampleTime < 128 {
        request.buffers[0].update(repeating: 1, count: request.frameCount)
      } else {
        request.buffers.silence()
      }
    }
    let ring = EffectNode(tail: tail) { request in
      calls.note(request)
      request.buffers[0].update(repeating: 3, count: request.frameCount)
    }
    let engine = try AudioEngine.chain(source, ring, output: try OutputNode(channelCount: 1, sourceCount: 1))
    let samples = engine.render(640, channels: 1)[0]
    #expect(samples == (0..<640).map { $0 < 64 * callCount ? 3 : 0 })
    #expect(calls.all.map(\.first) == (0..<callCount).map { $0 < 2 ? 1 : 0 })
  }

  @Test("one that is not connected is given stereo silence, and may sound by itself")
  func unconnected() throws {
    let effect = EffectNode { request in
      for channel in 0..<request.buffers.channelCount { request.buffers[channel][0] = Float(channel + 1) }
    }
    let engine = try AudioEngine.chain(effect, output: try OutputNode(channelCount: 2))
    #expect(engine.render(64).map { $0[0] } == [1, 2])
  }

  @Test("what it calls silent is silent for everything after it")
  func silence() throws {
    let calls = Calls()
    let engine = try AudioEngine.chain(
      ConstantSource(1).node, EffectNode { $0.buffers.silence() }, EffectNode { calls.note($0) },
      output: try OutputNode(channelCount: 2))
    #expect(engine.render(128) == [[Float]](repeating: [Float](repeating: 0, count: 128), count: 2))
    #expect(calls.all.map(\.first) == [0, 0])
  }

  @Test("the registry makes one that passes sound on, with the latency and the tail that it is told")
  func registry() throws {
    let component = try ComponentRegistry(Component.audioGraph).component(named: "effect")
    let node = try component.make(["latency": 64, "tail": -1])
    #expect(node.latency == 64 && (node as? EffectNode)?.tail == nil)
    let engine = try AudioEngine.chain(CountingSource().node, node, output: try OutputNode(channelCount: 2))
    #expect(engine.render(200)[0] == (0..<200).map(Float.init))
  }
}

@Suite("The parameters of an effect node")
struct EffectParameterTests {
  private let level = Parameter(
    "level", unit: .decibels, range: -120...0, default: 0, precision: .frame, rampDuration: 0.02)
  private let offset = Parameter("offset", unit: .ratio, range: 0...10, default: 0, precision: .frame)

  /// one ─► effect ─► output
  private func engine(_ callback: RenderCallback) throws -> (AudioEngine, EffectNode) {
    let effect = EffectNode(parameters: [level, offset], callback)
    let engine = try AudioEngine.chain(
      ConstantSource(1).node, effect, output: try OutputNode(channelCount: 2))
    return (engine, effect)
  }

  /// Scales, then adds.
  private static let closure = RenderCallback { request in
    let (level, offset) = (request.parameter(0), request.parameter(1))
    for channel in 0..<request.buffers.channelCount {
      for frame in 0..<request.frameCount {
        request.buffers[channel][frame] = request.buffers[channel][frame] * level[frame] + offset[frame]
      }
    }
  }

  /// The same, as C has it.
  private static var kernel: RenderCallback {
    RenderCallback(
      kernel: { _, render in
        let (level, offset) = (synth_parameter(render, 0), synth_parameter(render, 1))
        for channel in 0..<render.pointee.channel_count {
          let samples = synth_channel(render, channel)
          for frame in 0..<Int(render.pointee.frame_count) {
            samples[frame] = samples[frame] * level[frame] + offset[frame]
          }
        }
      }, context: UnsafeMutableRawPointer(bitPattern: 64)!)
  }

  @Test("reach closures and kernels in C frame by frame", arguments: [1, 64, 100, 4096], [false, true])
  func frames(sliceSize: Int, isC: Bool) throws {
    let (engine, effect) = try engine(isC ? Self.kernel : Self.closure)
    #expect(try effect.parameter(named: "offset") === offset)
    try engine.schedule(level, to: -120, at: 1000, over: 500)
    try engine.schedule(offset, to: 8, at: 2001)
    let samples = engine.render(4096, sliceSize: sliceSize)
    for (channel, samples) in samples.enumerated() {
      for (frame, sample) in samples.enumerated() {
        let part = 1 - Float(min(max(0, frame - 999), 500)) / 500
        let expected = Float(channel + 1) * part + (frame < 2001 ? 0 : 8)
        #expect(abs(sample - expected) < 1e-6, "frame \(frame)")
      }
    }
  }

  @Test("are ramped when they are set at once, or jump where they have no ramp")
  func setAtOnce() throws {
    let (engine, _) = try engine(Self.closure)
    _ = engine.render(64)
    (level.value, offset.value) = (-120, 4)
    let left = engine.render(1024)[0]
    // 20 ms are 15 quanta.
    #expect(abs(left[479] - 4.5) < 1e-5 && left[958] > 4 && abs(left[959] - 4) < 1e-6)
  }

  @Test("a kernel in C is told what a closure is")
  func request() throws {
    #expect(MemoryLayout<RenderRequest>.size == MemoryLayout<synth_render>.size)
    let seen = UnsafeMutablePointer<synth_render>.allocate(capacity: 1)
    defer { seen.deallocate() }
    let callback = RenderCallback(
      kernel: { context, render in
        context.assumingMemoryBound(to: synth_render.self).initialize(to: render.pointee)
        synth_silence(render)
      }, context: UnsafeMutableRawPointer(seen))
    let effect = EffectNode(callback)
    let output = try OutputNode(channelCount: 3, sourceCount: 3)
    let source = ConstantSource(1, format: AudioFormat(sampleRate: 44100, channelCount: 3))
    let engine = try AudioEngine.chain(source.node, effect, output: output)
    let buffer = SampleBuffer(channelCount: 3, frameCapacity: 128)
    try engine.render(buffer.slice(frameCount: 128, hostTime: 7))
    #expect(seen.pointee.host_time == 7 && seen.pointee.sample_rate == 44100 && seen.pointee.channel_count == 3)
    #expect(seen.pointee.frame_count == 64 && seen.pointee.sample_time == 64 && seen.pointee.parameter_count == 0)
    #expect(buffer.channel(2, frameCount: 128).allSatisfy { $0 == 0 })
  }
}
