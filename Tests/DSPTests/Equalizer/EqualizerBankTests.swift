import TestSupport
import Testing

@testable import SynthDSP

@Suite("An equalizer chooses among settings designed in advance")
struct EqualizerBankTests {
  private let rate = 48000.0
  private let settings = classicCurves.compactMap { try? coefficients($0.name) }

  private func number(of name: String) throws -> Int {
    1 + (try #require(classicCurves.firstIndex { $0.name == name }))
  }

  @Test("a choice is the same, to the last bit, as the same setting posted at the same time")
  func likePosted() throws {
    let noise = pinkNoise(seed: 21, count: 19200)
    let (chooses, posts) = (Equalizer(.flat, sampleRate: rate, bank: settings), Equalizer(.flat, sampleRate: rate))
    for (start, name) in [(0, "rock"), (6400, "pop"), (12800, "flat")] {
      chooses.choice = try number(of: name)
      posts.post(try coefficients(name))
      let part = Array(noise[start..<start + 6400])
      let isSame = chooses.filter(part) == posts.filter(part)
      #expect(isSame, "\(name)")
    }
  }

  @Test("what is posted while another is chosen comes once nothing is chosen")
  func backToPosted() throws {
    let noise = pinkNoise(seed: 22, count: 6400)
    let equalizer = Equalizer(try coefficients("deep"), sampleRate: rate, bank: settings)
    _ = equalizer.filter(noise)
    equalizer.choice = try number(of: "rock")
    _ = equalizer.filter(noise)
    equalizer.choice = 0
    _ = equalizer.filter(noise)
    // 100 ms after, only the setting is left to tell.
    let isDeep = equalizer.gain(at: 64) == Equalizer(try coefficients("deep"), sampleRate: rate).gain(at: 64)
    #expect(isDeep)
    equalizer.choice = try number(of: "rock")
    equalizer.post(.flat)
    _ = equalizer.filter(noise)
    #expect(equalizer.gain(at: 64) != 1)
    equalizer.choice = 0
    _ = equalizer.filter(noise)
    #expect(equalizer.filter(noise) == noise)
  }

  @Test("what the bank has not changes nothing", arguments: [-1, 23, Int.max, Int.min])
  func unknown(_ choice: Int) throws {
    let noise = pinkNoise(seed: 23, count: 6400)
    let equalizer = Equalizer(.flat, sampleRate: rate, bank: settings)
    _ = equalizer.filter(noise)
    equalizer.choice = choice
    #expect(equalizer.filter(noise) == noise)
  }

  /// A controller that sweeps through all presets in both directions while a bass note sounds. A fade goes from one
  /// stable filter to another, so it bends the note no more than the sharper of the two does, but for the fade's own
  /// slope.
  @Test(
    "a sweep through all presets bends a bass note no more than a single fade may",
    arguments: [64, 512, 1536, 4800, 9600])
  func sweep(framesPerStep: Int) {
    let steps = Array(1...22) + (1...22).reversed()
    let signal = sine(100, sampleRate: rate, count: 960 + steps.count * framesPerStep + 9600)
    let start = Array(signal.prefix(14400))
    let steadiest = settings.map { sharpestBend(Equalizer($0, sampleRate: rate).filter(start)) }
    let equalizer = Equalizer(.flat, sampleRate: rate, bank: settings)
    var output = equalizer.filter(Array(signal[..<960]))
    for choice in steps {
      equalizer.choice = choice
      output += equalizer.filter(Array(signal[output.count..<output.count + framesPerStep]))
    }
    output += equalizer.filter(Array(signal[output.count...]))
    let (bend, limit) = (sharpestBend(output), (steadiest.max() ?? 0) * 1.1)
    print("a sweep at \(framesPerStep) frames a step bends by \(bend), \(limit) allowed")
    #expect(bend <= limit)
  }

  @Test("a change at once, without a fade, would fail that comparison")
  func hardSweep() {
    let signal = sine(100, sampleRate: rate, count: 22 * 512)
    let equalizer = Equalizer(.flat, sampleRate: rate, fadeDuration: 0, bank: settings)
    var output: [Float] = []
    for choice in 1...22 {
      equalizer.choice = choice
      output += equalizer.filter(Array(signal[output.count..<output.count + 512]))
    }
    let steadiest = settings.map { sharpestBend(Equalizer($0, sampleRate: rate).filter(signal)) }
    #expect(sharpestBend(output) > 3 * (steadiest.max() ?? 0))
  }
}

extension Equalizer {
  /// How much louder a sine of a frequency is made, judged by its energy after half a second.
  fileprivate func gain(at frequency: Double) -> Float {
    let signal = sine(frequency, sampleRate: 48000, count: 48000)
    let output = filter(signal)
    func energy(_ samples: [Float]) -> Float { samples[24000...].reduce(0) { $0 + $1 * $1 } }
    return (energy(output) / energy(signal)).squareRoot()
  }
}
