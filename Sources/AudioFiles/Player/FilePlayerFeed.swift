import Realtime
import Synchronization

/// The control side of a player: what is to be played, read ahead into the ring by whoever calls `fill`.
final class FilePlayerFeed: @unchecked Sendable {
  let cell: UnsafeMutablePointer<FilePlayerCell>
  let rings = Handoff<PlayerRing>()
  let news: RingBuffer<PlayerNews>
  private let rate: Double
  private let channelCount: Int
  private let frameCapacity: Int
  private let state: Guarded<State>

  typealias EndHandler = @Sendable (PlaybackEnd) -> Void

  private struct State: @unchecked Sendable {
    /// Not read to the end yet, in order.
    var queue: [Item] = []
    /// Whom to tell when a segment has ended, by its number, which grows.
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
    state = Guarded(State(ring: ring))
    // Between two looks at the news no more segments can end than two rings have blocks.
    news = RingBuffer(minimumCapacity: 4 * ring.capacity)
    cell = .allocate(capacity: 1)
    cell.initialize(to: FilePlayerCell())
    cell.pointee.generation.store(1, ordering: .releasing)
  }

  /// The present one, for a kernel that begins; it gets later ones by handoff.
  var ring: PlayerRing { state.withLock { $0.ring } }

  deinit {
    cell.deinitialize(count: 1)
    cell.deallocate()
  }

  /// Appends a segment.
  func schedule(_ segment: AudioFileSegment, at time: Int64?, _ handler: EndHandler?) throws(AudioFileError) {
    nonisolated(unsafe) let reader = try SegmentReader(segment, rate: rate, channelCount: channelCount)
    state.withLock { state in
      state.queue.append(Item(id: state.nextID, reader: reader, startTime: time ?? .min))
      state.handlers[state.nextID] = handler ?? { _ in }
      state.nextID += 1
    }
  }

  /// Forgets all that is scheduled, and tells so.
  ///
  /// - Parameter isCut: whether what plays ends at once, in place of fading out.
  func stop(isCut: Bool = false) {
    let handlers = state.withLock { state in
      state.ring = PlayerRing(
        channelCount: channelCount, frameCapacity: frameCapacity, generation: state.ring.reader.generation + 1)
      if isCut { cell.pointee.cutGeneration.store(state.ring.reader.generation, ordering: .relaxed) }
      publish(state.ring)
      state.queue = []
      defer { state.handlers = [:] }
      return state.handlers.sorted { $0.key < $1.key }.map(\.value)
    }
    for handler in handlers { handler(.stopped) }
  }

  /// Gives the kernel a ring. It looks for one where it sees a new generation, which has therefore to come second.
  private func publish(_ ring: PlayerRing) {
    rings.send(ring)
    cell.pointee.generation.store(ring.reader.generation, ordering: .releasing)
  }

  /// Whether nothing is scheduled that has not ended.
  var isIdle: Bool { state.withLock { $0.handlers.isEmpty } }

  /// Tells of all ends there have been, and reads until the ring is full or nothing is left to be read.
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

  /// Reads one block into the ring; false if there was no room, or nothing to read.
  private func readBlock() -> Bool {
    let (goesOn, failure) = state.withLock { state -> (Bool, (EndHandler, AudioFileError)?) in
      guard let item = state.queue.first, !state.ring.isFull else { return (false, nil) }
      var block: (channels: [[Float]], isLast: Bool) = ([], true)
      var failure: (EndHandler, AudioFileError)?
      do throws(AudioFileError) {
        block = try item.reader.read(PlayerBlock.longest)
      } catch {
        // What has been read of it is played; its end is told of once.
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
