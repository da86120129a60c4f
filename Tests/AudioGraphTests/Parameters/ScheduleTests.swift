import AudioGraph
import TestSupport
import Testing

@Suite("A scheduled parameter")
struct ScheduleTests {
  let mixer = MixerNode(inputBusCount: 1)
  let one = ConstantSource(1)
  let engine: AudioEngine

  // one ─► mixer ─► output
  init() throws {
    engine = try AudioEngine.chain(one.node, mixer, output: try OutputNode(channelCount: 2))
  }

  @Test("sounds the same for every slice size", arguments: [1, 7, 64, 100, 441, 4096])
  func slices(size: Int) throws {
    func render(_ sliceSize: Int) throws -> [[Float]] {
      let mixer = MixerNode(inputBusCount: 1)
      let engine = try AudioEngine.chain(ConstantSource(1).node, mixer, output: try OutputNode(channelCount: 2))
      for (time, gain, length) in [(5000, -20, 999), (63, -6, nil), (64, 3, 0), (700, -120, 1), (2222, 0, 30)]
        as [(Int64, Float, Int?)]
      {
        try engine.schedule(mixer.inputs[0].gain, to: gain, at: time, over: length)
      }
      return engine.render(8000, sliceSize: sliceSize)
    }
    #expect(try render(size) == render(512))
  }

  @Test("of two changes at one time takes the later one, and a time that has passed is now")
  func order() throws {
    _ = engine.render(640)
    try engine.schedule(mixer.outputGain, to: -3, at: 5)
    try engine.schedule(mixer.outputGain, to: -4, at: 5)
    try engine.schedule(mixer.outputGain, to: -2, at: 4)
    _ = engine.render(1)
    #expect(mixer.outputGain.value == -4)
  }

  @Test("comes in the order of time, in whatever order it was asked for")
  func randomOrder() throws {
    var random = SplitMix64(seed: 1)
    let times = (0..<1024).map(Int64.init).shuffled(using: &random)
    // At time t, in quanta, the gain becomes −t/100 dB.
    for time in times { try engine.schedule(mixer.outputGain, to: -Float(time) / 100, at: time * 64) }
    for time in times.indices {
      _ = engine.render(64)
      #expect(mixer.outputGain.value == -Float(time) / 100)
    }
  }

  @Test("beyond the capacity is refused, until some have been carried out")
  func capacity() throws {
    let engine = AudioEngine(sampleRate: 48000, scheduleCapacity: 100)
    let mixer = MixerNode(inputBusCount: 1)
    try engine.edit { try $0.attach(mixer) }
    #expect(engine.scheduleCapacity == 100 && self.engine.scheduleCapacity == AudioEngine.standardScheduleCapacity)
    for _ in 0..<100 { try engine.schedule(mixer.outputGain, to: -1, at: 1024) }
    #expect(engine.scheduledChangeCount == 100)
    let error = ParameterError.scheduleFull(parameter: "output gain", waiting: 100, capacity: 100)
    #expect(throws: error) { try engine.schedule(mixer.outputGain, to: -1, at: 2000) }
    #expect(
      "\(error)" == "scheduling output gain: 100 changes wait already, there is room for 100; wait until some are done"
        + ", or make the engine with a larger scheduleCapacity")
    try engine.cancelSchedule(of: mixer.inputs[0].gain, from: 0)
    _ = engine.render(1000)
    #expect(throws: error) { try engine.schedule(mixer.outputGain, to: -1, at: 2000) }
    _ = engine.render(192)
    // The last one is on its way.
    #expect(engine.scheduledChangeCount == 1)
    try engine.schedule(mixer.outputGain, to: -1, at: 2000)
  }

  @Test("leaves its room and lets its parameter go at once when an engine that does not render is reset or stopped")
  func freedAtOnce() throws {
    let unit = TestOutput()
    let engine = AudioEngine(output: unit, scheduleCapacity: 10)
    try engine.edit { try $0.attach(try OutputNode(channelCount: 2)) }
    for end in [{ try engine.stop() }, { try engine.reset() }] {
      try engine.start()
      weak var freed: Parameter?
      do {
        let parameter = Parameter("one", unit: .ratio, range: 0...1, default: 0)
        freed = parameter
        let effect = EffectNode(parameters: [parameter]) { _ in }
        try engine.edit { try $0.attach(effect) }
        for time in 0..<9 { try engine.schedule(parameter, to: 1, at: Int64(time) * 1000, over: 500) }
        _ = unit.render(2200)
        try engine.schedule(parameter, to: 0, at: 9000)
        try engine.edit { try $0.detach(effect) }
      }
      try engine.pause()
      #expect(freed != nil)
      try end()
      #expect(engine.scheduledChangeCount == 0)
      #expect(freed == nil)
    }
  }

  @Test("is clamped to its range, and must be a number")
  func values() throws {
    try engine.schedule(mixer.outputGain, to: 1000, at: 0)
    #expect(throws: ParameterError.notANumber(parameter: "output gain")) {
      try engine.schedule(mixer.outputGain, to: .nan, at: 0)
    }
    _ = engine.render(1)
    #expect(mixer.outputGain.value == 24)
  }

  @Test("is dropped when the engine is reset, and what is asked for after that is not")
  func reset() throws {
    try engine.schedule(mixer.outputGain, to: -5, at: 640)
    _ = engine.render(64)
    try engine.schedule(mixer.outputGain, to: -6, at: 640)
    try engine.reset()
    try engine.schedule(mixer.inputs[0].gain, to: -7, at: 640)
    _ = engine.render(704)
    #expect(mixer.outputGain.value == 0)
    #expect(mixer.inputs[0].gain.value == -7)
  }

  @Test("is at its end at once when the engine is reset amid its ramp")
  func resetAmidRamp() throws {
    try engine.schedule(mixer.outputGain, to: -120, at: 100, over: 1_000_000)
    #expect(engine.render(640)[0][639] > 0.99)
    try engine.reset()
    #expect(mixer.outputGain.value == -120)
    #expect(engine.render(640)[0].allSatisfy { $0 == 0 })
  }

  @Test("lives until its change has come home, and no longer than the engine")
  func lifetime() throws {
    weak var due: Parameter?
    weak var waiting: Parameter?
    weak var unseen: Parameter?
    do {
      let engine = AudioEngine(sampleRate: 48000)
      do {
        let parameters = (0..<3).map { Parameter("\($0)", unit: .ratio, range: 0...1, default: 0) }
        (due, waiting, unseen) = (parameters[0], parameters[1], parameters[2])
        let effect = EffectNode(parameters: parameters) { _ in }
        try engine.edit { try $0.attach(effect) }
        try engine.schedule(parameters[0], to: 1, at: 0)
        try engine.schedule(parameters[1], to: 1, at: 64000)
        // What has begun in one quantum comes home in the next.
        _ = engine.render(128)
        try engine.schedule(parameters[2], to: 1, at: 0)
        try engine.edit { try $0.detach(effect) }
      }
      #expect(due == nil && waiting?.value == 0 && unseen?.value == 0)
    }
    #expect(waiting == nil && unseen == nil)
  }
}
