// Min-center-max upscaling of MIDI 1.0 values to MIDI 2.0 widths.

/// `value`, of `sourceBits` bits, widened to `targetBits` so that minimum, centre and maximum map onto each other.
///
/// Up to the centre the bits are shifted; above it the lower bits are repeated into the new ones. A shift back down
/// returns the value unchanged. Source: M2-115-U, "Min-Center-Max scaling".
@inlinable
func upscaled(_ value: UInt32, from sourceBits: UInt32, to targetBits: UInt32) -> UInt32 {
  var result = value &<< (targetBits &- sourceBits)
  guard value > 1 &<< (sourceBits &- 1) else { return result }
  let repeatBits = sourceBits &- 1
  // The repeated bits, flush with the top of the target below its first bit, then moved down past the source's own.
  var repeated = (value & ((1 &<< repeatBits) &- 1)) &<< (targetBits &- sourceBits)
  while repeated != 0 {
    repeated >>= repeatBits
    result |= repeated
  }
  return result
}
