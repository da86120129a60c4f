/// The Hadamard transform of sixteen lines, a block of 64 frames each, one after the other in memory: each line goes to all,
/// with one sign or the other, which is the densest mixing there is. [audio thread]
///
/// Four rounds of sums and differences, in place. The energy becomes sixteen times as much.
@_noLocks
func hadamard(_ lines: UnsafeMutablePointer<Float>) {
  let memory = UnsafeMutableRawPointer(lines)
  let line = 64 * MemoryLayout<Float>.stride
  var distance = 1
  while distance < 16 {
    for first in 0..<16 where first & distance == 0 {
      let (a, b) = (memory + first &* line, memory + (first &+ distance) &* line)
      for group in 0..<8 {
        let offset = 32 &* group
        let x = a.load(fromByteOffset: offset, as: SIMD8<Float>.self)
        let y = b.load(fromByteOffset: offset, as: SIMD8<Float>.self)
        a.storeBytes(of: x + y, toByteOffset: offset, as: SIMD8<Float>.self)
        b.storeBytes(of: x - y, toByteOffset: offset, as: SIMD8<Float>.self)
      }
    }
    distance *= 2
  }
}
