@preconcurrency import Glibc
import SynthDSP
import Testing

@Suite("A delay that moves")
struct MovingDelayTests {
  /// Blocks of a signal through a line, each read from one delay to the next.
  private func render(blocks: Int, longest: Int, _ delays: (Int) -> Double, _ signal: (Double) -> Double) -> [Float] {
    let table = SincTable()
    var line = MovingDelay(longestDelay: longest)
    var result: [Float] = []
    for block in 0..<blocks {
      let samples = (0..<64).map { Float(signal(Double(block * 64 + $0))) }
      line.write(samples)
      var output = [Float](repeating: .nan, count: 64)
      line.read(into: &output, from: delays(block), to: delays(block + 1), table.rows)
      result += output
    }
    return result
  }

  @Test("a whole delay gives every bit, also over the end of its memory", arguments: [8, 9, 63, 64, 65, 1000])
  func whole(delay: Int) {
    let samples = render(blocks: 100, longest: 1000, { _ in Double(delay) }, { $0 + 1 })
    for frame in 0..<6400 { #expect(samples[frame] == (frame < delay ? 0 : Float(frame - delay + 1))) }
  }

  @Test(
    "a part of a frame delays sines as exactly, with an error below -60 dB up to 0.7 of half the rate",
    arguments: [100, 1000, 8000, 16_800.0])
  func part(frequency: Double) {
    let omega = 2 * Double.pi * frequency / 48000
    for part in [0.01, 0.25, 0.5, 0.9] {
      let delay = 100 + part
      let samples = render(blocks: 60, longest: 1000, { _ in delay }, { sin(omega * $0) })
      for frame in 300..<3840 { #expect(abs(Double(samples[frame]) - sin(omega * (Double(frame) - delay))) < 1e-3) }
    }
  }

  @Test("one that moves reads each frame at its own place")
  func moving() {
    let omega = 2 * Double.pi * 1000 / 48000
    // Delays at the ends of blocks; nearer by an eighth of a frame with each.
    func delay(_ block: Int) -> Double { 900 - 8 * Double(block) }
    let samples = render(blocks: 100, longest: 1000, delay, { sin(omega * $0) })
    for frame in 1100..<6400 {
      let exact = sin(omega * (Double(frame) - (900 - Double(frame + 1) / 8)))
      #expect(abs(Double(samples[frame]) - exact) < 5e-4)
    }
  }
}
