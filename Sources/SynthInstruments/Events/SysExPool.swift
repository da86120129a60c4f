import SynthRealtime

/// Memory for live System Exclusive messages: blocks that a sending thread fills and the audio thread gives back.
///
/// A message longer than a block, or one more than 32 that wait, is refused. The longest message that an engine
/// understands is a bulk tuning dump of 406 bytes.
final class SysExPool: @unchecked Sendable {
  // Unchecked: `free` belongs to the thread whose turn it is to send, a block's bytes to the thread that has the block.

  static let count = 32
  static let size = 1024

  private let memory: UnsafeMutablePointer<UInt8>
  private var free = Array(0..<SysExPool.count)
  private let returned = RingBuffer<Int>(minimumCapacity: SysExPool.count)

  init() { memory = .allocate(capacity: Self.count * Self.size) }

  deinit { memory.deallocate() }

  /// Copies bytes into a free block; nil without one. Only the thread whose turn it is to send calls it. [any
  /// thread]
  func take(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    while let block = returned.consumer.pop() { free.append(block) }
    guard let source = bytes.baseAddress, bytes.count <= Self.size, let block = free.popLast() else { return nil }
    let start = memory + block * Self.size
    start.update(from: source, count: bytes.count)
    return UnsafeBufferPointer(start: start, count: bytes.count)
  }

  /// Takes back a block that was not sent. Only the thread whose turn it is to send calls it. [any
  /// thread]
  func restore(_ payload: UnsafeBufferPointer<UInt8>) {
    if let start = payload.baseAddress { free.append((start - UnsafePointer(memory)) / Self.size) }
  }

  /// Where the audio thread gives blocks back. It does not keep them alive.
  var end: End { End(memory: UnsafePointer(memory), returned: returned.producer) }

  struct End {
    let memory: UnsafePointer<UInt8>
    let returned: RingBuffer<Int>.Producer

    /// Gives a block back. Bytes that lie elsewhere belong to a timeline and are ignored. [audio thread]
    @_noLocks
    func giveBack(_ start: UnsafePointer<UInt8>) {
      let offset = Int(bitPattern: start) &- Int(bitPattern: memory)
      guard offset >= 0, offset < SysExPool.count &* SysExPool.size else { return }
      _ = returned.push(offset / SysExPool.size)
    }
  }
}
