import Glibc
import Synchronization
import SynthRealtime
import Testing

@testable import SynthDSP

@Suite struct StretcherTests {
  /// A sound of two seconds in memory.
  private final class Sound {
    let pages: FramePages
    private let table: FramePages.Table
    private let memory: UnsafeMutablePointer<Float>

    init(channelCount: Int = 1, count: Int = 32, _ sample: (Int, Int) -> Float) {
      table = .allocate(capacity: count)
      memory = .allocate(capacity: count * channelCount * FramePages.pageLength)
      for page in 0..<count {
        let start = memory + page * channelCount * FramePages.pageLength
        (table + page).initialize(to: Atomic(UInt(bitPattern: start)))
        for channel in 0..<channelCount {
          for frame in 0..<FramePages.pageLength {
            (start + channel * FramePages.pageLength + frame)
              .initialize(to: sample(channel, page * FramePages.pageLength + frame))
          }
        }
      }
      pages = FramePages(table, pageCount: count, channelCount: channelCount)
    }

    deinit {
      table.deallocate()
      memory.deallocate()
    }

    /// Output frames of the first channel.
    func render(_ count: Int, from start: Double = 0, rate: Double, step: Double) -> [Float] {
      var stretcher = Stretcher(sampleRate: 48000)
      var block = [Float](repeating: 0, count: pages.channelCount * Stretcher.blockLength)
      var output: [Float] = []
      while output.count < count {
        let position = start + Double(output.count) * rate
        stretcher.render(pages, at: position, rate: rate, step: step, into: &block, count: Stretcher.blockLength)
        output += block.prefix(Stretcher.blockLength)
      }
      return output
    }
  }

  private static func sine(_ frequency: Double, _ frame: Double, rate: Double = 48000) -> Double {
    sin(2 * .pi * frequency * frame / rate)
  }

  /// The frequency that the phase of a sine goes forward by, in hertz, by its zero crossings.
  private static func frequency(_ samples: ArraySlice<Float>) -> Double {
    let places = zip(samples.indices, samples.indices.dropFirst()).compactMap { before, after -> Double? in
      guard samples[before] < 0, samples[after] >= 0 else { return nil }
      return Double(before) + Double(samples[before] / (samples[before] - samples[after]))
    }
    return 48000 * Double(places.count - 1) / (places.last! - places.first!)
  }

  private static func cents(_ frequency: Double, to wanted: Double) -> Double { 1200 * log2(frequency / wanted) }

  @Test func atRateOneTheSoundIsBitForBitTheSame() {
    var random = SystemRandomNumberGenerator()
    let noise = (0..<32 * 4096).map { _ in Float.random(in: -1...1, using: &random) }
    let sound = Sound { _, frame in noise[frame] }
    #expect(sound.render(60_032, from: 1000, rate: 1, step: 1) == Array(noise[1000..<61_032]))
  }

  @Test(arguments: [0.25, 0.5, 0.918_75, 0.999, 1.001, 1.5, 2, 3.7], [0.1, 0.7, 0.87])
  func varispeedIsTheSincsCurve(rate: Double, part: Double) {
    let frequency = part * 24000 / max(1, rate)
    let sound = Sound { _, frame in Float(Self.sine(frequency, Double(frame))) }
    let output = sound.render(12_800, from: 500.25, rate: rate, step: rate)
    let errors = output.indices.map { Double(output[$0]) - Self.sine(frequency, 500.25 + Double($0) * rate) }
    let error = (errors.map { $0 * $0 }.reduce(0, +) / Double(errors.count)).squareRoot()
    #expect(20 * log10(error / 0.707) < -100, "\(20 * log10(error / 0.707)) dB")
  }

  @Test func whatWouldBeMirroredIsTakenAway() {
    let sound = Sound { _, frame in Float(Self.sine(14000, Double(frame))) }
    let output = sound.render(12_800, from: 500, rate: 2, step: 2)
    #expect(output.map(abs).max()! < 1e-4)
  }

  @Test(arguments: [0.25, 0.5, 0.8, 0.97, 1.05, 1.25, 2, 4])
  func pitchStaysWhenTheTempoChanges(rate: Double) {
    let sound = Sound { _, frame in Float(Self.sine(441, Double(frame))) }
    let output = sound.render(min(96_000, Int(110_000 / rate)), rate: rate, step: 1)
    let steady = output[4800..<(output.count - 4800)]
    #expect(abs(Self.cents(Self.frequency(steady), to: 441)) < 2)
    // A sine goes on as a sine: a grain that did not fit would be heard as a dip.
    let peaks = stride(from: 4800, to: output.count - 9600, by: 480).map { output[$0..<$0 + 480].map(abs).max()! }
    #expect(peaks.min()! > 0.95)
  }

  @Test(arguments: [-2400.0, -1200, -200, 50, 700, 1200, 2400])
  func tempoStaysWhenThePitchChanges(cents: Double) {
    let ratio = exp2(cents / 1200)
    let sound = Sound { _, frame in Float(Self.sine(441, Double(frame))) }
    let output = sound.render(96_000, rate: 1, step: ratio)
    #expect(abs(Self.cents(Self.frequency(output[4800..<91_200]), to: 441 * ratio)) < 2)
  }

  @Test(arguments: [0.5, 0.8, 1.25, 2])
  func whatStandsAtAPlaceIsHeardWhenItsTimeComes(rate: Double) {
    // A tone that is loud for 6000 frames of 16000.
    let sound = Sound { _, frame in Float(Self.sine(441, Double(frame))) * (frame % 16000 < 6000 ? 0.8 : 0.02) }
    let output = sound.render(Int(110_000 / rate), rate: rate, step: 1)
    func peak(around frame: Int) -> Float {
      let wanted = Int(Double(frame) / rate)
      return output[(wanted - 200)..<(wanted + 200)].map(abs).max()!
    }
    for burst in stride(from: 16000, to: 100_000, by: 16000) {
      #expect(peak(around: burst + 3000) > 0.75, "the burst at \(burst)")
      #expect(peak(around: burst + 11_000) < 0.03, "the rest after that at \(burst)")
    }
  }

  /// Strokes of a millisecond on a soft tone.
  @Test(arguments: [(1.05, 1), (1.25, 1), (1.5, 1), (2, 1), (3, 1), (1, 0.5), (1.5, 0.8)], [7919, 10_007])
  func noStrokeIsLeftOutWhenItIsFasterOrLower(speed: (rate: Double, step: Double), distance: Int) {
    let sound = Sound { _, frame in
      let stroke = frame % distance < 48 ? 0.8 * Self.sine(5000, Double(frame % distance)) : 0
      return Float(stroke + 0.05 * Self.sine(441, Double(frame)))
    }
    let places = (1...10).map { Double($0 * distance - 100) / speed.rate }
    let output = sound.render(Int(places[9]) + 2400, from: 100, rate: speed.rate, step: speed.step)
    var strokes: [Int] = []
    for frame in output.indices where abs(output[frame]) > 0.7 && frame - (strokes.last ?? -1000) > 480 {
      strokes.append(frame)
    }
    #expect(strokes.count == places.count)
    let lateness = zip(strokes, places).map { (Double($0) - $1) / 48 }
    #expect(lateness.allSatisfy { abs($0) < 30 }, "\(lateness) ms late")
  }

  @Test func whatIsNotThereIsSilentAndCounted() {
    let sound = Sound(count: 2) { _, _ in 1 }
    var target = [Float](repeating: 7, count: 100)
    #expect(sound.pages.copy(0, from: -50, count: 100, to: &target) == 0)
    #expect(target == [Float](repeating: 0, count: 50) + [Float](repeating: 1, count: 50))
    let table = FramePages.Table.allocate(capacity: 1)
    defer { table.deallocate() }
    table.initialize(to: Atomic(0))
    #expect(FramePages(table, pageCount: 1, channelCount: 1).copy(0, from: 4000, count: 100, to: &target) == 96)
    #expect(target == [Float](repeating: 0, count: 100))
  }

  @Test func aFadeLeadsToAnotherPlaceWithoutAStep() {
    let sound = Sound { _, frame in frame < 40_000 ? 0.5 : -0.5 }
    var stretcher = Stretcher(sampleRate: 48000)
    var block = [Float](repeating: 0, count: Stretcher.blockLength)
    var output: [Float] = []
    for quantum in 0..<20 {
      if quantum == 5 { stretcher.fade(to: 50_000 + Double(quantum * Stretcher.blockLength)) }
      let start = quantum < 5 ? 1000.0 : 50_000
      stretcher.render(
        sound.pages, at: start + Double(quantum * Stretcher.blockLength), rate: 1, step: 1, into: &block,
        count: Stretcher.blockLength)
      output += block
    }
    #expect(output.first == 0.5 && output.last == -0.5)
    #expect(zip(output, output.dropFirst()).map { abs($0 - $1) }.max()! < 0.003)
  }
}
