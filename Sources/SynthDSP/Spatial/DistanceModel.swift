/// By what law a source becomes quieter with distance: the clamped models of OpenAL 1.1, section 3.4.
///
/// With a distance d held between the reference distance r and the maximum distance m, and a rolloff f.
public enum DistanceModel: UInt8, CaseIterable, Sendable {
  /// r / (r + f · (d − r)): with a rolloff of 1, 6 dB for each doubling.
  case inverse
  /// 1 − f · (d − r) / (m − r), and not below 0.
  case linear
  /// (d / r) to the power of −f.
  case exponential

  /// What people type.
  public var name: String {
    switch self {
    case .inverse: "inverse"
    case .linear: "linear"
    case .exponential: "exponential"
    }
  }
}

/// What distance takes from a source.
public struct DistanceAttenuation: Sendable {
  /// How the level falls with the distance.
  public let model: DistanceModel
  /// Up to which a source has its full level, and from which on it becomes no quieter; in metres.
  public let reference: Float
  /// From this distance on a source becomes no quieter; in metres.
  public let maximum: Float
  /// How steeply the level falls; 1 follows the model's own law, 0 leaves the level as it is.
  public let rolloff: Float

  @_noLocks
  public init(_ model: DistanceModel, reference: Float = 1, maximum: Float = 10_000, rolloff: Float = 1) {
    (self.model, self.reference, self.maximum, self.rolloff) = (model, reference, max(reference, maximum), rolloff)
  }

  /// The amplitude that is left of 1 at a distance in metres. [any thread]
  @_noLocks
  public func amplitude(at distance: Float) -> Float {
    let beyond = min(max(distance, reference), maximum) - reference
    guard beyond > 0 else { return 1 }
    switch model {
    case .inverse: return reference / (reference + rolloff * beyond)
    case .linear: return max(0, 1 - rolloff * beyond / (maximum - reference))
    case .exponential: return exponential2(-rolloff * logarithm2((reference + beyond) / reference))
    }
  }
}
