// Drums: modes whose pitch falls, and noise, once.
import Glibc

/// A struck skin or shell, played once from start to end.
struct Membrane {
  /// One mode: frequency in Hz, level, decay rate in nepers a second.
  struct Mode {
    var frequency: Double
    var level: Double
    var decay: Double

    init(_ frequency: Double, _ level: Double, _ decay: Double) {
      self.frequency = frequency
      self.level = level
      self.decay = decay
    }
  }

  /// One band of noise: level, decay rate in nepers a second, filters.
  struct Rattle {
    var level: Double
    var decay: Double
    var attack = 0.0005
    var filters: [Biquad]
  }

  var rate = 22_050.0
  var seconds: Double
  var modes: [Mode] = []
  /// Octaves by which the pitch starts higher, and how fast it falls (nepers a second).
  var bend = (octaves: 0.0, speed: 30.0)
  var rattles: [Rattle] = []

  func rendered(key: Int, seed: Int) -> Wave {
    let count = Int(seconds * rate)
    var frames = [Double](repeating: 0, count: count)
    for mode in modes {
      var phase = 0.0
      for i in frames.indices {
        let t = Double(i) / rate
        frames[i] += mode.level * exp(-mode.decay * t) * sin(2 * .pi * phase) * min(1, Double(i) / 8)
        phase += mode.frequency * pow(2, bend.octaves * exp(-bend.speed * t)) / rate
      }
    }
    var noise = Noise(seed: seed)
    for rattle in rattles {
      let hiss = rattle.filters.reduce(noise.signal(count)) { $0.filtered($1) }
      let scale = rattle.level / max(hiss.rms, 1e-9)
      for i in frames.indices {
        let t = Double(i) / rate
        frames[i] += scale * hiss[i] * exp(-rattle.decay * t) * min(1, t / rattle.attack)
      }
    }
    // The last tenth fades out, however slow the decay.
    for i in frames.indices { frames[i] *= min(1, Double(count - i) / Double(count) * 10) }
    return Wave(frames: frames, rate: Int(rate), key: key, loop: nil)
  }
}
