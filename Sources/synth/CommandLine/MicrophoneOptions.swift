import AudioGraph
import SynthALSA
import SynthDSP
import SynthKit

/// The options of a microphone that is heard with songs and keyboards.
struct MicrophoneOptions {
  static let options: [Option] = [.input] + dependent
  /// Those that mean nothing without an input.
  static let dependent: [Option] = [.inputGain, .inputUnplug]

  private let request: PCMRequest
  /// Nil for what is safe.
  private let gain: Decibels?
  private let onUnplug: InputUnplugPolicy

  /// Nil without a microphone.
  init?(_ arguments: Arguments) throws(UsageError) {
    gain = try arguments.level(.inputGain)
    let policy = arguments.last(.inputUnplug) ?? InputUnplugPolicy.mute.rawValue
    guard let onUnplug = InputUnplugPolicy(rawValue: policy) else {
      throw .badValue(
        .inputUnplug, policy, expected: InputUnplugPolicy.allCases.map(\.rawValue).joined(separator: " or "))
    }
    self.onUnplug = onUnplug
    let names = arguments.all(.input)
    guard let name = names.first else {
      for option in Self.dependent where arguments.isGiven(option) {
        throw .missing("\(option.rawValue) is for an input: name one, as in --in hw:1")
      }
      return nil
    }
    if names.count > 1 { throw .missing("give one --in: one microphone is heard at a time") }
    request = PCMRequest(device: name, latency: try arguments.last(.latency).map(DeviceOptions.latency) ?? .normal)
  }

  /// Mixes the first channel of the device with what is played: what to tell of it.
  func join(_ synthesizer: Synthesizer, _ output: any OutputUnit) throws -> String {
    let unit = try InputOptions.open(request)
    let level = gain ?? unit.safeGain(to: output)
    try synthesizer.add(InputNode(unit, channelCount: 1), gain: level, onUnplug: onUnplug)
    return "input      \(unit.device.parameters), at \(level.figure(decimals: 1)) dB\n"
  }
}
