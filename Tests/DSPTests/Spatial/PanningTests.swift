@preconcurrency import Glibc
import SynthDSP
import Testing

@Suite("Panning by amplitudes")
struct PanningTests {
  private func gains(_ layout: SpeakerLayout, _ azimuth: Float, elevation: Float = 0) -> [Float] {
    let panner = VectorBasePanner(layout)
    var gains = [Float](repeating: .nan, count: layout.channelCount)
    panner.pan(PolarPosition(azimuth: azimuth, elevation: elevation).vector, into: &gains)
    return gains
  }

  @Test("in the direction of a loudspeaker it sounds alone", arguments: SpeakerLayout.allCases)
  func speakers(layout: SpeakerLayout) {
    for (channel, azimuth) in layout.azimuths.enumerated() {
      guard let azimuth else { continue }
      for (other, gain) in gains(layout, azimuth).enumerated() {
        #expect(abs(gain - (other == channel ? 1 : 0)) < 1e-6)
      }
    }
  }

  @Test("between two loudspeakers their amplitudes obey the tangent law, and their powers add to 1")
  func tangentLaw() {
    // A pair as its channels, the second clockwise from the first, and their azimuths.
    let pairs: [(SpeakerLayout, Int, Int)] = [
      (.stereo, 0, 1), (.quadraphonic, 0, 1), (.quadraphonic, 1, 3), (.quadraphonic, 3, 2),
      (.surround51, 0, 2), (.surround51, 2, 1), (.surround51, 1, 5), (.surround51, 5, 4), (.surround71, 1, 7),
      (.surround71, 7, 5), (.surround71, 5, 4), (.surround71, 4, 6),
    ]
    for (layout, first, second) in pairs {
      let start = layout.azimuths[first]!
      let width = (layout.azimuths[second]! - start + 360).truncatingRemainder(dividingBy: 360)
      let half = Double(width) / 2 * .pi / 180
      for step in 0...10 {
        let place = Double(step) / 10 * 2 * half - half
        let gains = gains(layout, start + Float((place + half) * 180 / .pi)).map(Double.init)
        let ratio = (gains[second] - gains[first]) / (gains[second] + gains[first])
        #expect(abs(ratio - tan(place) / tan(half)) < 1e-5)
        #expect(abs(gains.reduce(0) { $0 + $1 * $1 } - 1) < 1e-5)
      }
    }
  }

  @Test("from everywhere powers add to 1, and low frequencies get nothing", arguments: SpeakerLayout.allCases)
  func power(layout: SpeakerLayout) {
    for azimuth in stride(from: Float(-180), through: 180, by: 5) {
      for elevation in stride(from: Float(-90), through: 90, by: 15) {
        let gains = gains(layout, azimuth, elevation: elevation)
        #expect(abs(gains.reduce(0) { $0 + $1 * $1 } - 1) < 1e-5)
        for (channel, azimuth) in layout.azimuths.enumerated() where azimuth == nil { #expect(gains[channel] == 0) }
      }
    }
  }

  @Test("what is overhead comes from all alike; two in front mirror what is behind")
  func elsewhere() {
    #expect(gains(.quadraphonic, 20, elevation: 90).allSatisfy { abs($0 - 0.5) < 1e-6 })
    #expect(gains(.stereo, 90) == [0, 1] && gains(.stereo, -60) == [1, 0])
    for azimuth in stride(from: Float(0), through: 90, by: 10) {
      for (behind, front) in zip(gains(.stereo, 180 - azimuth), gains(.stereo, azimuth)) {
        #expect(abs(behind - front) < 1e-6)
      }
    }
  }

  @Test("equal power is by the sine of the angle to the side")
  func equalPower() {
    for azimuth in stride(from: -180.0, through: 180, by: 5) {
      for elevation in stride(from: -90.0, through: 90, by: 10) {
        let place = PolarPosition(azimuth: Float(azimuth), elevation: Float(elevation))
        let (left, right) = equalPowerAmplitudes(place.vector)
        let side = sin(azimuth * .pi / 180) * cos(elevation * .pi / 180)
        #expect(abs(Double(left) - max(0, (1 - side) / 2).squareRoot()) < 1e-6)
        #expect(abs(Double(right) - max(0, (1 + side) / 2).squareRoot()) < 1e-6)
      }
    }
    #expect(equalPowerAmplitudes(SIMD3(1, 0, 0)) == (0, 1) && equalPowerAmplitudes(SIMD3(-1, 0, 0)) == (1, 0))
  }
}
