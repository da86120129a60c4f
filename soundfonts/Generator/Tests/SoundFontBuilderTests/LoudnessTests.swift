// How loud the programs are beside each other.
import Glibc
import Testing

@Suite("The font's loudness")
struct LoudnessTests {
  /// Programs that play low or high parts, with the lowest key of their phrase; the others begin at middle C.
  static let lowestKeys: [Int: Int] = {
    var keys: [Int: Int] = [42: 48, 47: 48, 57: 48, 67: 48, 70: 48]
    for program in Array(32...39) + [43, 58] { keys[program] = 36 }
    for program in [8, 9, 10, 13, 14, 40, 68, 72, 73, 74, 75, 78, 79, 110, 111] { keys[program] = 72 }
    return keys
  }()

  @Test("of all instruments, programs 0 to 111, lies within 3 dB of their middle, played at velocity 80")
  func balance() throws {
    let player = try #require(FluidSynthPlayer(font: fontPath))
    let levels = (0..<112).map { program in
      player.choose(program: program)
      let level = phrase(player, from: Self.lowestKeys[program] ?? 60)
      player.silence()
      return level
    }
    let middle = levels.sorted()[56]
    for (program, level) in levels.enumerated() {
      #expect(abs(level - middle) <= 3, "program \(program) is off by \(level - middle) dB")
    }
    // Near TimGM6mb (-38.4 dB) and FluidR3 (-36.9 dB): medians of 128 programs, weighted nearly like this.
    #expect(abs(middle - -38) <= 1, "\(middle)")
  }

  /// A broken chord of quarters, the last twice as long; its loudness in decibels.
  private func phrase(_ player: FluidSynthPlayer, from key: Int) -> Double {
    var frames: [Float] = []
    for (step, length) in [(0, 0.38), (4, 0.38), (7, 0.38), (12, 0.8)] {
      player.noteOn(key + step)
      frames += player.render(seconds: length)
      player.noteOff(key + step)
      frames += player.render(seconds: 0.02)
    }
    let left = weighted(stride(from: 0, to: frames.count, by: 2).map { Double(frames[$0]) })
    let right = weighted(stride(from: 1, to: frames.count, by: 2).map { Double(frames[$0]) })
    return 10 * log10((left + right) / Double(frames.count / 2))
  }

  /// Energy after the K-weighting of ITU-R BS.1770-4, its coefficients for 48 kHz.
  private func weighted(_ frames: [Double]) -> Double {
    let sections: [(b0: Double, b1: Double, b2: Double, a1: Double, a2: Double)] = [
      (1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241, 0.73248077421585),
      (1, -2, 1, -1.99004745483398, 0.99007225036621),
    ]
    var signal = frames
    for section in sections {
      var (s1, s2) = (0.0, 0.0)
      signal = signal.map { x in
        let y = section.b0 * x + s1
        s1 = section.b1 * x - section.a1 * y + s2
        s2 = section.b2 * x - section.a2 * y
        return y
      }
    }
    return signal.reduce(0) { $0 + $1 * $1 }
  }
}
