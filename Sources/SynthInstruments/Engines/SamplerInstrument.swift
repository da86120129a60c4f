import SynthMIDI

/// The sampler, as an assignment names it. Its settings are `RackConfiguration.sampler`.
public struct SamplerInstrument: Instrument {
  public var name: String { "sampler" }

  public init() {}

  public static func load(_ loading: EngineLoading<SamplerInstrument>) throws(InstrumentError) -> LoadedEngine {
    try loading.configuration.sampler.engine.load(loading)
  }
}

extension Instrument where Self == SamplerInstrument {
  /// The soundfonts of the rack's sampler.
  public static var sampler: SamplerInstrument { SamplerInstrument() }
}

extension InstrumentAssignment {
  /// Whether any channel would play the sampler.
  public static func needSampler(_ assignments: [InstrumentAssignment]) -> Bool {
    RackRouting(assignments).engines.contains { $0 == SamplerInstrument.self }
  }
}

extension Controller {
  /// Whether it may decide which preset a channel gets: banks, MPE zones, modes, resets.
  package var concernsPresets: Bool {
    switch self {
    case .bankSelect, .bankSelectLSB, .dataEntry, .dataEntryLSB, .resetAllControllers: true
    case .registeredParameter, .registeredParameterLSB, .assignableParameter, .assignableParameterLSB: true
    case .omniOff, .omniOn, .monoOn, .polyOn: true
    default: false
    }
  }
}
