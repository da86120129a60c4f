import SynthDSP
import TestSupport
import Testing

@Suite("A wave is read as FluidSynth reads it, to a millionth, at any pitch")
struct WaveReaderTests {
  @Test("from its start, around its loop and to its end", arguments: [Interpolation.cubic], [false, true])
  func edges(_ interpolation: Interpolation, _ is24Bit: Bool) {
    var random = SplitMix64(seed: 7)
    var worst = 0.0
    for _ in 0..<400 {
      let memory = WaveMemory(count: 300, is24Bit: is24Bit, &random)
      let start = Int.random(in: 0..<100, using: &random)
      let loopStart = start + Int.random(in: 0..<100, using: &random)
      let loopEnd = loopStart + Int.random(in: 2..<60, using: &random)
      let wave = memory.wave(start, end: Int.random(in: loopEnd..<300, using: &random), loopStart, loopEnd)
      let ratio = Double.random(in: 0...1, using: &random) < 0.2 ? 90.0 : 3.0
      let increment = WaveReader.increment(.random(in: 0.01...ratio, using: &random))
      let loopedFrames = Bool.random(using: &random) ? Int.random(in: 0..<400, using: &random) : 0
      let read = frames(of: wave, increment, loopedFrames: loopedFrames, 500, Interpolator(interpolation))
      let expected = memory.expectedFrames(wave, increment, loopedFrames: loopedFrames, 500)
      #expect(read.count == expected.count)
      worst = max(worst, zip(read, expected).map { abs(Double($0) - $1) }.max() ?? 0)
    }
    print("cubic, \(is24Bit ? 24 : 16) bits: off by \(worst) at most")
    #expect(worst < 1e-6)
  }

  @Test("the same bits in pieces of any length", arguments: Interpolation.allCases)
  func pieces(_ interpolation: Interpolation) {
    var random = SplitMix64(seed: 8)
    let memory = WaveMemory(count: 300, is24Bit: false, &random)
    let wave = memory.wave(10, end: 290, 40, 90)
    let increment = WaveReader.increment(1.7)
    let interpolator = Interpolator(interpolation)
    let whole = frames(of: wave, increment, loopedFrames: 256, 600, interpolator)
    var inPieces: [Float] = []
    var reader = WaveReader(wave)
    while inPieces.count < whole.count {
      let left = inPieces.count < 256 ? 256 - inPieces.count : 600 - inPieces.count
      let count = min(left, Int.random(in: 1...64, using: &random))
      inPieces += piece(&reader, wave, count, increment, loops: inPieces.count < 256, interpolator)
    }
    #expect(inPieces == whole)
  }

  @Test("a constant stays one at every place and pitch", arguments: Interpolation.allCases)
  func constant(_ interpolation: Interpolation) {
    let words = [Int16](repeating: 16_384, count: 4096)
    words.withUnsafeBufferPointer { words in
      let wave = SampledWave(words: words.baseAddress!, start: 0, end: 4096)
      for ratio in [0.1, 0.99, 1.3, 2.83, 5] {
        let read = frames(
          of: wave, WaveReader.increment(ratio), loopedFrames: 0, 500, Interpolator(interpolation))
        #expect(read.allSatisfy { abs($0 - 0.5) < 1e-6 })
      }
    }
  }
}

/// Reads quanta, as an engine does; what is behind the wave's end is left out.
func frames(
  of wave: SampledWave, _ increment: UInt64, loopedFrames: Int, _ count: Int, _ interpolator: Interpolator
) -> [Float] {
  var reader = WaveReader(wave)
  var frames: [Float] = []
  while frames.count < count {
    let loops = frames.count < loopedFrames
    let wanted = min(64, (loops ? loopedFrames : count) - frames.count)
    let read = piece(&reader, wave, wanted, increment, loops: loops, interpolator)
    frames += read
    if read.count < wanted { break }
  }
  return frames
}

private func piece(
  _ reader: inout WaveReader, _ wave: SampledWave, _ count: Int, _ increment: UInt64, loops: Bool,
  _ interpolator: Interpolator
) -> [Float] {
  withUnsafeTemporaryAllocation(byteCount: WaveReader.windowSize * 4, alignment: 64) { window in
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 64) { row in
      let read = reader.read(
        wave, into: row.baseAddress!, count: count, increment: increment, loops: loops, with: interpolator,
        window: window.baseAddress!.assumingMemoryBound(to: Float.self))
      #expect(row[read..<count].allSatisfy { $0 == 0 })
      return Array(row[..<read])
    }
  }
}

/// A wave of noise, and how FluidSynth's formulas read it, one frame after another.
private final class WaveMemory {
  private let words: UnsafeMutablePointer<Int16>
  private let lowBytes: UnsafeMutablePointer<UInt8>
  private let is24Bit: Bool

  init(count: Int, is24Bit: Bool, _ random: inout SplitMix64) {
    words = .allocate(capacity: count)
    lowBytes = .allocate(capacity: count)
    self.is24Bit = is24Bit
    for index in 0..<count {
      words[index] = Int16(truncatingIfNeeded: random.next())
      lowBytes[index] = is24Bit ? UInt8(truncatingIfNeeded: random.next()) : 0
    }
  }

  deinit {
    words.deallocate()
    lowBytes.deallocate()
  }

  func wave(_ start: Int, end: Int, _ loopStart: Int, _ loopEnd: Int) -> SampledWave {
    SampledWave(
      words: words, lowBytes: is24Bit ? UnsafePointer(lowBytes) : nil, start: start, end: end, loopStart: loopStart,
      loopEnd: loopEnd)
  }

  func expectedFrames(_ wave: SampledWave, _ increment: UInt64, loopedFrames: Int, _ count: Int) -> [Double] {
    var position = UInt64(wave.start) << 32
    var hasLooped = false
    var frames: [Double] = []
    for frame in 0..<count {
      let loops = frame < loopedFrames
      while loops && Int(position >> 32) >= wave.loopEnd {
        position -= UInt64(wave.loopEnd - wave.loopStart) << 32
        hasLooped = true
      }
      let index = Int(position >> 32)
      guard loops || index < wave.end else { break }
      let x = Double(position >> 24 & 255) / 256
      let weights = [
        x * (-0.5 + x * (1 - 0.5 * x)), 1 + x * x * (1.5 * x - 2.5), x * (0.5 + x * (2 - 1.5 * x)),
        0.5 * x * x * (x - 1),
      ]
      let taps = (-1...2).map { tap(index, $0, wave, loops, hasLooped) }
      frames.append(zip(weights, taps).map(*).reduce(0, +))
      position += increment
      // FluidSynth goes back at the end of a run, before the next one may no longer loop.
      while loops && Int(position >> 32) >= wave.loopEnd {
        position -= UInt64(wave.loopEnd - wave.loopStart) << 32
        hasLooped = true
      }
    }
    return frames
  }

  private func tap(_ index: Int, _ offset: Int, _ wave: SampledWave, _ loops: Bool, _ hasLooped: Bool) -> Double {
    var place = index + offset
    if place < (hasLooped ? wave.loopStart : wave.start) { place = hasLooped ? wave.loopEnd - 1 : wave.start }
    if loops && place >= wave.loopEnd { place = wave.loopStart + (place - wave.loopEnd) }
    if !loops { place = min(place, wave.end - 1) }
    return (Double(words[place]) + Double(lowBytes[place]) / 256) / 32_768
  }
}
