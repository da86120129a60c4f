import SynthRealtime

/// stopped ⇄ running ⇄ paused, and stopped from there: every other step is refused with an error. [control thread]
extension AudioEngine {
  /// Where the engine is in its life.
  public var state: EngineState { published.withLock { $0.state } }

  /// Whether audio flows; false also where the output unit has ended by itself, because a device failed. `stop` tells
  /// why.
  public var isRunning: Bool { state == .running && outputUnit?.isRunning == true }

  /// Begins, or goes on after `pause`.
  ///
  /// - Throws: `EngineError`, `GraphError.outputNodes` for a graph without an output node, or what the output unit
  ///   throws; the engine is then unchanged.
  public func start() throws {
    try control.withLock { _ in
      guard let outputUnit else { throw EngineError.noOutputUnit }
      let state = state
      guard state != .running else { throw EngineError.wrongState(operation: "starting", state: state) }
      try graph.requireOutputNode()
      if state == .stopped { try puller.claim(.outputUnit, "starting") }
      do {
        try start(graph.inputs, for: outputUnit)
        do {
          try outputUnit.start(Self.outputCallback, context: outputContext)
        } catch {
          stop(graph.inputs)
          throw error
        }
      } catch {
        if state == .stopped { puller.release() }
        throw error
      }
      enter(.running)
    }
  }

  /// Halts the flow. Everything stays as it is, the sample time too, and goes on with the next `start`.
  ///
  /// - Throws: `EngineError`, or what made the output unit end by itself; the engine is then paused all the same.
  public func pause() throws {
    try control.withLock { _ in
      guard state == .running else { throw EngineError.wrongState(operation: "pausing", state: state) }
      enter(.paused)
      defer {
        whileNobodyRenders { $0.leaveHostTime() }
        stop(graph.inputs)
      }
      try outputUnit?.stop()
    }
  }

  /// Ends the flow and resets the engine: the next start begins at sample time 0.
  ///
  /// - Throws: `EngineError`, or what made the output unit end by itself; the engine is then stopped all the same.
  public func stop() throws {
    try control.withLock { control in
      let state = state
      guard state != .stopped else { throw EngineError.wrongState(operation: "stopping", state: state) }
      enter(.paused)
      defer {
        enter(.stopped)
        puller.release()
      }
      var failure: (any Error)?
      if state == .running {
        do { try outputUnit?.stop() } catch { failure = error }
        stop(graph.inputs)
      }
      try reset(&control)
      if let failure { throw failure }
    }
  }

  /// Plays on another output unit from now on: nodes, voices and the sample time go on where they are. [control thread]
  ///
  /// A running engine cuts what the old unit plays and goes on at once on the new one; `Session.move` fades.
  ///
  /// - Throws: `EngineError` if the unit's sample rate or channel count is not the engine's, or what the unit throws:
  ///   then the engine stays with the old one.
  public func move(to unit: any OutputUnit) throws {
    try control.withLock { _ in
      guard unit.sampleRate == sampleRate else {
        throw EngineError.sampleRate(engine: sampleRate, player: unit.name, rate: unit.sampleRate)
      }
      if let count = graph.outputNode?.deviceChannelCount, count != unit.channelCount {
        throw EngineError.channelCount(outputNode: count, player: unit.name, channels: unit.channelCount)
      }
      if state == .running {
        // Why the old unit failed does not matter any more.
        try? outputUnit?.stop()
        do {
          try unit.start(Self.outputCallback, context: outputContext)
        } catch {
          do { try outputUnit?.start(Self.outputCallback, context: outputContext) } catch { enter(.paused) }
          throw error
        }
        for input in graph.inputs { input.follow(unit) }
      }
      published.withLock { $0.outputUnit = unit }
    }
  }

  /// Starts all of them, or none.
  func start(_ inputs: [InputNode], for output: any OutputUnit) throws {
    for (index, input) in inputs.enumerated() {
      do {
        try input.start(for: output)
      } catch {
        stop(Array(inputs[..<index]))
        throw error
      }
    }
  }

  /// An input that has ended by itself is no failure of the engine: its unit tells.
  func stop(_ inputs: [InputNode]) {
    for input in inputs { try? input.stop() }
  }

  private func enter(_ state: EngineState) { published.withLock { $0.state = state } }

  /// What an output unit calls, with `outputContext` and a `RenderSlice`.
  public static let outputCallback: RenderFunction = { context, slice in
    context.assumingMemoryBound(to: Renderer.self).pointee
      .render(slice.assumingMemoryBound(to: RenderSlice.self).pointee)
  }

  /// The context of `outputCallback`. It lives as long as the engine does.
  public var outputContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(renderer.pointer) }
}

extension Graph {
  /// An output unit has to have something to play; an empty graph is silent.
  func requireOutputNode() throws(GraphError) {
    if !nodes.isEmpty, outputNode == nil { throw .outputNodes(count: 0) }
  }

  /// What captures.
  var inputs: [InputNode] { nodes.compactMap { $0 as? InputNode } }
}
