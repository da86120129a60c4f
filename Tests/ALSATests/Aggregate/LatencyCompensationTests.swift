import SynthALSA
import Testing

/// Puts 1, 2, 3… through a delay, in slices of these lengths; a second channel has the same below zero.
private func delayed(by length: Int, capacity: Int, slices: [Int]) -> [Float] {
  var delay = LatencyCompensation(channelCount: 2, capacity: capacity)
  delay.begin(length: length)
  var next: Float = 1
  return slices.flatMap { count in
    var first = (0..<count).map { next + Float($0) }
    var second = first.map { -$0 }
    next += Float(count)
    first.withUnsafeMutableBufferPointer { first in
      second.withUnsafeMutableBufferPointer { second in
        guard let one = first.baseAddress, let other = second.baseAddress else { return }
        withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>.self, capacity: 2) { channels in
          channels.initializeElement(at: 0, to: one)
          channels.initializeElement(at: 1, to: other)
          if let base = channels.baseAddress { delay.delay(base, frameCount: count) }
        }
      }
    }
    #expect(second == first.map { -$0 })
    return first
  }
}

@Test(
  "The first device's sound is held back by so many frames, whatever the slices are",
  arguments: [[8], [3, 5], [1, 7]])
func holdsBack(slices: [Int]) {
  #expect(delayed(by: 3, capacity: 4, slices: slices) == [0, 0, 0, 1, 2, 3, 4, 5])
}

@Test("A delay of no frames changes nothing, and none is longer than the capacity")
func limits() {
  #expect(delayed(by: 0, capacity: 4, slices: [4]) == [1, 2, 3, 4])
  #expect(delayed(by: 9, capacity: 2, slices: [4]) == [0, 0, 1, 2])
}
