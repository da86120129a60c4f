import AudioGraph
import SynthKit
import Testing

@Suite("The end of a song")
struct TailTests {
  // One frame a second: thresholds and times are whole frames.
  private let tail = Tail(threshold: 0.5, hold: 2, maximum: 10)

  /// How many of the given frames belong to a song that ends at `songEnd`.
  private func length(_ samples: [Float], songEnd: Int64, sliceSize: Int) -> Int {
    var detector = TailDetector(tail, songEnd: songEnd, sampleRate: 1)
    let buffer = SampleBuffer(channelCount: 1, frameCapacity: sliceSize)
    var total = 0
    var rest = samples[...]
    while !rest.isEmpty {
      let slice = buffer.slice(frameCount: min(sliceSize, rest.count))
      for (frame, sample) in rest.prefix(slice.frameCount).enumerated() { slice.channels[0][frame] = sample }
      rest = rest.dropFirst(slice.frameCount)
      let count = detector.frames(of: slice)
      total += count
      if count < slice.frameCount { return total }
    }
    return total
  }

  @Test("is the second silent frame after the last event, for every slice size", arguments: [1, 2, 3, 7, 64])
  func silence(sliceSize: Int) {
    let sounding: [Float] = [1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 0]
    #expect(length(sounding, songEnd: 5, sliceSize: sliceSize) == 10)
  }

  @Test("is ten seconds after the last event, if it never gets silent", arguments: [1, 3, 64])
  func maximum(sliceSize: Int) {
    #expect(length([Float](repeating: 1, count: 100), songEnd: 5, sliceSize: sliceSize) == 15)
  }

  @Test("is not before the last event, however silent it is")
  func rests() {
    #expect(length([Float](repeating: 0, count: 100), songEnd: 50, sliceSize: 64) == 51)
  }
}
