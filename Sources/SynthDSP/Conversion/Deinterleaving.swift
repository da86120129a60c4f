/// Reads `frameCount` interleaved frames of any format into planar float32 channels; `source` needs no alignment.
///
/// The inverse of `interleave`: what that wrote from samples within full scale comes back as it was rounded. [any
/// thread]
@_noLocks @_noAllocation
public func deinterleave(
  _ source: UnsafeRawPointer, as format: SampleFormat, channelCount: Int, frameCount: Int,
  into channels: UnsafePointer<UnsafeMutablePointer<Float>>
) {
  let stride = channelCount &* format.byteCount
  for channel in 0..<channelCount {
    var sample = source + channel &* format.byteCount
    let target = channels[channel]
    switch format {
    case .float32:
      for frame in 0..<frameCount {
        target[frame] = Float(bitPattern: UInt32(littleEndian: sample.loadUnaligned(as: UInt32.self)))
        sample += stride
      }
    case .int32:
      for frame in 0..<frameCount {
        target[frame] = Float(Int32(littleEndian: sample.loadUnaligned(as: Int32.self))) * 0x1p-31
        sample += stride
      }
    case .int24:
      for frame in 0..<frameCount {
        // Not all drivers extend the sign.
        target[frame] = Float(Int32(littleEndian: sample.loadUnaligned(as: Int32.self)) &<< 8) * 0x1p-31
        sample += stride
      }
    case .int24Packed:
      for frame in 0..<frameCount {
        let low = Int32(UInt16(littleEndian: sample.loadUnaligned(as: UInt16.self)))
        let high = Int32(sample.load(fromByteOffset: 2, as: Int8.self))
        target[frame] = Float(high &<< 16 | low) * 0x1p-23
        sample += stride
      }
    case .int16:
      for frame in 0..<frameCount {
        target[frame] = Float(Int32(Int16(littleEndian: sample.loadUnaligned(as: Int16.self)))) * 0x1p-15
        sample += stride
      }
    }
  }
}
