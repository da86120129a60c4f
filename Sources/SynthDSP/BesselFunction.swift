/// The modified Bessel function of order 0, of which Kaiser's window is made, for 0 to 15: by its power series, without
/// the divisions that would take longer than all the rest of a table. [any thread]
func besselI0(_ x: Double) -> Double {
  let square = x * x / 4
  var sum = 0.0
  for term in terms { sum = sum * square + term }
  return sum
}

/// The same of eight numbers.
func besselI0(_ x: SIMD8<Double>) -> SIMD8<Double> {
  let square = x * x / 4
  var sum = SIMD8<Double>.zero
  for term in terms { sum = sum * square + term }
  return sum
}

/// 1 / (k!)², the smallest first.
private let terms: [Double] = (0...28).reversed().map { k in
  let root = (0..<k).reduce(1.0) { $0 / Double($1 + 1) }
  return root * root
}
