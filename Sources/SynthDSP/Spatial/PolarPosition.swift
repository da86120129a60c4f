import CSynthRealtime

/// Where something is, seen from a listener: two angles and a distance.
///
/// The same place in metres is a vector (x to the right, y up, z to the back), as in OpenAL and Web Audio.
public struct PolarPosition: Sendable, Hashable {
  /// In degrees: 0 in front, 90 to the right, ±180 behind, -90 to the left.
  public var azimuth: Float
  /// In degrees: 0 on a level with the ears, 90 above, -90 below.
  public var elevation: Float
  /// In metres.
  public var distance: Float

  @_noLocks
  public init(azimuth: Float, elevation: Float = 0, distance: Float = 1) {
    (self.azimuth, self.elevation, self.distance) = (azimuth, elevation, distance)
  }

  /// The place of a vector; the vector 0 has no direction, and is taken to be in front. [any thread]
  @_noLocks
  public init(_ vector: SIMD3<Float>) {
    azimuth = degrees(y: vector.x, x: -vector.z)
    elevation = degrees(y: vector.y, x: realtime_square_root(vector.x * vector.x + vector.z * vector.z))
    distance = length(vector)
  }

  /// The vector from the listener, in metres. [any thread]
  public var vector: SIMD3<Float> {
    @_noLocks get {
      let (around, up) = (SineCosine(degrees: azimuth), SineCosine(degrees: elevation))
      return SIMD3(up.cosine * around.sine, up.sine, -up.cosine * around.cosine) * distance
    }
  }
}

/// How a head is turned.
public struct HeadOrientation: Sendable, Hashable {
  /// In degrees, about the vertical axis: positive turns to the right.
  public var yaw: Float
  /// In degrees: positive looks up.
  public var pitch: Float
  /// In degrees: positive brings the right ear down.
  public var roll: Float

  public init(yaw: Float = 0, pitch: Float = 0, roll: Float = 0) {
    (self.yaw, self.pitch, self.roll) = (yaw, pitch, roll)
  }

  /// The orientation of a head that looks along `forward`; `up` is the direction of its top, as far as it is at right
  /// angles to that. Neither needs to have length 1.
  public init(forward: SIMD3<Float>, up: SIMD3<Float>) {
    let place = PolarPosition(forward)
    let level = HeadRotation(yaw: place.azimuth, pitch: place.elevation, roll: 0)
    self.init(
      yaw: place.azimuth, pitch: place.elevation, roll: degrees(y: dot(up, level.right), x: dot(up, level.up)))
  }

  /// Where the head looks, in length 1.
  public var forward: SIMD3<Float> { HeadRotation(yaw: yaw, pitch: pitch, roll: roll).forward }
  /// Where its top is, in length 1.
  public var up: SIMD3<Float> { HeadRotation(yaw: yaw, pitch: pitch, roll: roll).up }
}

/// The axes of a turned head, and what is where seen from it. [any thread]
public struct HeadRotation: BitwiseCopyable, Sendable {
  /// The unit vector out of the right ear.
  public let right: SIMD3<Float>
  /// The unit vector out of the top of the head.
  public let up: SIMD3<Float>
  /// The unit vector that the nose points along.
  public let forward: SIMD3<Float>

  /// In degrees, as those of `HeadOrientation`.
  @_noLocks
  public init(yaw: Float, pitch: Float, roll: Float) {
    let (yaw, pitch, roll) = (SineCosine(degrees: yaw), SineCosine(degrees: pitch), SineCosine(degrees: roll))
    let ahead = SIMD3<Float>(yaw.sine, 0, -yaw.cosine)
    let side = SIMD3<Float>(yaw.cosine, 0, yaw.sine)
    let vertical = SIMD3<Float>(0, 1, 0)
    forward = ahead * pitch.cosine + vertical * pitch.sine
    let top = vertical * pitch.cosine - ahead * pitch.sine
    up = top * roll.cosine + side * roll.sine
    right = side * roll.cosine - top * roll.sine
  }

  /// A vector of the scene as the head has it.
  @_noLocks
  public func seen(_ vector: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(dot(vector, right), dot(vector, up), -dot(vector, forward))
  }
}

@_noLocks
func dot(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float { a.x * b.x + a.y * b.y + a.z * b.z }

/// In metres. [any thread]
@_noLocks
public func length(_ vector: SIMD3<Float>) -> Float { realtime_square_root(dot(vector, vector)) }
