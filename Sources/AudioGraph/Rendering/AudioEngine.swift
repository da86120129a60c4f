import Realtime
import Synchronization

/// A graph that renders, and can be edited while it does.
///
/// A slice may have any size: it is rendered in quanta of `renderQuantum` frames, which is the most that a kernel or a
/// render callback is ever asked for at a time.
///
/// The caller pulls: an output device from its thread, or whoever renders offline from any thread, but one at a time.
/// Live and offline are the same code.
public final class AudioEngine: Sendable {
  /// In hertz; the output unit's own rate.
  public let sampleRate: Double
  private let present = Mutex(Graph())
  private let plans = Handoff<RenderPlan>()
  let schedule = ParameterSchedule()
  private let renderer: RendererBox

  public init(sampleRate: Double) {
    self.sampleRate = sampleRate
    renderer = RendererBox(Renderer(plans: plans.receiver, changes: schedule.receiver))
  }

  /// The graph as it was last edited.
  public var graph: Graph { present.withLock { $0 } }

  /// Changes the graph; all of it takes effect between two quanta, or nothing does. [control threads]
  ///
  /// - Throws: `GraphError` for what is wrong with the edit or with the graph it would leave, and whatever else `change`
  ///   throws. The graph is then as it was.
  public func edit(_ change: (inout Graph) throws -> Void) throws {
    try present.withLock { graph in
      var edited = graph
      try change(&edited)
      plans.send(try PlanCompiler(graph: edited, sampleRate: sampleRate).compile())
      graph = edited
    }
  }

  /// What an output device calls, with `outputContext` and a `RenderSlice`.
  public static let outputCallback: RenderFunction = { context, slice in
    context.assumingMemoryBound(to: Renderer.self).pointee
      .render(slice.assumingMemoryBound(to: RenderSlice.self).pointee)
  }

  /// The context of `outputCallback`. It lives as long as the engine does.
  public var outputContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(renderer.pointer) }

  /// Renders the next slice. [one thread at a time]
  public func render(_ slice: RenderSlice) {
    flushingDenormals { renderer.pointer.pointee.render(slice) }
  }
}

/// The renderer's memory; its address is the context of the output's render callback.
private final class RendererBox: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<Renderer>

  init(_ renderer: consuming Renderer) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: renderer)
  }

  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }
}
