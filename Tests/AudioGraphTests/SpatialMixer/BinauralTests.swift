import AudioGraph
@preconcurrency import Glibc
import SynthDSP
import Testing

@Suite("Sound placed by head-related transfer functions")
struct BinauralTests {
  /// What the ears hear of a click.
  private func heard(_ azimuth: Double, sampleRate: Double = 48000) throws -> EarPair {
    let scene = try TestScene(sampleRate: sampleRate) { $0 == 0 ? 1 : 0 }
    scene.mixer.inputs[0].azimuth.value = Float(azimuth)
    scene.mixer.inputs[0].render(by: .hrtf)
    let samples = scene.render(512)
    return EarPair(samples[0], samples[1], sampleRate: sampleRate)
  }

  // 128 of the 512 measured samples are kept, and in octaves where the far ear hears little the rest shows most.
  @Test(
    "differs between the ears in time and level as the measured head does, in steps of 5 degrees",
    arguments: [44100, 48000.0])
  func differences(sampleRate: Double) throws {
    let head = try MeasuredHead()
    var (worstTime, worstLevel, sum) = (0.0, 0.0, 0.0)
    for azimuth in stride(from: -180.0, to: 180, by: 5) {
      let measured = try #require(head.responses(azimuth: azimuth))
      let exact = EarPair(measured.left, measured.right, sampleRate: head.sampleRate)
      let heard = try heard(azimuth, sampleRate: sampleRate)
      worstTime = max(worstTime, abs(heard.timeDifference - exact.timeDifference))
      for (level, exactLevel) in zip(heard.levelDifferences, exact.levelDifferences) {
        worstLevel = max(worstLevel, abs(level - exactLevel))
        sum += (level - exactLevel) * (level - exactLevel) / (5 * 72)
      }
    }
    print("\(sampleRate) Hz: ITD \(worstTime * 1e6) µs, ILD by octaves \(worstLevel) dB, RMS \(sum.squareRoot()) dB")
    #expect(worstTime < 8e-6)
    #expect(worstLevel < 1.25 && sum.squareRoot() < 0.3)
  }

  @Test("between measured directions keeps its highs, and its time lies between theirs")
  func interpolation() throws {
    for azimuth in stride(from: -165.0, to: 180, by: 30) {
      let (before, after) = (try heard(azimuth), try heard(azimuth + 5))
      let between = try heard(azimuth + 2.5)
      let times = [before.timeDifference, after.timeDifference].sorted()
      #expect((times[0] - 4e-6...times[1] + 4e-6).contains(between.timeDifference))
      for (level, (a, b)) in zip(between.levels, zip(before.levels, after.levels)) {
        #expect(level > min(a, b) - 0.5 && level < max(a, b) + 0.5, "\(azimuth): \(level), \(a), \(b)")
      }
    }
  }

  @Test("is at the left ear first and louder if it is on the left")
  func sides() throws {
    let pair = try heard(-90)
    #expect((6e-4...9e-4).contains(pair.timeDifference))
    for difference in pair.levelDifferences { #expect(difference > 3) }
  }

  private static let sine: TestScene.Signal = { Float(sin(2 * Double.pi * 100 / 48000 * Double($0))) }

  /// The greatest difference of the differences between neighbours: a step of s in a smooth signal makes it s.
  private func bend(_ samples: ArraySlice<Float>) -> Float {
    let first = samples.startIndex
    return samples.indices.dropFirst(2).reduce(Float(0)) { worst, frame in
      first + 2 > frame ? worst : max(worst, abs(samples[frame] - 2 * samples[frame - 1] + samples[frame - 2]))
    }
  }

  /// The sine from a direction that stays, past every ramp.
  private func still(_ azimuth: Float) throws -> [[Float]] {
    let scene = try TestScene(Self.sine)
    scene.mixer.inputs[0].azimuth.value = azimuth
    scene.mixer.inputs[0].render(by: .hrtf)
    return scene.render(12_000)
  }

  @Test("circles in a quarter of a second without a step; cut together from 36 directions it has 36")
  func circle() throws {
    let stills = try (0..<36).map { try still(Float($0) * 10) }
    // The signal's own: that of the loudest direction.
    let own = stills.flatMap { $0 }.map { bend($0[2000...]) }.max()!
    let scene = try TestScene(Self.sine)
    let input = scene.mixer.inputs[0]
    input.render(by: .hrtf)
    _ = scene.render(6400)
    try scene.engine.schedule(input.azimuth, to: 360, at: 6400, over: 12_000)
    let moved = scene.render(16_000)
    let worst = max(bend(moved[0][...]), bend(moved[1][...]))
    let cut = (0..<2).map { ear in bend((0..<12_000).map { stills[$0 * 36 / 12_000][ear][$0] }[2000...]) }
    print("bends: own \(own), circling \(worst), cut together \(cut)")
    #expect(worst < 1.5 * own)
    #expect(cut.min()! > 20 * own)
  }

  @Test("jumps to the other side, to another algorithm, off and on along lines of 20 ms")
  func jumps() throws {
    let own = try [-90, 90].map { try still($0) }.flatMap { $0 }.map { bend($0[2000...]) }.max()!
    let scene = try TestScene(Self.sine)
    let input = scene.mixer.inputs[0]
    input.azimuth.value = -90
    input.render(by: .hrtf)
    // What was heard last: a change may begin with a step from there.
    var before = scene.render(6400)
    let changes: [() -> Void] = [
      { input.azimuth.value = 90 }, { input.render(by: .equalPower) }, { input.render(by: .hrtf) },
      { input.elevation.value = 90 }, { input.isEnabled.value = 0 }, { input.isEnabled.value = 1 },
      { input.distance.value = 0 }, { scene.mixer.listener.yaw.value = 123 }, { input.gain.value = -20 },
      { input.occlusion.value = 100 }, { input.occlusion.value = 0 }, { scene.mixer.outputGain.value = -12 },
    ]
    for (index, change) in changes.enumerated() {
      change()
      // What is off comes to rest once its line is empty.
      let samples = scene.render(index == 4 ? 160_000 : 4800)
      let worst = (0..<2).map { bend((before[$0].suffix(2) + samples[$0])[...]) }.max()!
      before = samples
      // A line begins and ends with a bend of its slope: an amplitude below 1.5 changes in 960 frames.
      #expect(worst < own + 1.5 / 960, "change \(index): \(worst), own \(own)")
    }
  }
}
