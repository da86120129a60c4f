import Synchronization
import SynthRealtime

/// Tells the ends of all players, which may take longer than reading can wait.
private let teller = Housekeeper(named: "player ends")

/// The control side of a player: the ring into which blocks go, and who is told how they ended.
///
/// `Waiting` is what a player has scheduled and not put into the ring.
package final class PlayerDesk<Waiting: Sendable, Failure: Error & Equatable>: Sendable {
  package typealias EndHandler = @Sendable (PlaybackEnd<Failure>) -> Void

  private let box = Box(PlayerCell())
  private let rings = Handoff<PlayerRing>()
  private let news: RingBuffer<PlayerNews>
  private let makeRing: @Sendable (_ generation: Int) -> PlayerRing
  private let nothing: Waiting
  private let state: CheckedMutex<State>

  package struct State: Sendable {
    package var waiting: Waiting
    package var ring: PlayerRing
    /// By the number of what was scheduled.
    fileprivate var handlers: [Int: EndHandler] = [:]
    fileprivate var nextID = 0
    /// Calls the handlers, as long as there are any.
    fileprivate var telling: Housekeeper.Job?
    /// How many times more it looks whether the ring before the present one has come home.
    fileprivate var collections = 0

    /// How many have been scheduled and their ends not told.
    package var count: Int { handlers.count }
  }

  /// - Parameters:
  ///   - nothing: what waits in the beginning and after a stop.
  ///   - blockLength: of the ring, as `minimumCapacity`.
  package init(waiting nothing: Waiting, channelCount: Int, blockLength: Int, minimumCapacity: Int) {
    self.nothing = nothing
    makeRing = {
      PlayerRing(
        channelCount: channelCount, blockLength: blockLength, minimumCapacity: minimumCapacity, generation: $0)
    }
    let ring = makeRing(1)
    state = CheckedMutex(State(waiting: nothing, ring: ring))
    // Between two calls of `tellEnds` no more can end than two rings have blocks.
    news = RingBuffer(minimumCapacity: 4 * ring.blocks.capacity)
  }

  deinit {
    state.withLock { state in if let telling = state.telling { teller.remove(telling) } }
  }

  /// The state shared with the kernel.
  package var cell: UnsafeMutablePointer<PlayerCell> { box.pointer }

  /// What plays what is in the ring, and gets later rings by handoff. It keeps the desk.
  package func kernel(channelCount: Int, _ time: BusTime) -> Kernel {
    let kernel = PlayerKernel(
      cell, time, news: news.producer, rings: rings.receiver, state.withLock { $0.ring }, channelCount: channelCount)
    return Kernel(kernel, retaining: [self], entry: PlayerKernel.entry)
  }

  package func withLock<Result, Refusal: Error>(
    _ body: (inout State) throws(Refusal) -> Result
  ) throws(Refusal) -> Result {
    try state.withLock(body)
  }

  /// Takes note of who is told the end of what `enqueue` puts into the ring, or lets wait, under a number.
  package func schedule<Refusal: Error>(
    _ handler: EndHandler?, noThread: (WorkerThreadError) -> Refusal,
    enqueue: (inout State, _ id: Int) throws(Refusal) -> Void
  ) throws(Refusal) {
    try state.withLock { state throws(Refusal) in
      defer { endTelling(&state) }
      if state.telling == nil {
        do throws(WorkerThreadError) {
          state.telling = try teller.add(every: 10) { [weak self] in self?.tellEnds() }
        } catch {
          throw noThread(error)
        }
      }
      try enqueue(&state, state.nextID)
      state.handlers[state.nextID] = handler ?? { _ in }
      state.nextID += 1
    }
  }

  /// Takes the handler of what could not be played, for its caller to call.
  package func takeHandler(_ id: Int) -> EndHandler? { state.withLock { $0.handlers.removeValue(forKey: id) } }

  /// Clears the schedule, and calls the handlers.
  ///
  /// - Parameter isCut: whether what plays ends at once instead of fading out.
  package func stop(isCut: Bool = false) {
    let handlers = state.withLock { state in
      state.ring = makeRing(state.ring.generation + 1)
      if isCut { cell.pointee.cutGeneration.store(state.ring.generation, ordering: .relaxed) }
      rings.send(state.ring)
      // It makes the kernel look for a ring, so it is stored after that.
      cell.pointee.generation.store(state.ring.generation, ordering: .releasing)
      state.waiting = nothing
      state.collections = Self.mostCollections
      defer { state.handlers = [:] }
      return state.handlers.sorted { $0.key < $1.key }.map(\.value)
    }
    for handler in handlers { handler(.stopped) }
  }

  /// A second: long enough where audio flows, and where it does not the next call collects.
  private static var mostCollections: Int { 100 }

  /// Calls the handlers of what has ended, and frees what the audio thread has let go.
  package func tellEnds() {
    let ends = state.withLock { state in
      var ends: [(EndHandler, PlaybackEnd<Failure>)] = []
      while let end = news.consumer.pop() {
        _ = state.ring.buffers.withLock { $0.removeValue(forKey: end.id) }
        guard let handler = state.handlers.removeValue(forKey: end.id) else { continue }
        ends.append((handler, end.isWhole ? .played(until: end.sampleTime) : .stopped))
      }
      collect(&state)
      endTelling(&state)
      return ends
    }
    for (handler, end) in ends { handler(end) }
  }

  /// The ring comes home a moment after the next one has been taken over.
  private func collect(_ state: inout State) {
    guard state.collections > 0 else { return }
    state.collections = rings.isPending ? state.collections - 1 : min(state.collections - 1, 1)
    rings.collect()
  }

  private func endTelling(_ state: inout State) {
    guard state.handlers.isEmpty, state.collections == 0, let telling = state.telling else { return }
    teller.remove(telling)
    state.telling = nil
  }
}
