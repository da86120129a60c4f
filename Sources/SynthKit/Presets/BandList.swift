import DSP

/// A preset written out: "bands:" and its ten gains in decibels, from 32 Hz to 16 kHz, separated by commas.
enum BandList {
  static let prefix = "bands:"

  /// The preset of a reference that begins with `prefix`.
  static func preset(_ reference: String) throws(PresetError) -> Preset {
    let texts = reference.dropFirst(prefix.count).split(separator: ",", omittingEmptySubsequences: false)
    let gains = texts.compactMap { Double($0) }.map { Decibels($0) }
    guard gains.count == texts.count, let curve = try? EqualizerCurve(gains: gains) else {
      throw .unreadable(
        path: reference, reason: "not ten gains of −24 to 24 dB, from 32 Hz to 16 kHz, as in bands:3,2,0,0,0,0,0,0,1,2")
    }
    return Preset(name: reference, title: "Custom", description: "As given", curve: curve)
  }
}
