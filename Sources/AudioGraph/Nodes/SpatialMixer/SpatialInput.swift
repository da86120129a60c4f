import SynthDSP

/// How an input of a spatial mixer is played to its output.
public enum SpatialAlgorithm: UInt8, CaseIterable, Sendable {
  /// Left and right at constant power, by the sine of the angle to the side; in other layouts the front pair.
  case equalPower
  /// To headphones, by the mixer's set of head-related transfer functions; in other layouts than stereo the front pair.
  case hrtf
  /// To the two loudspeakers on both sides of the direction; see `VectorBasePanner`.
  case vectorBase

  /// What people type.
  public var name: String {
    switch self {
    case .equalPower: "equal power"
    case .hrtf: "HRTF"
    case .vectorBase: "vector base"
    }
  }
}

/// One input of a spatial mixer: a source in its place. Every parameter is approached over 20 ms.
///
/// The place is seen from the scene's origin, where the listener is at first, or from the head if the source is locked
/// to it. Angles and distance are the parameters; `position` is the same place in metres.
public struct SpatialInput: Sendable {
  /// In decibels, -120 (which is silence) to 24.
  public let gain: Parameter
  /// A bus that is off costs nothing.
  public let isEnabled: Parameter
  /// In degrees, -360 to 360: 0 in front, 90 to the right, 180 and -180 behind, -90 to the left.
  public let azimuth: Parameter
  /// In degrees, -90 (below) to 90 (above).
  public let elevation: Parameter
  /// In metres, 0 to 10,000; 1 at first.
  public let distance: Parameter
  /// Whether it moves along with the head of the listener.
  public let isHeadLocked: Parameter
  /// One of `SpatialAlgorithm`; equal power at first.
  public let algorithm: Parameter
  /// One of `DistanceModel`; inverse at first.
  public let distanceModel: Parameter
  /// In metres: up to which it has its full level.
  public let referenceDistance: Parameter
  /// In metres: from which on it becomes no quieter.
  public let maximumDistance: Parameter
  /// How fast it becomes quieter: 1 at first, 0 to 20.
  public let rolloff: Parameter
  /// What is between the source's room and the listener's: it takes from the direct sound and the reverb. 0 to 100 %;
  /// see `Obstacle`.
  public let occlusion: Parameter
  /// What is between source and listener in one room: it takes from the direct sound alone. 0 to 100 %.
  public let obstruction: Parameter
  /// The share of the amplitude that goes to the reverb, before distance and obstruction; the rest is heard directly. 0
  /// to 100 %.
  public let reverbBlend: Parameter
  /// By how much sound travels slower than 343 m/s: at 1 it comes that late, and its pitch follows when it moves, by a
  /// factor from 0.5 to 2; at 0, as at first, it is there at once.
  public let doppler: Parameter

  init(bus: Int) {
    func parameter(
      _ name: String, _ unit: ParameterUnit, _ range: ClosedRange<Float>, _ initial: Float = 0
    ) -> Parameter {
      Parameter(
        "input \(bus) \(name)", unit: unit, range: range, default: initial, rampDuration: levelRampDuration,
        of: .input(bus), shortName: name)
    }
    func choice(_ name: String, _ values: [String]) -> Parameter {
      Parameter("input \(bus) \(name)", values: values, of: .input(bus), shortName: name)
    }
    gain = parameter("gain", .decibels, MixerInput.gainRange)
    isEnabled = parameter("enable", .toggle, 0...1, 1)
    azimuth = parameter("azimuth", .degrees, -360...360)
    elevation = parameter("elevation", .degrees, -90...90)
    distance = parameter("distance", .metres, 0...10_000, 1)
    isHeadLocked = parameter("head lock", .toggle, 0...1)
    algorithm = choice("algorithm", SpatialAlgorithm.allCases.map(\.name))
    distanceModel = choice("distance model", DistanceModel.allCases.map(\.name))
    referenceDistance = parameter("reference distance", .metres, 0.01...10_000, 1)
    maximumDistance = parameter("maximum distance", .metres, 0.01...10_000, 10_000)
    rolloff = parameter("rolloff", .ratio, 0...20, 1)
    occlusion = parameter("occlusion", .percent, 0...100)
    obstruction = parameter("obstruction", .percent, 0...100)
    reverbBlend = parameter("reverb blend", .percent, 0...100)
    doppler = parameter("doppler", .ratio, 0...10)
  }

  var parameters: [Parameter] {
    [
      gain, isEnabled, azimuth, elevation, distance, isHeadLocked, algorithm, distanceModel, referenceDistance,
      maximumDistance, rolloff, occlusion, obstruction, reverbBlend, doppler,
    ]
  }

  /// The place in metres: x to the right, y up, z to the back. [any thread]
  public var position: SIMD3<Float> {
    get { PolarPosition(azimuth: azimuth.value, elevation: elevation.value, distance: distance.value).vector }
    nonmutating set {
      let place = PolarPosition(newValue)
      azimuth.value = place.azimuth
      elevation.value = place.elevation
      distance.value = place.distance
    }
  }

  /// Plays the input by an algorithm. [any thread]
  public func render(by algorithm: SpatialAlgorithm) { self.algorithm.value = Float(algorithm.rawValue) }

  /// Attenuates it by a model. [any thread]
  public func attenuate(by model: DistanceModel) { distanceModel.value = Float(model.rawValue) }
}

/// Who hears a spatial mixer's inputs: a place in the scene, and how the head is turned.
public struct SpatialListener: Sendable {
  private static func metres(_ axis: String) -> Parameter {
    Parameter(
      "listener \(axis)", unit: .metres, range: -10_000...10_000, default: 0, rampDuration: levelRampDuration)
  }

  private static func degrees(_ axis: String, _ range: ClosedRange<Float>) -> Parameter {
    Parameter("listener \(axis)", unit: .degrees, range: range, default: 0, rampDuration: levelRampDuration)
  }

  /// In metres, to the right of the origin.
  public let x = metres("x")
  /// In metres, above the origin.
  public let y = metres("y")
  /// In metres, behind the origin.
  public let z = metres("z")
  /// In degrees, -360 to 360: positive turns the head to the right.
  public let yaw = degrees("yaw", -360...360)
  /// In degrees, -90 to 90: positive looks up.
  public let pitch = degrees("pitch", -90...90)
  /// In degrees, -180 to 180: positive brings the right ear down.
  public let roll = degrees("roll", -180...180)

  var parameters: [Parameter] { [x, y, z, yaw, pitch, roll] }

  /// In metres. [any thread]
  public var position: SIMD3<Float> {
    get { SIMD3(x.value, y.value, z.value) }
    nonmutating set { (x.value, y.value, z.value) = (newValue.x, newValue.y, newValue.z) }
  }

  /// Three angles, or the vectors `forward` and `up`. [any thread]
  public var orientation: HeadOrientation {
    get { HeadOrientation(yaw: yaw.value, pitch: pitch.value, roll: roll.value) }
    nonmutating set { (yaw.value, pitch.value, roll.value) = (newValue.yaw, newValue.pitch, newValue.roll) }
  }
}
