import Glibc
import Synchronization
import SynthDSP
import SynthRealtime

/// The control side of a player: the schedule, which is read ahead into the ring.
final class FilePlayerFeed: ReadAhead, @unchecked Sendable {
  private let box = Box(FilePlayerCell())
  let rings = Handoff<PlayerRing>()
  let news: RingBuffer<PlayerNews>
  private let rate: Double
  private let channelCount: Int
  private let frameCapacity: Int
  private let state: CheckedMutex<State>
  /// Held while a file is read, which takes the state's lock for moments only.
  private let reading = CheckedMutex(())

  typealias EndHandler = @Sendable (PlaybackEnd) -> Void

  private struct State: @unchecked Sendable {
    /// The segments that are not completely read, in order.
    var queue: [Item] = []
    /// Called when a segment has ended; by the segment's number.
    var handlers: [Int: EndHandler] = [:]
    var nextID = 0
    var ring: PlayerRing
    /// Calls the handlers, as long as there are any.
    var telling: Housekeeper.Job?
  }

  /// A segment on its way into the ring. Its file is opened when those before it have been read.
  private final class Item: @unchecked Sendable {
    // Unchecked: what varies is used under the lock of `reading`.
    let id: Int
    let segment: AudioFileSegment
    let startTime: Int64
    var reader: SegmentReader?
    var hasBegun = false

    init(id: Int, _ segment: AudioFileSegment, startTime: Int64) {
      (self.id, self.segment, self.startTime) = (id, segment, startTime)
    }
  }

  /// Tells the ends of all players, which may take longer than reading can wait.
  private static let teller = Housekeeper(named: "player ends")

  init(rate: Double, channelCount: Int, frameCapacity: Int) {
    self.rate = rate
    self.channelCount = channelCount
    self.frameCapacity = frameCapacity
    let ring = PlayerRing(channelCount: channelCount, frameCapacity: frameCapacity, generation: 1)
    state = CheckedMutex(State(ring: ring))
    // Between two calls of `tellEnds` no more segments can end than two rings have blocks.
    news = RingBuffer(minimumCapacity: 4 * ring.blocks.capacity)
    cell.pointee.generation.store(1, ordering: .releasing)
  }

  /// The state shared with the kernel.
  var cell: UnsafeMutablePointer<FilePlayerCell> { box.pointer }

  /// The present ring, for a new kernel; it gets later ones by handoff.
  var ring: PlayerRing { state.withLock { $0.ring } }

  /// Appends a segment, whose file is looked at and closed again.
  func schedule(_ segment: AudioFileSegment, at time: Int64?, _ handler: EndHandler?) throws(AudioFileError) {
    _ = try SegmentReader(segment, rate: rate, channelCount: channelCount)
    do throws(WorkerThreadError) {
      try state.withLock { state throws(WorkerThreadError) in
        if state.telling == nil {
          state.telling = try Self.teller.add(every: 10) { [weak self] in self?.tellEnds() }
        }
        state.queue.append(Item(id: state.nextID, segment, startTime: time ?? .min))
        state.handlers[state.nextID] = handler ?? { _ in }
        state.nextID += 1
      }
    } catch {
      throw .noThread(reason: error.description)
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
      defer {
        state.handlers = [:]
        endTelling(&state)
      }
      return state.handlers.sorted { $0.key < $1.key }.map(\.value)
    }
    for handler in handlers { handler(.stopped) }
  }

  /// Gives the kernel a ring. A new generation makes the kernel look for one, so it is stored after that.
  private func publish(_ ring: PlayerRing) {
    rings.send(ring)
    cell.pointee.generation.store(ring.generation, ordering: .releasing)
  }

  /// Calls the handlers of segments that have ended, and reads until the ring is full or everything is read.
  func fill() {
    repeat { tellEnds() } while readBlock()
  }

  /// A block that is shorter than the others counts as a whole one.
  var need: ReadingNeed {
    state.withLock { state in
      if state.queue.isEmpty { return .none }
      if state.ring.blocks.producer.isFull { return .later }
      return .now(lead: Double(state.ring.blocks.count * PlayerBlock.longest) / rate)
    }
  }

  func readPiece() { _ = readBlock() }

  private func tellEnds() {
    let ends = state.withLock { state in
      var ends: [(EndHandler, Int64)] = []
      while let end = news.consumer.pop() {
        if let handler = state.handlers.removeValue(forKey: end.id) { ends.append((handler, end.sampleTime)) }
      }
      endTelling(&state)
      return ends
    }
    for (handler, time) in ends { handler(.played(until: time)) }
  }

  private func endTelling(_ state: inout State) {
    guard state.handlers.isEmpty, let telling = state.telling else { return }
    Self.teller.remove(telling)
    state.telling = nil
  }

  /// Reads one block into the ring; false if the ring is full or everything is read.
  private func readBlock() -> Bool {
    let (goesOn, failure) = reading.withLock { _ -> (Bool, (EndHandler, AudioFileError)?) in
      // A ring that `stop` replaces meanwhile is written in vain.
      let next = state.withLock { state -> (Item, PlayerRing)? in
        guard let item = state.queue.first, !state.ring.blocks.producer.isFull else { return nil }
        return (item, state.ring)
      }
      guard let (item, ring) = next else { return (false, nil) }
      var block: (channels: [[Float]], isLast: Bool) = ([], true)
      var failure: (EndHandler, AudioFileError)?
      do throws(AudioFileError) {
        block = try reader(of: item).read(PlayerBlock.longest)
      } catch {
        // The part that was read is played; the handler is called once.
        failure = state.withLock { $0.handlers.removeValue(forKey: item.id) }.map { ($0, error) }
      }
      ring.write(
        PlayerBlock(
          id: item.id, startTime: item.startTime,
          frameCount: block.channels.first?.count ?? 0, isFirst: !item.hasBegun, isLast: block.isLast),
        block.channels)
      item.hasBegun = true
      if block.isLast {
        state.withLock { state in if state.queue.first === item { state.queue.removeFirst() } }
      }
      return (true, failure)
    }
    if let (handler, error) = failure { handler(.failed(error)) }
    return goesOn
  }

  private func reader(of item: Item) throws(AudioFileError) -> SegmentReader {
    if let reader = item.reader { return reader }
    let reader = try SegmentReader(item.segment, rate: rate, channelCount: channelCount)
    item.reader = reader
    return reader
  }
}
