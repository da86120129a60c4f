// A radix-2 inverse Fourier transform, for sounds described by their spectrum.

@preconcurrency import Glibc

/// A real signal of `magnitudes.count * 2` frames with the given magnitudes and phases in bins 0..<count.
///
/// - Parameter magnitudes: one per bin; the count must be a power of two.
public func inverseFourierTransform(magnitudes: [Double], phases: [Double]) -> [Double] {
  let size = magnitudes.count * 2
  var re = [Double](repeating: 0, count: size)
  var im = re
  for k in 1..<magnitudes.count {
    re[k] = magnitudes[k] * cos(phases[k])
    im[k] = magnitudes[k] * sin(phases[k])
  }
  reverseBits(&re, &im)
  var half = 1
  while half < size {
    butterflies(&re, &im, half: half)
    half *= 2
  }
  return re
}

private func reverseBits(_ re: inout [Double], _ im: inout [Double]) {
  var j = 0
  for i in 0..<re.count {
    if i < j {
      re.swapAt(i, j)
      im.swapAt(i, j)
    }
    var bit = re.count / 2
    while bit > 0, j & bit != 0 {
      j ^= bit
      bit /= 2
    }
    j |= bit
  }
}

private func butterflies(_ re: inout [Double], _ im: inout [Double], half: Int) {
  for k in 0..<half {
    let c = cos(Double.pi * Double(k) / Double(half))
    let s = sin(Double.pi * Double(k) / Double(half))
    for i in stride(from: k, to: re.count, by: 2 * half) {
      let j = i + half
      let x = re[j] * c - im[j] * s
      let y = re[j] * s + im[j] * c
      re[j] = re[i] - x
      im[j] = im[i] - y
      re[i] += x
      im[i] += y
    }
  }
}
