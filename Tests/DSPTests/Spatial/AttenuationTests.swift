@preconcurrency import Glibc
import SynthDSP
import Testing

@Suite("Distance and obstacles")
struct AttenuationTests {
  @Test("gains are those of OpenAL's clamped models", arguments: [Float(0), 0.5, 1, 2])
  func models(rolloff: Float) {
    let (reference, maximum) = (2.0, 50.0)
    for distance in stride(from: 0.0, through: 80, by: 0.5) {
      let d = min(max(distance, reference), maximum)
      let f = Double(rolloff)
      let exact: [DistanceModel: Double] = [
        .inverse: reference / (reference + f * (d - reference)),
        .linear: max(0, 1 - f * (d - reference) / (maximum - reference)),
        .exponential: pow(d / reference, -f),
      ]
      for model in DistanceModel.allCases {
        let attenuation = DistanceAttenuation(
          model, reference: Float(reference), maximum: Float(maximum), rolloff: rolloff)
        #expect(abs(Double(attenuation.amplitude(at: Float(distance))) - exact[model]!) < 5e-6)
      }
    }
  }

  @Test("a maximum below the reference attenuates nothing", arguments: DistanceModel.allCases)
  func order(model: DistanceModel) {
    #expect(DistanceAttenuation(model, reference: 5, maximum: 1).amplitude(at: 100) == 1)
  }

  @Test("an obstacle of 1 takes 12 dB, and 3 dB more at 500 Hz; one of a half 6 dB, and 3 dB more at 3162 Hz")
  func obstacles() {
    for (amount, cutoff) in [(Float(1), 500.0), (0.5, 3162.3)] {
      let obstacle = Obstacle(amount)
      #expect(abs(20 * log10(Double(obstacle.amplitude)) + 12 * Double(amount)) < 0.01)
      #expect(abs(Double(obstacle.cutoff) / cutoff - 1) < 1e-3)
      var filter = ObstacleFilter()
      var (power, count) = (0.0, 0)
      for block in 0..<300 {
        var samples = (0..<64).map { Float(sin(2 * .pi * cutoff / 48000 * Double(block * 64 + $0))) }
        filter.process(&samples, toward: obstacle.smoothing(sampleRate: 48000), blocks: 15)
        guard block >= 100 else { continue }
        for sample in samples { power += Double(sample * sample) }
        count += 64
      }
      #expect(abs(10 * log10(2 * power / Double(count)) + 3.01) < 0.1)
    }
  }

  @Test("no obstacle passes every bit")
  func nothing() {
    var filter = ObstacleFilter()
    let samples = (0..<64).map { Float($0) * 0.012_345 }
    var passed = samples
    filter.process(&passed, toward: Obstacle(0).smoothing(sampleRate: 48000), blocks: 15)
    #expect(passed == samples && Obstacle(0).amplitude == 1)
  }
}
