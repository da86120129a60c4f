import Realtime

/// Memory for System Exclusive messages that are played live: blocks that go to the audio thread and come home.
///
/// More than 32 on their way, or a longer one, is refused. The longest message a sampler acts upon is a bulk tuning dump of
/// 406 bytes.
final class PayloadBlocks: @unchecked Sendable {
  // Unchecked: `free` belongs to the sending thread, a block's bytes to whoever has the block.

  static let count = 32
  static let size = 1024

  private let memory: UnsafeMutablePointer<UInt8>
  private var free = Array(0..<PayloadBlocks.count)
  private let returned = RingBuffer<Int>(minimumCapacity: PayloadBlocks.count)

  init() { memory = .allocate(capacity: Self.count * Self.size) }

  deinit { memory.deallocate() }

  /// A copy of the bytes in a block of its own; nil if there is no room. [sending thread]
  func take(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    while let block = returned.consumer.pop() { free.append(block) }
    guard let source = bytes.baseAddress, bytes.count <= Self.size, let block = free.popLast() else { return nil }
    let start = memory + block * Self.size
    start.update(from: source, count: bytes.count)
    return UnsafeBufferPointer(start: start, count: bytes.count)
  }

  /// Takes back a block that was not sent. [sending thread]
  func restore(_ payload: UnsafeBufferPointer<UInt8>) {
    if let start = payload.baseAddress { free.append((start - UnsafePointer(memory)) / Self.size) }
  }

  /// Where the audio thread gives blocks back. It does not keep them alive.
  var end: End { End(memory: UnsafePointer(memory), returned: returned.producer) }

  struct End {
    let memory: UnsafePointer<UInt8>
    let returned: RingBuffer<Int>.Producer

    /// Gives a block back; bytes that lie elsewhere belong to somebody else. [audio thread]
    @_noLocks
    func giveBack(_ start: UnsafePointer<UInt8>) {
      let offset = Int(bitPattern: start) &- Int(bitPattern: memory)
      guard offset >= 0, offset < PayloadBlocks.count &* PayloadBlocks.size else { return }
      _ = returned.push(offset / PayloadBlocks.size)
    }
  }
}
