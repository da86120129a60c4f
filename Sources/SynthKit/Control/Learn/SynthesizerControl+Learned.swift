import AudioGraph
import SynthMIDI

// Learned controls as clients of a control surface see them.

extension SynthesizerControl {
  /// The words behind "learn" and "unlearn": "pan 3", "reverb time", "preset next".
  func words(for target: LearnedControl.Target) -> String {
    parameter(of: target).flatMap { tree.words(for: $0) } ?? target.text
  }

  func shown(_ control: LearnedControl) -> SurfaceLearned {
    SurfaceLearned(
      trigger: "\(control.trigger)", target: words(for: control.target), range: range(of: control),
      isToggle: control.isToggle, isPassedOn: control.isPassedOn)
  }

  /// "−40 dB to 0 dB"; nil for commands, switches, and parameters that are not there now.
  private func range(of control: LearnedControl) -> String? {
    guard let parameter = parameter(of: control.target), !parameter.isSwitch else { return nil }
    let range = ControlRange(of: parameter, ends: control.ends)
    return [Float(0), 1].map { parameter.unit.text(range.value(at: $0)) }.joined(separator: " to ")
  }
}
