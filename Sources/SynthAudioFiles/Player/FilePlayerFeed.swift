import AudioGraph
import SynthDSP
import SynthRealtime

/// The control side of a file player: the schedule, which is read ahead into the ring.
final class FilePlayerFeed: ReadAhead, @unchecked Sendable {
  private let format: AudioFormat
  let desk: PlayerDesk<[Item], AudioFileError>
  /// Held while a file is read, which takes the desk's lock for moments only.
  private let reading = CheckedMutex(())

  /// A segment on its way into the ring. Its file is opened when those before it have been read.
  final class Item: @unchecked Sendable {
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

  /// The most frames in a block.
  private static let blockLength = 1024

  init(format: AudioFormat, frameCapacity: Int) {
    self.format = format
    desk = PlayerDesk(
      waiting: [], channelCount: format.channelCount, blockLength: Self.blockLength,
      minimumCapacity: max(4, frameCapacity / Self.blockLength))
  }

  /// Appends a segment, whose file is looked at and closed again.
  func schedule(
    _ segment: AudioFileSegment, at time: Int64?, _ handler: PlayerDesk<[Item], AudioFileError>.EndHandler?
  ) throws(AudioFileError) {
    _ = try SegmentReader(segment, format: format)
    try desk.schedule(handler, noThread: { .noThread(reason: $0.description) }) { state, id throws(AudioFileError) in
      state.waiting.append(Item(id: id, segment, startTime: time ?? .min))
    }
  }

  /// Calls the handlers of segments that have ended, and reads until the ring is full or everything is read.
  func fill() {
    repeat { desk.tellEnds() } while readBlock()
  }

  /// A block that is shorter than the others counts as a whole one.
  var need: ReadingNeed {
    desk.withLock { state in
      if state.waiting.isEmpty { return .none }
      if state.ring.blocks.producer.isFull { return .later }
      return .now(lead: Double(state.ring.blocks.count * Self.blockLength) / format.sampleRate)
    }
  }

  func readPiece() { _ = readBlock() }

  /// Reads one block into the ring; false if the ring is full or everything is read.
  private func readBlock() -> Bool {
    let (goesOn, failed) = reading.withLock { _ -> (Bool, (id: Int, error: AudioFileError)?) in
      // A ring that `stop` replaces meanwhile is written in vain.
      let next = desk.withLock { state -> (Item, PlayerRing)? in
        guard let item = state.waiting.first, !state.ring.blocks.producer.isFull else { return nil }
        return (item, state.ring)
      }
      guard let (item, ring) = next else { return (false, nil) }
      var block = (frames: AudioBuffer(format: format, frameCount: 0), isLast: true)
      var failed: (Int, AudioFileError)?
      do throws(AudioFileError) {
        block = try reader(of: item).read(Self.blockLength)
      } catch {
        // The part that was read is played; the handler is called once.
        failed = (item.id, error)
      }
      write(block.frames, of: item, isLast: block.isLast, into: ring.blocks.producer)
      item.hasBegun = true
      if block.isLast {
        desk.withLock { state in if state.waiting.first === item { state.waiting.removeFirst() } }
      }
      return (true, failed)
    }
    if let failed, let handler = desk.takeHandler(failed.id) { handler(.failed(failed.error)) }
    return goesOn
  }

  private func write(
    _ frames: AudioBuffer, of item: Item, isLast: Bool, into ring: BlockRing<PlayerBlock>.Producer
  ) {
    frames.withPointers { channels in
      for channel in 0..<frames.channelCount {
        copySamples(from: channels[channel], to: ring.next(channel), count: frames.frameCount)
      }
    }
    _ = ring.push(
      PlayerBlock(
        id: item.id, startTime: item.startTime, frameCount: frames.frameCount, samples: ring.next(0),
        stride: Self.blockLength, isFirst: !item.hasBegun, isLast: isLast))
  }

  private func reader(of item: Item) throws(AudioFileError) -> SegmentReader {
    if let reader = item.reader { return reader }
    let reader = try SegmentReader(item.segment, format: format)
    item.reader = reader
    return reader
  }
}
