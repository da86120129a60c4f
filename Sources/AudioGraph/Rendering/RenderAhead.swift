import Synchronization
import SynthRealtime

/// Renders what a source plays before the graph asks for it, on another thread: two processors share the work of a
/// graph that is rendered by hand. The samples are the same, bit for bit.
///
/// The source's kernel hands its turns to `UnsafeRenderAhead.take`, which copies a quantum that was rendered before.
/// Its buses begin a quantum as they were 32 quanta before, silent ones with the flag raised: a source that silences
/// only the others saves a light song a sixth of its thread's time.
///
/// What the source tells other nodes, by parameters for example, would come too early: it calls `waitForGraph` first.
public final class RenderAhead: @unchecked Sendable {
  // Unchecked because of the memory, which the board points into.

  /// What the source's kernel holds. This object must outlive it.
  public let board: UnsafeRenderAhead
  private let memory: PlanMemory
  private let thread: WorkerThread
  private var hasEnded = false

  /// Starts the thread. [control thread]
  ///
  /// - Parameters:
  ///   - busCount: the source's output buses, in stereo.
  ///   - team: does the source's jobs, and outlives this object. The graph's thread helps it while it waits.
  public init(busCount: Int, team: WorkerTeam?) throws(WorkerThreadError) {
    let depth = Int(UnsafeRenderAhead.depth)
    let memory = PlanMemory(
      groupCount: depth, stepCount: 1, tableCount: depth * busCount, busCount: depth * busCount,
      channelCount: 2 * depth * busCount)
    let board = UnsafeRenderAhead(memory, busCount: busCount, helper: team?.helper)
    do throws(WorkerThreadError) {
      thread = try WorkerThread(named: "ahead", stackSize: WorkerThread.smallStack) {
        flushingDenormals { board.work() }
      }
    } catch {
      board.deallocate()
      throw error
    }
    self.memory = memory
    self.board = board
  }

  deinit {
    end()
    board.deallocate()
  }

  /// Ends the thread. The source has been further than the graph: it must be reset before it renders again. Not while
  /// the graph renders. [control thread]
  public func end() {
    guard !hasEnded else { return }
    hasEnded = true
    board.dismiss()
    thread.join()
  }
}

/// Where the threads of a graph and of its source meet: raw memory. [audio thread]
public struct UnsafeRenderAhead: BitwiseCopyable, @unchecked Sendable {
  // Unchecked because of the pointers: a slot is the source's until its quantum is rendered, then the graph's.
  private let busCount: Int
  private let helper: UnsafeTeamHelper?
  /// A quantum each.
  private let slots: UnsafeMutablePointer<RenderContext>
  private let quanta: UnsafeMutablePointer<GroupQuantum>
  private let source: UnsafeMutablePointer<Source>
  /// Quanta that the source has rendered, handed over or not; its thread's alone.
  private let finished: UnsafeMutablePointer<UInt32>
  /// Quanta that the graph has asked for. When it asks for one, it is done with those before.
  private let asked = UnsafeWaitableCount()
  /// Quanta that were handed over to the graph.
  private let rendered = UnsafeWaitableCount()
  private let ends: UnsafeMutablePointer<Atomic<Bool>>

  /// What renders, and the time of its first quantum.
  private struct Source: BitwiseCopyable {
    let entry: RenderFunction
    let state: UnsafeMutableRawPointer
    let sampleTime: Int64
  }

  /// How many quanta the source is ahead at most: 43 ms at 48 kHz, so that those with many notes even out.
  package static var depth: UInt32 {
    @_noLocks get { 32 }
  }

  /// How many quanta are handed over at a time, and how many slots are free before a source goes on that had none: the
  /// threads wait for each other, and wake each other, so much more seldom. At most half the depth, or both would wait.
  private static var batch: UInt32 {
    @_noLocks get { 8 }
  }

  fileprivate init(_ memory: PlanMemory, busCount: Int, helper: UnsafeTeamHelper?) {
    self.busCount = busCount
    self.helper = helper
    quanta = memory.quanta
    source = .allocate(capacity: 1)
    finished = .allocate(capacity: 1)
    finished.initialize(to: 0)
    ends = .allocate(capacity: 1)
    ends.initialize(to: Atomic(false))
    slots = .allocate(capacity: Int(Self.depth))
    for slot in 0..<Int(Self.depth) {
      (memory.quanta + slot).initialize(to: GroupQuantum(framesPerFrame: RateRatio(1, over: 1)))
      for bus in slot * busCount..<(slot + 1) * busCount {
        (memory.buses + bus)
          .initialize(to: BusBuffer(samples: memory.samples(atChannel: 2 * bus), channelCount: 2, isSilent: true))
        (memory.busTable + bus).initialize(to: memory.buses + bus)
      }
      (slots + slot)
        .initialize(
          to: RenderContext(
            inputs: 0, outputs: busCount, buses: memory.busTable + slot * busCount, quantum: memory.quanta + slot))
    }
  }

  fileprivate func deallocate() {
    slots.deallocate()
    source.deallocate()
    finished.deallocate()
    ends.deallocate()
    asked.deallocate()
    rendered.deallocate()
  }

  // MARK: - The graph's thread

  /// Gives the next quantum of a source, in place of the source's entry. Waits for it.
  ///
  /// - Parameter entry: renders with the source's state, on the other thread.
  @_noLocks
  public func take(_ context: RenderContext, from entry: RenderFunction, _ state: UnsafeMutableRawPointer) {
    let number = asked.value &+ 1
    if number == 1 {
      source.initialize(to: Source(entry: entry, state: state, sampleTime: context.sampleTime))
    }
    asked.raise(to: number)
    // Where few are ready, jobs come before the graph's own work, which can wait for when the source has none. The last
    // job is the source's: it has nothing else to do.
    if rendered.value &- number < Self.batch { helper?.help(leaving: 1) }
    rendered.wait(for: number, helper: helper)
    let slot = slots[place(of: number)]
    for bus in 0..<min(busCount, context.outputBusCount) {
      let (ready, output) = (slot.output(bus), context.output(bus))
      output.sendCorrections = ready.sendCorrections
      if ready.isSilent {
        output.silence()
      } else {
        copySamples(from: ready[0], to: output[0], count: 2 &* renderQuantum)
      }
    }
  }

  fileprivate func dismiss() {
    ends.pointee.store(true, ordering: .releasing)
    // More than the source ever waits for.
    asked.raise(to: asked.value &+ Self.depth &+ 1)
  }

  // MARK: - The source's thread

  /// Waits until the graph is done with all quanta before the one that is being rendered.
  @_noLocks
  public func waitForGraph() {
    rendered.raise(to: finished.pointee)
    asked.wait(for: finished.pointee &+ 1)
  }

  fileprivate func work() {
    asked.wait(for: 1)
    while true {
      waitForSlot()
      if ends.pointee.load(ordering: .acquiring) { return }
      render(finished.pointee &+ 1)
      finished.pointee &+= 1
      if finished.pointee % Self.batch == 0 { rendered.raise(to: finished.pointee) }
    }
  }

  /// Waits where all slots are taken. A slot is free once the graph has asked for the quantum behind the one it holds.
  private func waitForSlot() {
    let lastTaken = finished.pointee &+ 1 &- Self.depth
    guard Int32(bitPattern: asked.value &- lastTaken) <= 0 else { return }
    asked.wait(for: lastTaken &+ Self.batch)
  }

  @_noLocks
  private func render(_ number: UInt32) {
    let place = place(of: number)
    let source = source.pointee
    quanta[place].sampleTime = source.sampleTime &+ Int64(number &- 1) &* Int64(renderQuantum)
    call(source.entry, source.state, UnsafeMutableRawPointer(slots + place))
  }

  @_noLocks
  private func place(of number: UInt32) -> Int { Int((number &- 1) % Self.depth) }
}
