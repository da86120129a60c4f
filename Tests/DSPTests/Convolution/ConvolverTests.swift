import SynthDSP
import Testing

@Suite("A convolver")
struct ConvolverTests {
  private func noise(_ count: Int) -> [Float] { (0..<count).map { _ in Float.random(in: -1...1) } }

  /// What comes out of each output.
  private func convolve(_ paths: [Convolver.Path], _ inputs: [[Float]]) -> [[Float]] {
    var convolver = Convolver(paths)
    var outputs = [[Float]](repeating: [], count: convolver.outputCount)
    for start in stride(from: 0, to: inputs[0].count, by: Convolver.blockLength) {
      for (index, samples) in inputs.enumerated() {
        convolver.take(index, Array(samples[start..<start + Convolver.blockLength]))
      }
      convolver.process()
      for index in outputs.indices {
        var block = [Float](repeating: .nan, count: Convolver.blockLength)
        convolver.give(index, into: &block)
        outputs[index] += block
      }
      convolver.advance()
    }
    return outputs
  }

  /// As the definition says, at single frames.
  private func sample(_ frame: Int, _ sound: [Float], _ response: [Float]) -> Double {
    var sum = 0.0
    for (delay, factor) in response.enumerated() where delay <= frame {
      sum += Double(factor) * Double(sound[frame - delay])
    }
    return sum
  }

  @Test(
    "sounds as the definition says, with responses of any length",
    arguments: [1, 63, 64, 65, 1000, 2047, 2048, 2049, 3072, 3073, 7001])
  func definition(length: Int) {
    let (sound, response) = (noise(16_384), noise(length))
    let output = convolve([Convolver.Path(from: 0, to: 0, response)], [sound])[0]
    for frame in Array(stride(from: 0, to: sound.count, by: 97)) + Array(2000..<2200) {
      let expected = sample(frame, sound, response)
      #expect(abs(Double(output[frame]) - expected) < 1e-4 * Double(length).squareRoot(), "\(frame)")
    }
  }

  @Test("gives a response for an impulse, at once")
  func impulse() {
    let response = noise(6000)
    let output = convolve([Convolver.Path(from: 0, to: 0, response)], [[1] + [Float](repeating: 0, count: 8191)])[0]
    #expect(zip(output, response).allSatisfy { abs($0 - $1) < 1e-5 })
    #expect(output[6000...].allSatisfy { abs($0) < 1e-5 })
  }

  @Test("leads inputs to outputs by the paths")
  func paths() {
    let (sounds, responses) = ([noise(4096), noise(4096)], (0..<4).map { _ in noise(3000) })
    let paths = (0..<4).map { Convolver.Path(from: $0 / 2, to: $0 % 2, responses[$0]) }
    let outputs = convolve(paths, sounds)
    for frame in stride(from: 0, to: 4096, by: 101) {
      for output in 0..<2 {
        let expected =
          sample(frame, sounds[0], responses[output]) + sample(frame, sounds[1], responses[2 + output])
        #expect(abs(Double(outputs[output][frame]) - expected) < 1e-2)
      }
    }
  }

  @Test("is as new after its tail", arguments: [100, 2048, 5000])
  func tail(length: Int) {
    var convolver = Convolver([Convolver.Path(from: 0, to: 0, noise(length))])
    var block = [Float](repeating: 1, count: Convolver.blockLength)
    convolver.take(0, block)
    convolver.process()
    convolver.give(0, into: &block)
    convolver.advance()
    let silence = [Float](repeating: 0, count: Convolver.blockLength)
    for _ in 0..<(convolver.tail / Convolver.blockLength + 1) {
      convolver.take(0, silence)
      convolver.process()
      convolver.give(0, into: &block)
      convolver.advance()
    }
    #expect(block.allSatisfy { $0 == 0 })
  }
}
