import Glibc
import Synchronization
import SynthRealtime

/// The control side of a player: the schedule, which `fill` reads ahead into the ring.
final class FilePlayerFeed: @unchecked Sendable {
  private let box = Box(FilePlayerCell())
  let rings = Handoff<PlayerRing>()
  let news: RingBuffer<PlayerNews>
  private let rate: Double
  private let channelCount: Int
  private let frameCapacity: Int
  private let state: CheckedMutex<State>

  typealias EndHandler = @Sendable (PlaybackEnd) -> Void

  private struct State: @unchecked Sendable {
    /// The segments that are not completely read, in order.
    var queue: [Item] = []
    /// Called when a segment has ended; by the segment's number.
    var handlers: [Int: EndHandler] = [:]
    var nextID = 0
    var ring: PlayerRing
  }

  /// A segment on its way into the ring.
  private struct Item {
    let id: Int
    let reader: SegmentReader
    let startTime: Int64
    var hasBegun = false
  }

  init(rate: Double, channelCount: Int, frameCapacity: Int) {
    self.rate = rate
    self.channelCount = channelCount
    self.frameCapacity = frameCapacity
    let ring = PlayerRing(channelCount: channelCount, frameCapacity: frameCapacity, generation: 1)
    state = CheckedMutex(State(ring: ring))
    // Between two calls of `fill` no more segments can end than two rings have blocks.
    news = RingBuffer(minimumCapacity: 4 * ring.blocks.capacity)
    cell.pointee.generation.store(1, ordering: .releasing)
  }

  /// The state shared with the kernel.
  var cell: UnsafeMutablePointer<FilePlayerCell> { box.pointer }

  /// The present ring, for a new kernel; it gets later ones by handoff.
  var ring: PlayerRing { state.withLock { $0.ring } }

  /// Appends a segment.
  func schedule(_ segment: AudioFileSegment, at time: Int64?, _ handler: EndHandler?) throws(AudioFileError) {
    nonisolated(unsafe) let reader = try SegmentReader(segment, rate: rate, channelCount: channelCount)
    state.withLock { state in
      state.queue.append(Item(id: state.nextID, reader: reader, startTime: time ?? .min))
      state.handlers[state.nextID] = handler ?? { _ in }
      state.nextID += 1
    }
  }

  /// Clears the schedule, and calls the handlers.
  ///
  /// - Parameter isCut: whether the present segment ends at once instead of fading out.
  func stop(isCut: Bool = false) {
    let handlers = state.withLock { state in
      state.ring = PlayerRing(
        channelCount: channelCount, frameCapacity: frameCapacity, generation: state.ring.generation + 1)
      if isCut { cell.pointee.cutGeneration.store(state.ring.generation, ordering: .relaxed) }
      publish(state.ring)
      state.queue = []
      defer { state.handlers = [:] }
      return state.handlers.sorted { $0.key < $1.key }.map(\.value)
    }
    for handler in handlers { handler(.stopped) }
  }

  /// Gives the kernel a ring. A new generation makes the kernel look for one, so it is stored after that.
  private func publish(_ ring: PlayerRing) {
    rings.send(ring)
    cell.pointee.generation.store(ring.generation, ordering: .releasing)
  }

  /// Whether all scheduled segments have ended.
  var isIdle: Bool { state.withLock { $0.handlers.isEmpty } }

  /// Calls the handlers of segments that have ended, and reads until the ring is full or everything is read.
  func fill() {
    repeat { tellEnds() } while readBlock()
  }

  private func tellEnds() {
    let ends = state.withLock { state in
      var ends: [(EndHandler, Int64)] = []
      while let end = news.consumer.pop() {
        if let handler = state.handlers.removeValue(forKey: end.id) { ends.append((handler, end.sampleTime)) }
      }
      return ends
    }
    for (handler, time) in ends { handler(.played(until: time)) }
  }

  /// Reads one block into the ring; false if the ring is full or everything is read.
  private func readBlock() -> Bool {
    let (goesOn, failure) = state.withLock { state -> (Bool, (EndHandler, AudioFileError)?) in
      guard let item = state.queue.first, !state.ring.blocks.producer.isFull else { return (false, nil) }
      var block: (channels: [[Float]], isLast: Bool) = ([], true)
      var failure: (EndHandler, AudioFileError)?
      do throws(AudioFileError) {
        block = try item.reader.read(PlayerBlock.longest)
      } catch {
        // The part that was read is played; the handler is called once.
        failure = state.handlers.removeValue(forKey: item.id).map { ($0, error) }
      }
      let isFirst = !item.hasBegun
      state.queue[0].hasBegun = true
      if block.isLast { state.queue.removeFirst() }
      state.ring.write(
        PlayerBlock(
          id: item.id, startTime: item.startTime,
          frameCount: block.channels.first?.count ?? 0, isFirst: isFirst, isLast: block.isLast),
        block.channels)
      return (true, failure)
    }
    if let (handler, error) = failure { handler(.failed(error)) }
    return goesOn
  }
}

/// The thread that reads ahead for a player. It sleeps while nothing is scheduled. It is not shared, because it waits
/// for the disk.
final class FilePlayerThread: Sendable {
  private let work: Work
  private let thread: WorkerThread

  init(_ feed: FilePlayerFeed) throws(AudioFileError) {
    let work = Work(feed)
    self.work = work
    do throws(WorkerThreadError) {
      thread = try WorkerThread(named: "file player") { work.run() }
    } catch {
      throw .noThread(reason: error.description)
    }
  }

  /// Ends the thread and waits for that, except on the thread itself, where a handler may release the player.
  deinit {
    work.isFinishing.store(true, ordering: .releasing)
    work.wake()
    if thread.isCurrent { thread.detach() } else { thread.join() }
  }

  /// Notes that a segment has been scheduled.
  func wake() { work.wake() }

  private final class Work: Sendable {
    let isFinishing = Atomic<Bool>(false)
    private let feed: FilePlayerFeed
    private let semaphore = Semaphore()

    /// The longest delay of a handler, in microseconds; the ring holds at least a second.
    private static let interval: UInt32 = 10_000

    init(_ feed: FilePlayerFeed) { self.feed = feed }

    func wake() { semaphore.signal() }

    func run() {
      while !isFinishing.load(ordering: .acquiring) {
        feed.fill()
        if feed.isIdle { semaphore.wait() } else { usleep(Self.interval) }
      }
    }
  }
}
