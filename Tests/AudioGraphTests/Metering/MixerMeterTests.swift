import SynthDSP
import Testing

@testable import AudioGraph

// ConstantSource(1): 1 left, 2 right ─► (0) mixer ─► output
@Suite("A mixer's meters by name")
struct MixerMeterTests {
  let mixer = MixerNode(inputBusCount: 2)
  let engine: AudioEngine
  private let one = ConstantSource(1)

  init() throws {
    engine = AudioEngine(sampleRate: 48000)
    let output = try OutputNode(channelCount: 2)
    try engine.edit { [mixer, one] graph in
      for node in [one.node, mixer, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(one.node, to: mixer)
      try graph.connect(mixer, to: output)
    }
  }

  private func value(_ name: String) throws -> PropertyValue {
    let node: any AudioNode = mixer
    return try node.property(named: name).value
  }

  @Test("tell level, held peak and clips of each input and of the output, left and right")
  func afterFaders() throws {
    mixer.inputs[0].gain.value = -20
    _ = engine.render(48000 * 4)
    #expect(try value("input 0 level") == [-20.0, -14.0])
    #expect(try value("input 0 peak") == [-20.0, -14.0])
    #expect(try value("output level") == [-20.0, -14.0] && value("output peak") == [-20.0, -14.0])
    #expect(try value("input 1 peak") == [-120.0, -120.0])
    mixer.inputs[0].gain.value = 0
    _ = engine.render(64 * 100)
    guard case .list(let clips) = try value("input 0 clips") else { return #expect(Bool(false)) }
    #expect(clips[0] == 0 && clips[1].integer ?? 0 > 64)
  }

  @Test("tell what comes before the faders, once that is asked for")
  func beforeFaders() throws {
    mixer.inputs[0].gain.value = -20
    mixer.outputGain.value = -6
    _ = engine.render(48000 * 4)
    #expect(try value("input 0 peak before fader") == [-120.0, -120.0])
    try mixer.parameter(named: "metering before faders").value = 1
    _ = engine.render(48000 * 4)
    #expect(try value("input 0 peak before fader") == [0.0, 6.0] && value("input 0 level before fader") == [0.0, 6.0])
    #expect(try value("output peak before fader") == [-20.0, -14.0] && value("output peak") == [-26.0, -20.0])
  }

  @Test("hold a peak for 1.5 s, and let it fall by 20 dB a second")
  func hold() throws {
    _ = engine.render(64 * 20)
    mixer.inputs[0].isMuted.value = 1
    _ = engine.render(48000)
    #expect(try value("input 0 peak") == [0.0, 6.0])
    _ = engine.render(48000 * 3 / 2)
    let peak = mixer.inputs[0].meter.heldPeak(0)
    #expect((-22 ... -18).contains(Decibels(amplitude: Double(peak)).value))
    #expect(mixer.inputs[0].meter.heldPeak(0) == peak, "reading changes nothing")
    _ = engine.render(48000 * 12)
    #expect(try value("input 0 peak") == [-120.0, -120.0] && mixer.inputs[0].meter.heldPeak(0) == 0)
  }

  @Test("come to rest when the input is silent, unlike one that is not fed any more")
  func silence() throws {
    _ = engine.render(64 * 20)
    try engine.edit(transition: .exact) { graph in try graph.disconnect(input: mixer, bus: 0) }
    _ = engine.render(48000 * 14)
    #expect(try value("input 0 peak") == [-120.0, -120.0] && value("input 0 level") == [-120.0, -120.0])
  }

  @Test("tell nothing while they are off")
  func off() throws {
    try mixer.parameter(named: "metering").value = 0
    _ = engine.render(48000)
    #expect(try value("input 0 level") == [-120.0, -120.0] && mixer.inputs[0].meter.rms(0) == 0)
    #expect(mixer.outputMeter.takePeak(1) == 0 && mixer.outputMeter.clipCount(1) == 0)
    try mixer.parameter(named: "metering").value = 1
    _ = engine.render(48000 * 4)
    #expect(try value("input 0 level") == [0.0, 6.0])
  }

  @Test("are observed like any property, and cannot be set")
  func observed() throws {
    let told = Told<PropertyValue>()
    let observation = try mixer.property(named: "output peak").observe { told.tell($0) }
    _ = engine.render(64 * 20)
    #expect(told.waitFor([0.0, 6.0]))
    observation.cancel()
    let error = PropertyError.measured(node: "mixer", name: "output peak")
    #expect(throws: error) { try mixer.property(named: "output peak").set([0.0, 0.0]) }
    #expect(
      "\(error)"
        == "setting output peak of mixer: it can only be read; it follows from what is played or connected")
    try engine.set("input bus count", of: mixer, to: 1)
    #expect(mixer.inputBusCount == 1)
  }
}
