import SynthKit

/// The options that let MIDI choose equalizer presets.
struct PresetControlOptions {
  private let programChannel: UInt8?
  private let controller: UInt8?
  private let controllerChannel: UInt8?

  init(_ arguments: Arguments) throws(UsageError) {
    programChannel = try arguments.number(.presetProgram, in: 1...16).map { UInt8($0) - 1 }
    guard let text = arguments.last(.presetController) else {
      (controller, controllerChannel) = (nil, nil)
      return
    }
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map { Int($0) ?? -1 }
    guard (0...119).contains(parts[0]), parts.count == 1 || (1...16).contains(parts[1]) else {
      throw .badValue(
        .presetController, text, expected: "a controller from 0 to 119, and a channel from 1 to 16 if you like: 20@16")
    }
    controller = UInt8(parts[0])
    controllerChannel = parts.count == 2 ? UInt8(parts[1] - 1) : nil
  }

  /// The control, nil where none is asked for; a given preset that is not in the list comes after it.
  func control(given preset: EqualizerPreset?) -> EqualizerPresetControl? {
    guard programChannel != nil || controller != nil else { return nil }
    var presets = EqualizerPresetLibrary.standard().presets().presets
    if let preset, !presets.contains(preset) { presets.append(preset) }
    return EqualizerPresetControl(
      presets, programChannel: programChannel, controller: controller, controllerChannel: controllerChannel)
  }
}
