import SynthFluidSynth
import SynthInstruments

extension SamplerEngine: CaseIterable, RawRepresentable {
  /// The engines of this package.
  public static let allCases = [native, fluidSynth]

  /// The engine of this package that is called so; nil for none.
  public init?(rawValue: String) {
    guard let engine = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = engine
  }
}
