// Planar float32 to interleaved samples of any format and channel count.

/// Writes `frameCount` frames of `channels` interleaved into `destination`, which holds at least
/// `frameCount * channelCount * format.byteCount` bytes and needs no alignment.
///
/// Integers are rounded to nearest, ties to even, without dither, so that the same input always gives the same output;
/// full scale ±1 saturates, NaN becomes 0. Float samples are copied as they are. [any thread]
@_noLocks @_noAllocation
public func interleave(
  _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frameCount: Int,
  into destination: UnsafeMutableRawPointer, as format: SampleFormat
) {
  let stride = channelCount &* format.byteCount
  for channel in 0..<channelCount {
    let source = UnsafePointer(channels[channel])
    let target = destination + channel &* format.byteCount
    switch format {
    case .float32:
      scatter(
        source, frameCount, to: target, stride: stride, samples: { unsafeBitCast($0, to: SIMD8<Int32>.self) },
        store: storeWord)
    case .int32:
      scatter(source, frameCount, to: target, stride: stride, samples: { quantize32($0) }, store: storeWord)
    case .int24:
      scatter(source, frameCount, to: target, stride: stride, samples: { quantize($0, bits: 24) }, store: storeWord)
    case .int24Packed:
      scatter(source, frameCount, to: target, stride: stride, samples: { quantize($0, bits: 24) }, store: storeThree)
    case .int16:
      scatter(source, frameCount, to: target, stride: stride, samples: { quantize($0, bits: 16) }, store: storeHalf)
    }
  }
}

/// Converts eight frames at a time and stores each lane at its stride; the last few frames use as many lanes.
@_noLocks @inline(__always)
private func scatter(
  _ source: UnsafePointer<Float>, _ frameCount: Int, to destination: UnsafeMutableRawPointer, stride: Int,
  samples: (SIMD8<Float>) -> SIMD8<Int32>, store: (UnsafeMutableRawPointer, Int32) -> Void
) {
  let bytes = UnsafeRawPointer(source)
  var target = destination
  var frame = 0
  while frame &+ 8 <= frameCount {
    let lanes = samples(bytes.loadUnaligned(fromByteOffset: frame &* 4, as: SIMD8<Float>.self))
    for lane in 0..<8 {
      store(target, lanes[lane])
      target += stride
    }
    frame &+= 8
  }
  guard frame < frameCount else { return }
  var rest = SIMD8<Float>()
  for lane in 0..<(frameCount &- frame) { rest[lane] = source[frame &+ lane] }
  let lanes = samples(rest)
  for lane in 0..<(frameCount &- frame) {
    store(target, lanes[lane])
    target += stride
  }
}

@_noLocks @inline(__always)
private func storeWord(_ target: UnsafeMutableRawPointer, _ sample: Int32) {
  target.storeBytes(of: sample.littleEndian, as: Int32.self)
}

@_noLocks @inline(__always)
private func storeHalf(_ target: UnsafeMutableRawPointer, _ sample: Int32) {
  target.storeBytes(of: Int16(truncatingIfNeeded: sample).littleEndian, as: Int16.self)
}

@_noLocks @inline(__always)
private func storeThree(_ target: UnsafeMutableRawPointer, _ sample: Int32) {
  target.storeBytes(of: UInt8(truncatingIfNeeded: sample), as: UInt8.self)
  target.storeBytes(of: UInt8(truncatingIfNeeded: sample &>> 8), toByteOffset: 1, as: UInt8.self)
  target.storeBytes(of: UInt8(truncatingIfNeeded: sample &>> 16), toByteOffset: 2, as: UInt8.self)
}
