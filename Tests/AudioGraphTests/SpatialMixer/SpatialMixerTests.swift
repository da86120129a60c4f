import AudioGraph
@preconcurrency import Glibc
import SynthDSP
import Testing

@Suite("Spatial mixer")
struct SpatialMixerTests {
  @Test("what is in front is the input at -3 dB on both sides, and what is on the right is the input, bit for bit")
  func bits() throws {
    for (azimuth, left, right) in [(Float(0), Float(0.5).squareRoot(), Float(0.5).squareRoot()), (90, 0, 1)] {
      let scene = try TestScene(noise)
      scene.mixer.inputs[0].azimuth.value = azimuth
      let samples = scene.render(1000)
      let late = scene.mixer.latency
      #expect(late == 8)
      for frame in 0..<1000 {
        let input = frame < late ? 0 : noise(Int64(frame - late))
        #expect(samples[0][frame] == input * left && samples[1][frame] == input * right)
      }
    }
  }

  @Test("equal power obeys its formula in steps of 5 degrees")
  func equalPower() throws {
    let scene = try TestScene { _ in 1 }
    for azimuth in stride(from: -180.0, through: 180, by: 5) {
      scene.mixer.inputs[0].azimuth.value = Float(azimuth)
      let gains = scene.settle().map(Double.init)
      let side = sin(azimuth * .pi / 180)
      #expect(abs(gains[0] - max(0, (1 - side) / 2).squareRoot()) < 1e-5)
      #expect(abs(gains[1] - max(0, (1 + side) / 2).squareRoot()) < 1e-5)
    }
  }

  @Test("vector base plays each layout as its panner says", arguments: SpeakerLayout.allCases)
  func vectorBase(layout: SpeakerLayout) throws {
    let scene = try TestScene(layout: layout) { _ in 1 }
    let panner = VectorBasePanner(layout)
    let input = scene.mixer.inputs[0]
    input.render(by: .vectorBase)
    for azimuth in stride(from: Float(-180), through: 180, by: 15) {
      (input.azimuth.value, input.elevation.value) = (azimuth, azimuth / 4)
      var gains = [Float](repeating: 0, count: layout.channelCount)
      panner.pan(PolarPosition(azimuth: azimuth, elevation: azimuth / 4).vector, into: &gains)
      for (heard, gain) in zip(scene.settle(), gains) { #expect(abs(heard - gain) < 1e-5) }
    }
  }

  @Test("gains, distance and obstacles multiply")
  func levels() throws {
    let scene = try TestScene { _ in 1 }
    let input = scene.mixer.inputs[0]
    input.azimuth.value = 90
    input.gain.value = -6
    scene.mixer.outputGain.value = 3
    input.distance.value = 10
    input.rolloff.value = 0.5
    input.referenceDistance.value = 2
    input.maximumDistance.value = 100
    input.occlusion.value = 50
    input.obstruction.value = 25
    for model in DistanceModel.allCases {
      input.attenuate(by: model)
      let far = DistanceAttenuation(model, reference: 2, maximum: 100, rolloff: 0.5).amplitude(at: 10)
      let decibels = -6.0 + 3 - 6 - 3
      let expected = Double(far) * Decibels(decibels).amplitude
      #expect(abs(Double(scene.settle()[1]) - expected) < 1e-5)
    }
    input.isEnabled.value = 0
    #expect(scene.settle() == [0, 0])
  }

  @Test("angles and metres are two views of one place")
  func position() throws {
    let mixer = try SpatialMixerNode(inputBusCount: 1)
    let input = mixer.inputs[0]
    #expect(input.position == SIMD3(0, 0, -1))
    input.position = SIMD3(3, 0, 4)
    #expect(abs(input.azimuth.value - 143.1301) < 1e-3 && input.elevation.value == 0 && input.distance.value == 5)
    (input.azimuth.value, input.elevation.value, input.distance.value) = (-90, 0, 7)
    #expect(input.position == SIMD3(-7, 0, 0))
    mixer.listener.orientation = HeadOrientation(forward: SIMD3(1, 0, 0), up: SIMD3(0, 1, 0))
    #expect(mixer.listener.yaw.value == 90 && mixer.listener.pitch.value == 0 && mixer.listener.roll.value == 0)
    mixer.listener.position = SIMD3(1, 2, 3)
    #expect(mixer.listener.position == SIMD3(1, 2, 3) && mixer.listener.y.value == 2)
  }

  @Test("a listener who walks and turns hears sources where they then are; those locked to the head stay")
  func listener() throws {
    let scene = try TestScene([{ _ in 1 }, { _ in 1 }])
    let (free, locked) = (scene.mixer.inputs[0], scene.mixer.inputs[1])
    for input in [free, locked] { input.rolloff.value = 0 }
    free.position = SIMD3(0, 0, -10)
    locked.isEnabled.value = 0
    func settle() -> [Float] { scene.settle() }
    #expect(settle().allSatisfy { abs($0 - Float(0.5).squareRoot()) < 1e-6 })
    // Turned to the left, what was in front is on the right.
    scene.mixer.listener.yaw.value = -90
    #expect(abs(settle()[0]) < 1e-4 && abs(settle()[1] - 1) < 1e-6)
    // Past it, and looking ahead, it is behind; beside it, to the left.
    scene.mixer.listener.yaw.value = 0
    scene.mixer.listener.position = SIMD3(10, 0, -10)
    #expect(abs(settle()[0] - 1) < 1e-6 && abs(settle()[1]) < 1e-4)
    // On the side of the lower ear lies what is below.
    scene.mixer.listener.position = SIMD3(0, 10, -10)
    scene.mixer.listener.roll.value = 90
    #expect(abs(settle()[0]) < 1e-4 && abs(settle()[1] - 1) < 1e-6)
    free.isEnabled.value = 0
    locked.isEnabled.value = 1
    locked.isHeadLocked.value = 1
    locked.azimuth.value = -90
    #expect(settle() == [1, 0])
  }

  @Test("sound needs its time to come 34.3 m, and falls to half of its pitch as the source leaves at 171.5 m/s")
  func doppler() throws {
    let click = try TestScene { $0 == 0 ? 1 : 0 }
    let input = click.mixer.inputs[0]
    (input.azimuth.value, input.distance.value, input.rolloff.value, input.doppler.value) = (90, 34.3, 0, 1)
    let heard = click.render(6000)[1]
    // The distance is a Float: 4800 frames and 10⁻⁴.
    #expect(heard.indices.max { heard[$0] < heard[$1] } == 4808)

    let omega = 2 * Double.pi * 1000 / 48000
    let sine = try TestScene { Float(sin(omega * Double($0))) }
    let source = sine.mixer.inputs[0]
    (source.azimuth.value, source.rolloff.value, source.doppler.value) = (90, 0, 1)
    // The delay follows where the source is when its sound arrives, so the factor is 1 − 0.5.
    try sine.engine.schedule(source.distance, to: 1 + 171.5, at: 0, over: 48000)
    let samples = sine.render(48000)[1]
    let crossings = (24000..<43200).count { frame in samples[frame - 1] < 0 && samples[frame] >= 0 }
    #expect(abs(crossings - 200) <= 1)
  }

  @Test("what sounded before a long silence is not heard again as the source moves away")
  func silence() throws {
    let scene = try TestScene { $0 == 0 || $0 == 96_000 ? 1 : 0 }
    let input = scene.mixer.inputs[0]
    (input.azimuth.value, input.rolloff.value, input.doppler.value) = (90, 0, 1)
    _ = scene.render(90_000)
    input.distance.value = 342
    let heard = scene.render(60_000)[1]
    let first = try #require(heard.indices.first { abs(heard[$0]) > 1e-3 })
    // 342 m are 47,860 frames; half the sinc reads before its place.
    #expect((6000 + 47_860...6000 + 47_869).contains(first))
  }

  @Test("a channel of the mix takes the mean of stereo, and the layout's channels come out")
  func formats() throws {
    let engine = AudioEngine(sampleRate: 48000)
    let mixer = try SpatialMixerNode(inputBusCount: 1, layout: .surround51)
    let output = try OutputNode(channelCount: 6, sourceCount: 6)
    mixer.inputs[0].render(by: .vectorBase)
    try engine.edit { graph in
      let stereo = ConstantSource(1).node
      for node in [stereo, mixer, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(stereo, to: mixer)
      try graph.connect(mixer, to: output)
    }
    // Channels of 1 and 2, in front: the centre.
    let heard = engine.render(4096, channels: 6).map { $0[4095] }
    for (channel, sample) in heard.enumerated() { #expect(abs(sample - (channel == 2 ? 1.5 : 0)) < 1e-5) }
  }

  @Test("the reverb gets its share before distance and obstruction, and is that of a reverb node")
  func reverb() throws {
    let scene = try TestScene { $0 < 64 ? noise($0) : 0 }
    let input = scene.mixer.inputs[0]
    (input.reverbBlend.value, input.distance.value, input.obstruction.value) = (100, 100, 100)
    scene.mixer.setReverb(.largeHall)
    scene.mixer.reverbLevel.value = -6
    let reverb = ReverbNode(type: .mediumRoom)
    reverb.type.value = scene.mixer.reverbType.value
    reverb.time.value = ReverbType.largeHall.standardTime
    reverb.level.value = -6
    let source = SourceNode(name: "burst", format: .mono(48000)) { request in
      for frame in 0..<request.frameCount {
        let time = request.sampleTime + Int64(frame)
        request.buffers[0][frame] = time < 64 ? noise(time) : 0
      }
    }
    let alone = try AudioEngine.chain(source, reverb, output: try OutputNode(channelCount: 2))
    let (heard, expected) = (scene.render(24000), alone.render(24000))
    #expect(heard == expected && heard[0].contains { abs($0) > 1e-3 })
  }

  @Test("what cannot be is refused in one line")
  func refusals() throws {
    #expect(throws: SpatialMixerError.inputCount(0)) { try SpatialMixerNode(inputBusCount: 0) }
    #expect("\(SpatialMixerError.inputCount(300))" == "making a spatial mixer: 300 inputs; give it 1 to 256")
    let kind = try ComponentRegistry(Component.audioGraph).component(named: "spatial mixer")
    let node = try #require(try kind.make(["layout": "7.1", "input bus count": 2]) as? SpatialMixerNode)
    #expect(node.layout == .surround71 && node.inputBusCount == 2 && node.hrtf.path == HRTFSet.standardPath)
    #expect(throws: HRTFError.self) { try kind.make(["HRTF file": "/nowhere.sofa"]) }
    #expect(throws: GraphError.self) { try TestScene(sampleRate: 384_000) { _ in 0 } }
  }
}
