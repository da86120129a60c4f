// The pitch of the sustained programs, measured by the phase of their fundamentals.
import Glibc
import Testing

@Suite("The font's tuning")
struct TuningTests {
  /// One voice, no built-in vibrato sooner than the measurement, no doubling, a strong fundamental.
  static let programs = [
    0, 4, 6, 11, 12, 16, 19, 20, 24, 25, 33, 40, 42, 48, 52, 56, 60, 68, 71, 73, 74, 75, 79, 80, 92, 109,
  ]

  /// Many players wander by themselves; their middle shows only over a whole loop.
  static let ensembles: Set = [48, 52, 92]

  @Test("is right within three cents on white and black keys from 40 to 88", arguments: programs)
  func tuning(program: Int) throws {
    let player = try #require(FluidSynthPlayer(font: fontPath))
    player.choose(program: program)
    for key in stride(from: 40, through: 88, by: 5) {
      player.noteOn(key)
      _ = player.render(seconds: 0.1)
      let frames = player.render(seconds: Self.ensembles.contains(program) ? 2 : 0.25)
      player.silence()
      let cents = deviation(frames, from: 440 * pow(2, (Double(key) - 69) / 12))
      #expect(abs(cents) < 3, "program \(program) key \(key): \(cents) cents")
    }
  }

  /// Cents by which the strongest line near `pitch` differs from it: the spectrum's peak within a semitone, refined.
  private func deviation(_ frames: [Float], from pitch: Double) -> Double {
    let left = stride(from: 0, to: frames.count, by: 2).map { Double(frames[$0]) + Double(frames[$0 + 1]) }
    let cents = stride(from: -60.0, through: 60, by: 1).map { ($0, power(left, pitch * pow(2, $0 / 1_200))) }
    return cents.max { $0.1 < $1.1 }?.0 ?? 100
  }

  /// Power at one frequency under a Hann window.
  private func power(_ frames: [Double], _ frequency: Double) -> Double {
    let step = 2 * Double.pi * frequency / Double(FluidSynthPlayer.rate)
    let (c, s) = (cos(step), sin(step))
    var (x, y, re, im) = (1.0, 0.0, 0.0, 0.0)
    let turn = 2 * Double.pi / Double(frames.count)
    let (wc, ws) = (cos(turn), sin(turn))
    var (u, v) = (1.0, 0.0)
    for frame in frames {
      let windowed = frame * (1 - u)
      re += windowed * x
      im += windowed * y
      (x, y) = (x * c - y * s, x * s + y * c)
      (u, v) = (u * wc - v * ws, u * ws + v * wc)
    }
    return re * re + im * im
  }
}
