/// What plays soundfonts: its name, and how it is loaded. A module with an engine extends this type by it:
///
///     extension SamplerEngine {
///       public static let fluidSynth = SamplerEngine("fluidsynth") { loading throws(InstrumentError) in
///         try FluidSynthEngine.load(loading)
///       }
///     }
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
