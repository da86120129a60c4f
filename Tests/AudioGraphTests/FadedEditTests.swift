import AudioGraph
import SynthDSP
import SynthRealtime
import Testing

/// Sines at 0.5 of full scale on the way into a 48 kHz mixer, one of which an edit changes while it plays.
///
///     edited (100 Hz) ──► mixer, left only ──► output
///     other ────────────► mixer, right only
@Suite("Edits that fade")
struct FadedEditTests {
  private final class TwoPaths {
    let edited: SourceNode
    let other: SourceNode
    let mixer = MixerNode(inputBusCount: 3)
    let engine = AudioEngine(sampleRate: 48000)
    let format: AudioFormat

    init(rate: Double) throws {
      format = .stereo(rate)
      edited = Self.sine("edited", format)
      other = Self.sine("other", .stereo(48000))
      mixer.inputs[0].pan.value = -1
      mixer.inputs[1].pan.value = 1
      mixer.inputs[2].pan.value = -1
      let output = try OutputNode(channelCount: 2)
      try engine.edit { graph in
        for node in [edited, other, mixer, output] as [any AudioNode] { try graph.attach(node) }
        try graph.connect(edited, to: mixer)
        try graph.connect(other, to: mixer, toBus: 1)
        try graph.connect(mixer, to: output)
      }
    }

    /// - Parameter phase: in milliseconds.
    static func sine(_ name: String, _ format: AudioFormat, phase: Double = 0) -> SourceNode {
      SourceNode(name: name, format: format) { request in
        for frame in 0..<request.frameCount {
          let time = Double(request.sampleTime + Int64(frame)) / format.sampleRate
          for channel in 0..<format.channelCount {
            request.buffers[channel][frame] = 0.5 * SineSource.value(at: 0.1 * (time + phase / 1000))
          }
        }
      }
    }
  }

  enum Change: String, CaseIterable {
    case equalizerInserted, equalizerRemoved, callbackSwapped, connected, disconnected, mapped, mono
  }

  /// 0.5 at 100 Hz goes up by 0.00654 per frame at most. A fade from one sine to another, 1 apart at most, adds a
  /// 480th; the equalizer adds as much as its gain.
  private func steepest(_ change: Change) -> Float {
    switch change {
    case .equalizerInserted, .equalizerRemoved: 0.00655 * 2 + 1 / 480
    case .connected: 2 * 0.00655 + 0.5 / 480
    case .disconnected, .mono: 0.00655 + 0.5 / 480
    case .callbackSwapped, .mapped: 0.00655 + 1.0 / 480
    }
  }

  /// What the change needs before, and the change.
  private func edits(_ change: Change, _ paths: TwoPaths) throws -> [(inout Graph) throws -> Void] {
    let (edited, mixer) = (paths.edited, paths.mixer)
    let curve = try EqualizerCurve(gains: [0, 6, 6, 6, 0, 0, 0, 0, 0, 0])
    let equalizer = EqualizerNode(curve: curve)
    let insert: (inout Graph) throws -> Void = { graph in
      try graph.attach(equalizer)
      try graph.disconnect(input: mixer)
      try graph.connect(edited, to: equalizer)
      try graph.connect(equalizer, to: mixer)
    }
    let remove: (inout Graph) throws -> Void = { graph in
      try graph.detach(equalizer)
      try graph.connect(edited, to: mixer)
    }
    switch change {
    case .equalizerInserted: return [{ _ in }, insert]
    case .equalizerRemoved: return [insert, remove]
    case .callbackSwapped:
      let opposite = TwoPaths.sine("opposite", paths.format, phase: 5)
      return [{ _ in }, { try $0.replace(edited, with: opposite) }]
    case .connected:
      let added = TwoPaths.sine("added", paths.format)
      return [
        { _ in },
        { graph in
          try graph.attach(added)
          try graph.connect(added, to: mixer, toBus: 2)
        },
      ]
    case .disconnected: return [{ _ in }, { try $0.disconnect(input: mixer) }]
    case .mapped:
      // Nothing of the two channels is common, but the fade is before the device.
      let silent = try OutputNode(channelCount: 2, channelMap: ChannelMap([-1, 1]))
      return [{ _ in }, { graph in try graph.replace(graph.nodes[3], with: silent) }]
    case .mono:
      let mono = TwoPaths.sine("mono", .mono(paths.format.sampleRate))
      return [{ _ in }, { try $0.replace(edited, with: mono) }]
    }
  }

  private func render(_ change: Change, rate: Double, _ transition: EditTransition) throws -> [[Float]] {
    let paths = try TwoPaths(rate: rate)
    let edits = try edits(change, paths)
    try paths.engine.edit(transition: .exact, edits[0])
    var samples = paths.engine.render(4800)
    // At 100 Hz a quarter of a period after a zero: where a cut is worst.
    samples = zip(samples, paths.engine.render(120)).map { $0 + $1 }
    try paths.engine.edit(transition: transition, edits[1])
    return zip(samples, paths.engine.render(9600)).map { $0 + $1 }
  }

  private func largestStep(_ samples: ArraySlice<Float>) -> Float {
    zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? 0
  }

  @Test(
    "no step above the signal's own, no silent frames, and the other path keeps every bit",
    arguments: Change.allCases, [48000, 44100.0])
  func click(change: Change, rate: Double) throws {
    let samples = try render(change, rate: rate, .faded)
    let undisturbed = try TwoPaths(rate: rate).engine.render(14_520)
    #expect(samples[1] == undisturbed[1])
    if change != .equalizerRemoved {
      #expect(samples[0].prefix(4928) == undisturbed[0].prefix(4928), "before the quantum of the edit nothing changes")
    }
    #expect(largestStep(samples[0][4000...]) <= steepest(change))
    guard change != .mono else { return }
    guard change != .disconnected, change != .mapped else {
      // It has faded out after 10 ms, and what the converter still held.
      #expect(samples[0].dropFirst(4928 + 512 + 300).allSatisfy { $0 == 0 })
      return
    }
    let silent = samples[0][4000...].split { $0 != 0 }.map(\.count).max() ?? 0
    #expect(silent <= 1)
  }

  @Test("an echo that is inserted while it sounds repeats no edge", arguments: [48000, 44100.0])
  func echo(rate: Double) throws {
    let paths = try TwoPaths(rate: rate)
    let echo = EchoNode()
    (echo.time.value, echo.mix.value) = (0.1, 100)
    // At 100 Hz a quarter of a period after a zero: where an edge is highest.
    _ = paths.engine.render(4920)
    try paths.engine.edit { graph in
      try graph.attach(echo)
      try graph.disconnect(input: paths.mixer)
      try graph.connect(paths.edited, to: echo)
      try graph.connect(echo, to: paths.mixer)
    }
    let samples = paths.engine.render(9600)[0]
    #expect(largestStep(samples[...]) <= 0.00655 + 1.0 / 480)
    #expect(samples[8000...].contains { abs($0) > 0.2 })
  }

  @Test(
    "the same edits, exact, are steps: the measure sees them",
    arguments: [Change.equalizerInserted, .callbackSwapped, .connected, .disconnected])
  func exact(change: Change) throws {
    let samples = try render(change, rate: 48000, .exact)
    #expect(largestStep(samples[0][4000...]) > 0.1)
  }

  @Test(
    "a flat equalizer inserted into a converted path changes nothing but the equalizer's rounding: no gap",
    arguments: [EditTransition.faded, .exact])
  func converterSurvives(transition: EditTransition) throws {
    let paths = try TwoPaths(rate: 44100)
    let equalizer = EqualizerNode()
    var samples = paths.engine.render(4800)[0]
    try paths.engine.edit(transition: transition) { graph in
      try graph.attach(equalizer)
      try graph.disconnect(input: paths.mixer)
      try graph.connect(paths.edited, to: equalizer)
      try graph.connect(equalizer, to: paths.mixer)
    }
    samples += paths.engine.render(4800)[0]
    let undisturbed = try TwoPaths(rate: 44100).engine.render(9600)[0]
    #expect(zip(samples, undisturbed).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  //  one ─► loud ─► quiet ─► output    becomes    one ─► quiet ─► loud ─► output
  @Test("two nodes that change places fade out and in, since neither can be rendered twice")
  func reversed() throws {
    let one = ConstantSource(1)
    try withExtendedLifetime(one) {
      let (loud, quiet) = (MixerNode(name: "loud", inputBusCount: 1), MixerNode(name: "quiet", inputBusCount: 1))
      let output = try OutputNode(channelCount: 2)
      let engine = try AudioEngine.chain(one.node, loud, quiet, output: output)
      _ = engine.render(640)
      try engine.edit { graph in
        for node in [loud, quiet, output] as [any AudioNode] { try graph.disconnect(input: node) }
        try graph.connect(one.node, to: quiet)
        try graph.connect(quiet, to: loud)
        try graph.connect(loud, to: output)
      }
      let samples = engine.render(2048)[0]
      // Three inputs change, one after the other on the path.
      #expect(largestStep(samples[...]) <= 3.0 / 480)
      #expect(samples.contains(0) && samples[0] > 0.99 && samples[2047] == 1)
    }
  }

  @Test("edits that follow each other faster than they fade take their turns, and what is taken back never sounds")
  func turns() throws {
    let sources = (0..<6).map { ConstantSource(Float($0), name: "source \($0)") }
    try withExtendedLifetime(sources) {
      let engine = try AudioEngine.chain(
        sources[0].node, MixerNode(inputBusCount: 1), output: try OutputNode(channelCount: 2))
      var samples = engine.render(64)[0]
      for (old, new) in zip(sources, sources.dropFirst()) {
        // Each but the first waits for the fade of the one before; the next takes its place.
        try engine.edit { graph in try graph.replace(old.node, with: new.node) }
        samples += engine.render(64)[0]
      }
      samples += engine.render(4800)[0]
      #expect(largestStep(samples[...]) <= 5.0 / 480)
      #expect(samples.last == 5)
      #expect(try engine.collect())
      // All have come home, so another engine may have them.
      let other = AudioEngine(sampleRate: 48000)
      try other.edit { graph in
        for source in sources.prefix(5) { try graph.attach(source.node) }
        try graph.attach(try OutputNode(channelCount: 2))
      }
    }
  }

  @Test("what fades out is not free until it has, and comes back as new")
  func leaving() throws {
    let one = ConstantSource(1)
    try withExtendedLifetime(one) {
      let (delay, mixer) = (try DelayNode(delay: 0.05), MixerNode(inputBusCount: 1))
      let engine = try AudioEngine.chain(one.node, delay, mixer, output: try OutputNode(channelCount: 2))
      _ = engine.render(4800)
      try engine.edit { graph in try graph.disconnect(input: mixer) }
      #expect(engine.render(64)[0].last.map { $0 > 0.5 && $0 < 1 } == true)
      #expect(try !engine.collect())
      // This edit alone has nothing to fade.
      try engine.edit { graph in try graph.detach(delay) }
      #expect(throws: GraphError.inAnotherEngine(node: "delay")) {
        try AudioEngine(sampleRate: 48000).edit { graph in
          try graph.attach(delay)
          try graph.attach(try OutputNode(channelCount: 2))
        }
      }
      try engine.edit { graph in
        try graph.attach(delay)
        try graph.connect(one.node, to: delay)
        try graph.connect(delay, to: mixer)
      }
      let samples = engine.render(4800)[0]
      // It fades out, is silent while the delay fills again, and fades in.
      #expect(samples[1000..<2000].allSatisfy { $0 == 0 } && samples[4799] == 1)
      #expect(try engine.collect())
    }
  }

  @Test("an engine that begins a new life does not fade")
  func reset() throws {
    let (one, five) = (ConstantSource(1), ConstantSource(5))
    try withExtendedLifetime((one, five)) {
      let engine = try AudioEngine.chain(one.node, output: try OutputNode(channelCount: 2))
      _ = engine.render(640)
      try engine.edit { graph in try graph.replace(one.node, with: five.node) }
      _ = engine.render(64)
      try engine.reset()
      #expect(engine.render(64)[0] == Array(repeating: 5, count: 64))
      try engine.reset()
      try engine.edit { graph in try graph.replace(five.node, with: one.node) }
      #expect(engine.render(64)[0] == Array(repeating: 1, count: 64))
    }
  }
}
