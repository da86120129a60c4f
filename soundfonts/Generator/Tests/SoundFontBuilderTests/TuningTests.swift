// The pitch of programs, measured at their fundamentals.
import Glibc
import Testing

@Suite("The font's tuning")
struct TuningTests {
  /// Programs with a fundamental and, but for the ensembles, one voice.
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
      let pitch = 440 * pow(2, (Double(key) - 69) / 12)
      let isEnsemble = Self.ensembles.contains(program)
      let lines = spectrum(player.render(seconds: isEnsemble ? 2 : 0.25), around: pitch)
      player.silence()
      let cents = isEnsemble ? middle(of: lines) : strongest(of: lines)
      #expect(abs(cents) < 3, "program \(program) key \(key): \(cents) cents")
    }
  }

  /// Power at each cent from -60 to 60 around a pitch.
  private func spectrum(_ frames: [Float], around pitch: Double) -> [(cents: Double, power: Double)] {
    let mono = stride(from: 0, to: frames.count, by: 2).map { Double(frames[$0]) + Double(frames[$0 + 1]) }
    return stride(from: -60.0, through: 60, by: 1).map { ($0, power(mono, pitch * pow(2, $0 / 1_200))) }
  }

  private func strongest(of lines: [(cents: Double, power: Double)]) -> Double {
    lines.max { $0.power < $1.power }?.cents ?? 100
  }

  private func middle(of lines: [(cents: Double, power: Double)]) -> Double {
    lines.reduce(0) { $0 + $1.cents * $1.power } / lines.reduce(0) { $0 + $1.power }
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
