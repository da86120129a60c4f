/// Sine and cosine of an angle for the audio thread, which calls no libm: exact at whole quarters, elsewhere within
/// 10⁻⁷. [any thread]
struct SineCosine {
  let sine: Float
  let cosine: Float

  /// - Parameter degrees: of a magnitude below a million.
  @_noLocks
  init(degrees: Float) {
    let quarters = Double(degrees) / 90
    let whole = Int(quarters < 0 ? quarters - 0.5 : quarters + 0.5)
    let x = (quarters - Double(whole)) * (.pi / 2)
    let square = x * x
    // Taylor's series; the first term that is left out is below 2·10⁻⁹ at an eighth of a turn.
    let sine = x * (1 - square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72))))
    let cosine = 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56 * (1 - square / 90))))
    switch whole & 3 {
    case 0: (self.sine, self.cosine) = (Float(sine), Float(cosine))
    case 1: (self.sine, self.cosine) = (Float(cosine), Float(-sine))
    case 2: (self.sine, self.cosine) = (Float(-sine), Float(-cosine))
    default: (self.sine, self.cosine) = (Float(-cosine), Float(sine))
    }
  }
}

/// The angle of a point in the plane, -180 to 180 degrees from the x axis, within 10⁻⁵ degrees; 0 for the origin.
/// [any thread]
///
/// The polynomial is 4.4.49 of Abramowitz and Stegun.
@_noLocks
func degrees(y: Float, x: Float) -> Float {
  let (height, width) = (abs(Double(y)), abs(Double(x)))
  let (low, high) = (min(height, width), max(height, width))
  guard high > 0 else { return 0 }
  let tangent = low / high
  let square = tangent * tangent
  var series = square * 0.002_866_225_7 - 0.016_165_736_7
  series = series * square + 0.042_909_613_8
  series = series * square - 0.075_289_640_0
  series = series * square + 0.106_562_639_3
  series = series * square - 0.142_088_994_4
  series = series * square + 0.199_935_508_5
  series = series * square - 0.333_331_452_8
  var angle = (tangent + tangent * square * series) * (180 / .pi)
  if height > width { angle = 90 - angle }
  if x < 0 { angle = 180 - angle }
  return Float(y < 0 ? -angle : angle)
}
