import SynthDSP
import Testing

@Suite("A matrix of channels")
struct ChannelMatrixTests {
  private static let minus3dB = Float(0.5).squareRoot()

  @Test(
    "is by standard the one of ITU-R BS.775 for surround sound, the mean for mono, and direct otherwise",
    arguments: [
      (1, 1, [[1]]), (1, 2, [[1], [1]]), (1, 3, [[1], [1], [0]]),
      (2, 1, [[0.5, 0.5]]), (2, 2, [[1, 0], [0, 1]]), (2, 3, [[1, 0], [0, 1], [0, 0]]),
      (3, 2, [[1, 0, 0], [0, 1, 0]]), (4, 3, [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]),
      (4, 2, [[1, 0, minus3dB, 0], [0, 1, 0, minus3dB]]),
      (6, 2, [[1, 0, minus3dB, 0, minus3dB, 0], [0, 1, minus3dB, 0, 0, minus3dB]]),
      (6, 1, [[0.5, 0.5, minus3dB, 0, minus3dB / 2, minus3dB / 2]]),
      (8, 2, [[1, 0, minus3dB, 0, minus3dB, 0, minus3dB, 0], [0, 1, minus3dB, 0, 0, minus3dB, 0, minus3dB]]),
    ] as [(Int, Int, [[Float]])])
  func standard(inputs: Int, outputs: Int, rows: [[Float]]) {
    #expect(ChannelMatrix.standardRows(from: inputs, to: outputs) == rows)
  }

  //  inputs 1, 2, 4 × [[1, 0, 0], [0, 0, 0], [1, 1, 1], [0, 0, 0.5]] → 1, 0, 7, 2
  @Test("adds the inputs of each output up, and writes nothing beyond its frames")
  func mix() {
    let matrix = ChannelMatrix([[1, 0, 0], [0, 0, 0], [1, 1, 1], [0, 0, 0.5]], inputCount: 3)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 64 * 4, alignment: 64)
    defer { memory.deallocate() }
    let samples = memory.initializeMemory(as: Float.self, repeating: -1, count: 64)
    for channel in 0..<3 { (samples + 16 * channel).update(repeating: [1, 2, 4][channel], count: 8) }
    let target = samples + 48
    for (output, value) in [Float(1), 0, 7, 2].enumerated() {
      matrix.mix(output, from: samples, stride: 16, into: target, count: 8)
      #expect((0..<16).map { target[$0] } == Array(repeating: value, count: 8) + Array(repeating: -1, count: 8))
    }
  }
}
