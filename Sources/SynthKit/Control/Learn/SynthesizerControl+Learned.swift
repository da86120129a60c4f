import AudioGraph
import SynthMIDI
import SynthText

// Learned controls as clients of a control surface see them.

extension SynthesizerControl {
  /// The words behind "learn" and "unlearn": "pan 3", "reverb time", "preset next".
  func words(for target: LearnedControl.Target) -> String {
    parameter(of: target).flatMap { tree.words(for: $0) } ?? target.text
  }

  func json(of control: LearnedControl) -> JSONValue {
    .object([
      ("trigger", .string("\(control.trigger)")), ("target", .string(words(for: control.target))),
      ("range", range(of: control).map { .string($0) } ?? .null), ("toggle", .bool(control.isToggle)),
      ("through", .bool(control.isPassedOn)),
    ])
  }

  /// "−40 dB to 0 dB"; nil for commands, switches, and parameters that are not there now.
  private func range(of control: LearnedControl) -> String? {
    guard let parameter = parameter(of: control.target), !parameter.isSwitch else { return nil }
    let range = ControlRange(of: parameter, ends: control.ends)
    return [Float(0), 1].map { parameter.unit.text(range.value(at: $0)) }.joined(separator: " to ")
  }
}
