@preconcurrency import Glibc
import SynthDSP
import Testing

@Suite("Places around a listener")
struct GeometryTests {
  private func isNear(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ limit: Float = 1e-6) -> Bool {
    let difference = a - b
    return abs(difference.x) < limit && abs(difference.y) < limit && abs(difference.z) < limit
  }

  @Test("angles at whole quarters are exact vectors")
  func quarters() {
    #expect(PolarPosition(azimuth: 0).vector == SIMD3(0, 0, -1))
    #expect(PolarPosition(azimuth: 90).vector == SIMD3(1, 0, 0))
    #expect(PolarPosition(azimuth: -90, distance: 3).vector == SIMD3(-3, 0, 0))
    #expect(PolarPosition(azimuth: 180).vector == SIMD3(0, 0, 1))
    #expect(PolarPosition(azimuth: 45, elevation: 90, distance: 2).vector == SIMD3(0, 2, 0))
  }

  @Test("a vector and its angles are the same place, in steps of 7 degrees")
  func views() {
    for azimuth in stride(from: Float(-179), to: 180, by: 7) {
      for elevation in stride(from: Float(-84), to: 90, by: 7) {
        let place = PolarPosition(azimuth: azimuth, elevation: elevation, distance: 2)
        let (a, e) = (Double(azimuth) * .pi / 180, Double(elevation) * .pi / 180)
        let exact = SIMD3<Double>(cos(e) * sin(a), sin(e), -cos(e) * cos(a)) * 2
        #expect(isNear(place.vector, SIMD3<Float>(exact)))
        let back = PolarPosition(place.vector)
        #expect(abs(back.azimuth - azimuth) < 1e-4 && abs(back.elevation - elevation) < 1e-4)
        #expect(abs(back.distance - 2) < 1e-6)
      }
    }
    #expect(PolarPosition(SIMD3(0, 0, 0)) == PolarPosition(azimuth: 0, distance: 0))
  }

  @Test("a head turned to the right has on its left what was in front")
  func turns() {
    let front = SIMD3<Float>(0, 0, -1)
    #expect(HeadRotation(yaw: 90, pitch: 0, roll: 0).seen(front) == SIMD3(-1, 0, 0))
    #expect(HeadRotation(yaw: 0, pitch: 90, roll: 0).seen(front) == SIMD3(0, -1, 0))
    // The right ear is down: what is above is on the left.
    #expect(HeadRotation(yaw: 0, pitch: 0, roll: 90).seen(SIMD3(0, 1, 0)) == SIMD3(-1, 0, 0))
    #expect(HeadRotation(yaw: 0, pitch: 0, roll: 0).seen(SIMD3(1, 2, 3)) == SIMD3(1, 2, 3))
  }

  @Test("an orientation and its two vectors are the same")
  func orientations() {
    for yaw in stride(from: Float(-170), through: 170, by: 34) {
      for pitch in stride(from: Float(-80), through: 80, by: 40) {
        for roll in stride(from: Float(-170), through: 170, by: 34) {
          let orientation = HeadOrientation(yaw: yaw, pitch: pitch, roll: roll)
          // Of any length, and not at right angles.
          let back = HeadOrientation(
            forward: orientation.forward * 3, up: orientation.up * 2 + orientation.forward)
          #expect(abs(back.yaw - yaw) < 1e-3 && abs(back.pitch - pitch) < 1e-3 && abs(back.roll - roll) < 1e-3)
        }
      }
    }
  }
}
