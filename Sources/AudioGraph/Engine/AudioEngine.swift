import Synchronization
import SynthRealtime

/// A graph that renders, and can be edited while it does.
///
/// One caller at a time pulls it: its output unit between `start` and `stop`, a thread that renders by hand, or another
/// engine of which it is a node. Live and offline are the same code.
///
/// A slice may have any size: it is rendered in quanta of `renderQuantum` frames, which is the most that a kernel or a
/// render callback is ever asked for at a time. So there is no maximum of frames per slice that could be exceeded.
public final class AudioEngine: Sendable {
  /// In hertz; the output unit's own rate.
  public let sampleRate: Double

  let control = ControlLock(EngineControl())
  let puller = PullerClaim()
  let clock = Box(EngineClock())
  /// Its address is the context of the output's render callback.
  let renderer: Box<Renderer>
  let schedule: ParameterSchedule
  /// Written under `control` only.
  let published = CheckedMutex(PublishedEngine())
  /// Whether any of its nodes streams.
  let streams = Atomic(false)
  let plans = Handoff<RenderPlan>()

  /// An engine that is rendered by hand, or is to be a node of another one.
  ///
  /// - Parameters:
  ///   - sampleRate: in hertz, 1 to 1,000,000; at another rate every edit throws `GraphError.unfitOutput`.
  ///   - scheduleCapacity: how many scheduled changes of parameters may wait, 1 to 1048576, to which it is clamped.
  public init(sampleRate: Double, scheduleCapacity: Int = standardScheduleCapacity) {
    self.sampleRate = sampleRate.isNaN ? 0 : sampleRate
    schedule = ParameterSchedule(capacity: scheduleCapacity)
    renderer = Box(Renderer(plans: plans.receiver, changes: schedule.receiver, clock: clock.pointer))
  }

  /// An engine that an output unit starts and stops; it can be rendered by hand while it is stopped.
  ///
  /// - Parameter scheduleCapacity: how many scheduled changes of parameters may wait, 1 to 1048576, to which it is
  ///   clamped.
  public init(output: any OutputUnit, scheduleCapacity: Int = standardScheduleCapacity) {
    sampleRate = output.sampleRate.isNaN ? 0 : output.sampleRate
    schedule = ParameterSchedule(capacity: scheduleCapacity)
    renderer = Box(Renderer(plans: plans.receiver, changes: schedule.receiver, clock: clock.pointer))
    published.withLock { $0.outputUnit = output }
  }

  deinit {
    // Earlier failures are no longer reported.
    if state == .running { try? outputUnit?.stop() }
    NodeOwners.release(graph.nodes)
    // Only this one has the engine.
    try? control.withLock { for leaving in $0.leaving { NodeOwners.release(leaving.detached) } }
  }

  /// What starts and stops the flow; nil if the engine is rendered by hand or is a node of another engine.
  /// [control thread]
  public var outputUnit: (any OutputUnit)? { published.withLock { $0.outputUnit } }

  /// The graph as it was last edited; during an edit, as it was before. [control thread]
  public var graph: Graph { published.withLock { $0.graph } }

  /// How many frames later than its input a sound leaves the graph, along the longest path to the output. [any thread]
  public var latency: Int { published.withLock { $0.latency } }

  /// Changes the graph; all of it takes effect between two quanta, or nothing does. [control thread]
  ///
  /// What an edit leaves without a way to the output or to a sink is rendered no more, and starts over, as by its
  /// `reset`, when a later one gives it a way again: old sound is never heard twice.
  ///
  /// Where a place in the graph is fed otherwise than before, the old sound fades out and the new one fades in, so that
  /// nothing clicks; all other paths keep every bit. What was detached renders until then. Edits that follow each other
  /// faster take their turns. An edit before anything has sounded is exact.
  ///
  /// - Parameter transition: `.exact` for a cut from one frame to the next.
  /// - Throws: `GraphError` for what is wrong with the edit or with the graph it would leave, `EngineError`, and
  ///   whatever else `change` throws. The graph is then as it was.
  public func edit(transition: EditTransition = .faded, _ change: (inout Graph) throws -> Void) throws {
    try edit(transition: transition, change, undo: {})
  }

  /// - Parameter undo: takes back what `change` has done to nodes, where the edit comes to nothing; no other edit sees
  ///   them before.
  func edit(transition: EditTransition, _ change: (inout Graph) throws -> Void, undo: () -> Void) throws {
    try control.withLock { control in
      do {
        try edit(&control, transition, change)
      } catch {
        undo()
        throw error
      }
    }
  }

  private func edit(
    _ control: inout EngineControl, _ transition: EditTransition, _ change: (inout Graph) throws -> Void
  ) throws {
    var edited = graph
    try change(&edited)
    guard state == .running, let outputUnit else { return try publish(edited, &control, transition) }
    try edited.requireOutputNode()
    let before = graph.inputs
    let arriving = edited.inputs.filter { input in !before.contains { $0 === input } }
    try start(arriving, for: outputUnit)
    do {
      try publish(edited, &control, transition)
    } catch {
      stop(arriving)
      throw error
    }
    let staying = edited.inputs
    stop(before.filter { input in !staying.contains { $0 === input } })
  }

  /// Starts over between two quanta: delay lines, filters and phases are empty, and the sample time is 0. What sounds
  /// is cut off. What render callbacks remember is theirs. [control thread]
  ///
  /// - Throws: `EngineError`, `GraphError` where nodes have changed so that the graph cannot be rendered any more, or
  ///   what a node has against it. The engine then goes on as it was, but nodes may start over at the next edit.
  public func reset() throws {
    try control.withLock { try reset(&$0) }
  }

  /// Frees what edits have replaced, as far as the audio thread is done with it. [control thread]
  ///
  /// Every edit does so too; call it where memory, a callback's context, or a node that is to go to another engine must
  /// not wait for the next one.
  ///
  /// - Returns: whether the audio thread is done with all of it, so that what was detached will not be called again.
  @discardableResult
  public func collect() throws -> Bool {
    try control.withLock { control in
      // While nothing renders, no other thread adopts the plan.
      whileNobodyRenders { $0.adopt() }
      return collect(&control)
    }
  }

  func reset(_ control: inout EngineControl) throws {
    let graph = graph
    for node in graph.nodes { try node.reset() }
    for connection in graph.connections { connection.entrance.converter.reset() }
    schedule.cancelAll()
    control.epoch += 1
    if !graph.nodes.isEmpty { try publish(graph, &control, nil) }
    whileNobodyRenders { $0.startOver() }
  }

  /// Runs `body` if nothing renders. Under `control`, so that nothing starts meanwhile.
  func whileNobodyRenders(_ body: (inout Renderer) -> Void) {
    guard state != .paused else { return body(&renderer.pointer.pointee) }
    puller.whileFree { body(&renderer.pointer.pointee) }
  }

  /// Whether it is the engine itself, or has it as a node, or as a node of a node.
  func contains(_ engine: AudioEngine) -> Bool {
    self === engine || graph.nodes.contains { $0.innerEngine?.contains(engine) == true }
  }

  func check(channelCount: Int, _ control: EngineControl) throws(EngineError) {
    if let outputUnit, outputUnit.channelCount != channelCount {
      throw .channelCount(outputNode: channelCount, player: outputUnit.name, channels: outputUnit.channelCount)
    }
    if let outer = control.outer, puller.present == .outerEngine, outer.channelCount != channelCount {
      throw .channelCount(outputNode: channelCount, player: outer.name, channels: outer.channelCount)
    }
  }
}

/// What edits and the life cycle go by.
struct EngineControl: Sendable {
  /// What plays once the audio thread has adopted the latest plan and its fades are over; nil where nothing was heard
  /// yet.
  var latest: CompiledGraph?
  /// What plays as long as the audio thread has not adopted the latest plan.
  var playing: CompiledGraph?
  /// What fades out, the earliest first.
  var leaving: [LeavingNodes] = []
  /// How many plans were made.
  var edit = 0
  /// How often the engine was reset.
  var epoch = 0
  /// The node that another engine has of this one, once there was any.
  var outer: (name: String, channelCount: Int)?
}

/// What anybody may see of an engine while it is edited.
struct PublishedEngine: Sendable {
  var graph = Graph()
  var streamingNodes: [any AudioNode] = []
  /// The nodes of the plan, converters of connections among them.
  var renderedNodes: [any AudioNode] = []
  var latency = 0
  /// The identities of all parameters of the graph's nodes.
  var parameters: Set<ObjectIdentifier> = []
  /// By the identities of the nodes of the plan.
  var formats: [ObjectIdentifier: BusFormats] = [:]
  var state = EngineState.stopped
  var outputUnit: (any OutputUnit)?
}
