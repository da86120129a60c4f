/// A processing unit with input and output buses.
///
/// The node itself lives on the control side. What renders is its `Kernel`, whose state belongs to the node and survives
/// changes of the plan.
public protocol AudioNode: AnyObject, Sendable {
  /// What people call it, in errors and in the printed graph.
  var name: String { get }
  var inputBusCount: Int { get }
  var outputBusCount: Int { get }
  var parameters: [Parameter] { get }

  /// The format of every output bus, given what is connected to the inputs. [control thread]
  ///
  /// - Parameters:
  ///   - inputs: one entry per input bus, nil where nothing is connected.
  ///   - sampleRate: the output unit's rate, for a node that has none of its own.
  func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat]

  /// The kernel for these formats: the present one wherever it can go on. [control thread]
  func kernel(for formats: BusFormats) -> Kernel

  /// Lets the next kernel begin anew, with empty delay lines and filters: a node with a `KernelSlot` resets that.
  /// [control thread]
  func reset()
}

extension AudioNode {
  public var parameters: [Parameter] { [] }
  public func reset() {}
}
