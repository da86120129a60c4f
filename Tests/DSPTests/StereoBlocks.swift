/// Gives `process` the same input on both channels, 64 frames at a time, to be exchanged for the output: that, and
/// whether the last block was silent.
func inStereoBlocks(
  _ input: [Float], _ process: (_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>) -> Bool
) -> (left: [Float], right: [Float], isSilent: Bool) {
  var (left, right, isSilent) = (input, input, false)
  left.withUnsafeMutableBufferPointer { left in
    right.withUnsafeMutableBufferPointer { right in
      guard let left = left.baseAddress, let right = right.baseAddress else { return }
      for start in stride(from: 0, to: input.count / 64 * 64, by: 64) {
        isSilent = process(left + start, right + start)
      }
    }
  }
  return (left, right, isSilent)
}
