import Synchronization
import SynthRealtime

/// Renders what a source plays before the graph asks for it, on a thread of its own: two processors share the work of a
/// graph that is rendered by hand. The samples are the same, bit for bit.
///
/// The source's kernel hands its turns to `UnsafeRenderAhead.take`, which copies a quantum that was rendered before.
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
  /// - Parameter busCount: the source's output buses, in stereo.
  public init(busCount: Int) throws(WorkerThreadError) {
    let depth = Int(UnsafeRenderAhead.depth)
    let memory = PlanMemory(
      groupCount: depth, stepCount: 1, tableCount: depth * busCount, busCount: depth * busCount,
      channelCount: 2 * depth * busCount)
    let board = UnsafeRenderAhead(memory, busCount: busCount)
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
  /// A quantum each.
  private let slots: UnsafeMutablePointer<RenderContext>
  private let quanta: UnsafeMutablePointer<GroupQuantum>
  private let source: UnsafeMutablePointer<Source>
  /// Quanta that the graph has asked for. When it asks for one, it is done with those before.
  private let asked = UnsafeWaitableCount()
  private let rendered = UnsafeWaitableCount()
  private let ends: UnsafeMutablePointer<Atomic<Bool>>

  /// What renders, and the time of its first quantum.
  private struct Source: BitwiseCopyable {
    let entry: RenderFunction
    let state: UnsafeMutableRawPointer
    let sampleTime: Int64
  }

  /// How many quanta the source is ahead at most: 21 ms at 48 kHz, so that those with many notes even out.
  fileprivate static var depth: UInt32 {
    @_noLocks get { 16 }
  }

  fileprivate init(_ memory: PlanMemory, busCount: Int) {
    self.busCount = busCount
    quanta = memory.quanta
    source = .allocate(capacity: 1)
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
    rendered.wait(for: number)
    let slot = slots[place(of: number)]
    for bus in 0..<min(busCount, context.outputBusCount) {
      let (ready, output) = (slot.output(bus), context.output(bus))
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
  public func waitForGraph() { asked.wait(for: rendered.value &+ 1) }

  fileprivate func work() {
    asked.wait(for: 1)
    var number: UInt32 = 1
    while true {
      // The slot is free once the graph has asked for the quantum behind the one it holds.
      asked.wait(for: number &- Self.depth &+ 1)
      if ends.pointee.load(ordering: .acquiring) { return }
      render(number)
      rendered.raise(to: number)
      number &+= 1
    }
  }

  @_noLocks
  private func render(_ number: UInt32) {
    let place = place(of: number)
    let source = source.pointee
    quanta[place].sampleTime = source.sampleTime &+ Int64(number &- 1) &* Int64(renderQuantum)
    for bus in 0..<busCount { slots[place].output(bus).isSilent = false }
    call(source.entry, source.state, UnsafeMutableRawPointer(slots + place))
  }

  @_noLocks
  private func place(of number: UInt32) -> Int { Int((number &- 1) % Self.depth) }
}
