// A synthesised sound on its way to becoming a sample of the font.
import Glibc

/// Frames at a rate, with the key they sound at and the part that repeats while a note is held.
struct Wave {
  var frames: [Double]
  /// Hz.
  var rate: Int
  /// The key at which the frames play at their own rate.
  var key: Int
  /// Frames repeated until the note ends; nil plays once.
  var loop: Range<Int>?
  /// Decibels by which this wave is to be louder than its neighbours in a set.
  var tilt = 0.0

  /// Frames kept behind the loop, for interpolators that look ahead (SoundFont 2.04, 7.10 asks for eight).
  static let guardFrames = 16

  func filtered(_ filters: Biquad...) -> Wave {
    var wave = self
    for filter in filters { wave.frames = wave.frames.filtered(filter) }
    return wave
  }

  /// Soft clipping of the peak-normalised wave; `drive` 1 hardly bends it, 10 makes it square.
  func overdriven(_ drive: Double, bias: Double = 0) -> Wave {
    var wave = self
    let gain = drive / max(frames.peakLevel, 1e-9)
    wave.frames = frames.map { tanh($0 * gain + bias) - tanh(bias) }
    return wave
  }

  /// Adds noise that dies away before the loop: a hammer, a plectrum, a tongue.
  func struck(_ gain: Double, decay: Double, seed: Int, _ filters: Biquad...) -> Wave {
    var noise = Noise(seed: seed)
    var burst = noise.signal(loop?.lowerBound ?? frames.count)
    for filter in filters { burst = burst.filtered(filter) }
    let scale = gain * frames.peakLevel / max(burst.peakLevel, 1e-9)
    let count = Double(burst.count)
    for i in burst.indices {
      let t = Double(i)
      burst[i] *= scale * exp(-t / Double(rate) / decay) * (1 - t / count) * min(1, t / 20)
    }
    var wave = self
    wave.frames = frames.mixed(burst)
    return wave
  }

  /// Adds noise that goes on through the loop without a seam: breath, bow, wind.
  ///
  /// - Parameters:
  ///   - gain: RMS of the noise beside the RMS of the wave.
  ///   - onset: how much stronger the noise is at first, and how long (seconds).
  func blown(_ gain: Double, onset: (boost: Double, time: Double) = (0, 0.05), seed: Int, _ filters: Biquad...) -> Wave
  {
    guard let loop else { return self }
    var noise = Noise(seed: seed)
    var breath = noise.signal(loop.count)
    for filter in filters { breath = breath.circularlyFiltered(filter) }
    let scale = gain * Array(frames[loop]).rms / max(breath.rms, 1e-9)
    var wave = self
    let offset = loop.count - loop.lowerBound % loop.count
    for i in wave.frames.indices {
      let t = Double(i)
      let fade = max(0, 1 - t / Double(max(loop.lowerBound, 1)))
      let boost = 1 + onset.boost * exp(-t / Double(rate) / onset.time) * fade
      wave.frames[i] += scale * boost * min(1, t / 64) * breath[(i + offset) % loop.count]
    }
    return wave
  }

  func tilted(_ decibels: Double) -> Wave {
    var wave = self
    wave.tilt = decibels
    return wave
  }
}

/// Frequency of a key in equal temperament, Hz.
func frequency(_ key: Int) -> Double { 440 * pow(2, (Double(key) - 69) / 12) }

/// Amplitude of a level in decibels.
func amplitude(_ decibels: Double) -> Double { pow(10, decibels / 20) }
