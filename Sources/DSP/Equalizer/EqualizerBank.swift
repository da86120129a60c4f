/// Equalizer settings designed in advance, for the audio thread to choose among.
///
/// Must outlive every `EqualizerProcessor` made with it.
public final class EqualizerBank: @unchecked Sendable {
  // Unchecked: nothing in it changes.

  /// How many settings there are.
  public let count: Int
  let settings: UnsafePointer<EqualizerCoefficients>

  /// A bank of these settings, numbered from 1.
  public init(_ settings: [EqualizerCoefficients]) {
    count = settings.count
    let memory = UnsafeMutablePointer<EqualizerCoefficients>.allocate(capacity: max(1, settings.count))
    for (index, setting) in settings.enumerated() { (memory + index).initialize(to: setting) }
    self.settings = UnsafePointer(memory)
  }

  deinit { settings.deallocate() }
}
