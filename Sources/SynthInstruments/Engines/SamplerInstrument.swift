import SynthMIDI

/// What plays soundfonts: its name, and how it is loaded. A module with an engine extends this type by it:
///
///     extension SamplerEngine {
///       public static let fluidSynth = SamplerEngine("fluidsynth") { loading throws(InstrumentError) in
///         try FluidSynthEngine.load(loading)
///       }
///     }
///
/// Of two engines with one name no program can choose.
public struct SamplerEngine: Sendable {
  /// Loads the engine for a rack. [control thread]
  public typealias Loader = @Sendable (EngineLoading<SamplerInstrument>) throws(InstrumentError) -> LoadedEngine

  /// What people call it: "native".
  public let rawValue: String
  let load: Loader

  /// - Parameters:
  ///   - name: what people call it.
  ///   - load: reads `EngineLoading.configuration.sampler`.
  public init(_ name: String, load: @escaping Loader) { (rawValue, self.load) = (name, load) }

  /// Our own: notes begin on their frame, and waves are read by longer interpolation.
  public static let native = SamplerEngine("native") { loading throws(InstrumentError) in
    try NativeEngine.load(loading)
  }
}

extension SamplerEngine: Hashable, CustomStringConvertible {
  /// Whether the names are the same.
  public static func == (a: SamplerEngine, b: SamplerEngine) -> Bool { a.rawValue == b.rawValue }

  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

  public var description: String { rawValue }
}

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
