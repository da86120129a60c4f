/// A mixer's room for what its parameters are at each frame of a quantum, one input at a time. [audio thread]
struct MixerCurves: ~Copyable {
  private let memory = CurveMemory(curveCount: 9)

  typealias Curve = UnsafeMutablePointer<Float>

  /// What is left of an input, and what is right of it.
  var left: Curve { @_noLocks get { memory[0] } }
  var right: Curve { @_noLocks get { memory[1] } }
  var gain: Curve { @_noLocks get { memory[2] } }
  var pan: Curve { @_noLocks get { memory[3] } }
  var enabled: Curve { @_noLocks get { memory[4] } }
  var muted: Curve { @_noLocks get { memory[5] } }
  var solo: Curve { @_noLocks get { memory[6] } }
  /// The sum of the solos of all inputs.
  var anySolo: Curve { @_noLocks get { memory[7] } }
  /// An input's samples times what is left or right of it.
  var samples: Curve { @_noLocks get { memory[8] } }
}
