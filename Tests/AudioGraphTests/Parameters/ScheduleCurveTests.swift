import AudioGraph
import Glibc
import TestSupport
import Testing

/// Amplitudes frame by frame: a mix of ones.
@Suite("The curve of a scheduled change")
struct ScheduleCurveTests {
  static let sliceSizes = [1, 64, 100, 4096]

  let mixer = MixerNode(inputBusCount: 2)
  let engine: AudioEngine
  var gain: Parameter { mixer.inputs[0].gain }

  // one ─► mixer ─► output
  init() throws {
    engine = try AudioEngine.chain(ConstantSource(1).node, mixer, output: try OutputNode(channelCount: 2))
  }

  /// What the way of `curve` from one amplitude to another has after a part of it.
  private func value(_ curve: ParameterCurve, _ start: Double, _ end: Double, _ part: Double) -> Double {
    switch curve {
    case .linear: start + (end - start) * part
    case .exponential: start * pow(end / start, part)
    case .sCurve: start + (end - start) * (3 * part * part - 2 * part * part * part)
    }
  }

  @Test("is that of its formula, frame by frame", arguments: ParameterCurve.allCases, sliceSizes)
  func formula(curve: ParameterCurve, sliceSize: Int) throws {
    let (start, length) = (777, 1500)
    try engine.schedule(gain, to: -20, at: Int64(start), over: length, curve: curve)
    let left = engine.render(4096, sliceSize: sliceSize)[0]
    for (frame, sample) in left.enumerated() {
      let part = min(max(0, Double(frame - start + 1) / Double(length)), 1)
      let expected = value(curve, 1, 0.1, part)
      // A straight line is drawn in single precision.
      #expect(abs(Double(sample) - expected) < 5e-7, "frame \(frame)")
    }
    #expect(left[start - 1] == 1 && left[start] < 1 && left[start + length - 1] == left[4095])
    #expect(gain.value == -20)
  }

  @Test("that is exponential begins and ends 120 dB below the other value in place of silence")
  func silence() throws {
    try engine.schedule(gain, to: -120, at: 1000, over: 1200, curve: .exponential)
    try engine.schedule(gain, to: 0, at: 3000, over: 1200, curve: .exponential)
    let left = engine.render(5000)[0]
    // 0.1 dB a frame.
    #expect(abs(left[1599] - 1e-3) < 1e-8 && left[2198] > 0 && left[2199] == 0)
    #expect(left[2999] == 0 && left[3000] > 0 && abs(left[3599] - 1e-3) < 1e-8 && left[4199] == 1)
  }

  @Test("that is exponential is straight between values of different sign")
  func signs() throws {
    let pan = mixer.inputs[0].pan
    pan.value = -1
    _ = engine.render(4096)
    try engine.schedule(pan, to: 1, at: 4096, over: 640, curve: .exponential)
    _ = engine.render(64)
    #expect(abs(pan.reader.renderValue + 0.8) < 1e-6)
  }

  @Test("that begins amid another goes on from the value it finds")
  func takeover() throws {
    try engine.schedule(gain, to: -120, at: 0, over: 1000, curve: .sCurve)
    try engine.schedule(gain, to: 0, at: 500, over: 100, curve: .exponential)
    let left = engine.render(1000)[0]
    #expect(abs(left[499] - 0.5) < 1e-6)
    #expect(abs(left[549] - Float(0.5).squareRoot()) < 1e-6 && left[599] == 1)
  }
}

@Suite("A schedule that is taken back")
struct ScheduleCancelTests {
  let mixer = MixerNode(inputBusCount: 2)
  let engine: AudioEngine
  var gain: Parameter { mixer.inputs[0].gain }

  // one ─► mixer ─► output
  init() throws {
    engine = try AudioEngine.chain(ConstantSource(1).node, mixer, output: try OutputNode(channelCount: 2))
  }

  @Test("leaves what comes before, and holds what is under way from the very frame", arguments: [0, 1100, 1500])
  func hold(rendered: Int) throws {
    try engine.schedule(gain, to: -120, at: 1000, over: 1000)
    try engine.schedule(gain, to: 0, at: 2500, over: 0)
    var left = engine.render(rendered)[0]
    try engine.cancelSchedule(of: gain, from: 1600)
    left += engine.render(3000)[0]
    #expect(left[999] == 1 && abs(left[1099] - 0.9) < 1e-6)
    #expect(abs(left[1599] - 0.4) < 1e-6)
    #expect(left[1600...].allSatisfy { abs($0 - left[1599]) < 1e-7 })
    // 0.4 is −7.96 dB.
    #expect(abs(gain.value + 7.9588) < 1e-4)
    #expect(engine.scheduledChangeCount == 0)
  }

  @Test("does nothing to a parameter that waits, to others, and to what is scheduled afterwards")
  func others() throws {
    gain.value = -6
    try engine.schedule(gain, to: -20, at: 1000)
    try engine.schedule(mixer.outputGain, to: -3, at: 1000)
    try engine.cancelSchedule(of: gain, from: 500)
    try engine.schedule(gain, to: -12, at: 2000)
    _ = engine.render(1920)
    #expect(gain.value == -6 && mixer.outputGain.value == -3)
    _ = engine.render(1000)
    #expect(gain.value == -12)
  }

  @Test("from a time that has passed holds what is under way at once")
  func past() throws {
    try engine.schedule(gain, to: -120, at: 0, over: 1000)
    var left = engine.render(640)[0]
    try engine.cancelSchedule(of: gain, from: 10)
    left += engine.render(640)[0]
    #expect(abs(left[639] - 0.36) < 1e-6)
    #expect(left[640...].allSatisfy { abs($0 - left[639]) < 1e-7 })
  }

  @Test("keeps a value that has been reached to the bit")
  func reached() throws {
    try engine.schedule(gain, to: -7.3, at: 0, over: 64)
    _ = engine.render(64)
    try engine.cancelSchedule(of: gain, from: 64)
    _ = engine.render(64)
    #expect(gain.value == -7.3)
  }
}
