import Glibc
import SynthRealtime
import Testing

@Suite("A ring of blocks", .timeLimit(.minutes(5)))
struct BlockRingTests {
  /// Two channels, three frames: the number of the block, and its negative.
  private func write(_ number: Int, to producer: BlockRing<Int>.Producer) -> Bool {
    guard !producer.isFull else { return false }
    for frame in 0..<3 {
      producer.next(0)[frame] = Float(number)
      producer.next(1)[frame] = -Float(number)
    }
    return producer.push(number)
  }

  /// The oldest block's number, if its samples are that block's.
  private func read(_ consumer: BlockRing<Int>.Consumer) -> Int? {
    guard let number = consumer.peek() else { return nil }
    for frame in 0..<3 {
      #expect(consumer.oldest(0)[frame] == Float(number))
      #expect(consumer.oldest(1)[frame] == -Float(number))
    }
    consumer.drop()
    return number
  }

  @Test("has as many blocks as a power of two, refuses one more, and takes it once there is room")
  func capacity() {
    let ring = BlockRing<Int>(channelCount: 2, blockLength: 3, minimumCapacity: 3)
    #expect(ring.capacity == 4)
    #expect((1...5).map { write($0, to: ring.producer) } == [true, true, true, true, false])
    #expect(!ring.producer.push(5))
    #expect(ring.count == 4)
    #expect(read(ring.consumer) == 1)
    #expect(write(5, to: ring.producer))
    #expect((0..<5).map { _ in read(ring.consumer) } == [2, 3, 4, 5, nil])
    #expect(ring.count == 0)
  }

  @Test("delivers every block whole and in order to another thread")
  func crossing() {
    let ring = BlockRing<Int>(channelCount: 2, blockLength: 3, minimumCapacity: 4)
    let producer = ring.producer
    let thread = RunningThread {
      for number in 0..<10_000 { while !write(number, to: producer) { sched_yield() } }
    }
    var received: [Int] = []
    while received.count < 10_000 {
      if let number = read(ring.consumer) { received.append(number) } else { sched_yield() }
    }
    thread.join()
    #expect(received == Array(0..<10_000))
  }
}
