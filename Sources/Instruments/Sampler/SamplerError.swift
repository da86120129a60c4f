/// Why a sampler could not be made.
public enum SamplerError: Error, Equatable, Sendable, CustomStringConvertible {
  case soundFontUnreadable(path: String, reason: String)
  case notASoundFont(path: String, reason: String)
  case sampleRateOutOfRange(Double)
  case outOfMemory

  public var description: String {
    switch self {
    case .soundFontUnreadable(let path, let reason):
      "loading soundfont \(path): \(reason); give the path of an .sf2 or .sf3 file"
    case .notASoundFont(let path, let reason):
      "loading soundfont \(path): \(reason); give an .sf2 or .sf3 file"
    case .sampleRateOutOfRange(let rate):
      "making a sampler at \(rate) Hz: FluidSynth renders at 8000 to 96000 Hz; choose a rate in that range"
    case .outOfMemory:
      "making a sampler: out of memory"
    }
  }
}
