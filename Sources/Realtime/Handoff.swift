import Synchronization

/// Hands an immutable object to the audio thread, the latest one winning, and takes its predecessor back.
///
/// The audio thread holds the object by a raw pointer and never retains or releases it. What it is done with comes home
/// through a ring and is released by the control thread at the next `send` or `collect`.
public final class Handoff<Payload: AnyObject & Sendable>: @unchecked Sendable {
  private let pending: UnsafeMutablePointer<PendingPointer>
  private let retired = RingBuffer<UInt>(minimumCapacity: 64)
  /// Payloads that have been sent and not released. [control thread]
  private var outstanding = 0

  public init() {
    pending = .allocate(capacity: 1)
    pending.initialize(to: PendingPointer())
  }

  deinit {
    release(pending.pointee.address.exchange(0, ordering: .acquiring))
    collect()
    pending.deinitialize(count: 1)
    pending.deallocate()
  }

  /// Publishes a payload in place of the present one. [control thread]
  public func send(_ payload: Payload) {
    let address = UInt(bitPattern: Unmanaged.passRetained(payload).toOpaque())
    outstanding += 1
    release(pending.pointee.address.exchange(address, ordering: .acquiringAndReleasing))
    collect()
  }

  /// Takes back what was sent and has not been taken over yet. [control thread]
  public func withdraw() { release(pending.pointee.address.exchange(0, ordering: .acquiring)) }

  /// Releases the payloads the audio thread is done with. [control thread]
  ///
  /// - Returns: whether it is done with all but the latest.
  @discardableResult
  public func collect() -> Bool {
    while let address = retired.consumer.pop() { release(address) }
    return outstanding <= 1
  }

  /// The audio thread's end. It does not keep the handoff alive.
  public var receiver: Receiver { Receiver(pending: pending, retired: retired.producer) }

  private func release(_ address: UInt) {
    guard let pointer = UnsafeMutableRawPointer(bitPattern: address) else { return }
    outstanding -= 1
    Unmanaged<Payload>.fromOpaque(pointer).release()
  }

  public struct Receiver: @unchecked Sendable {
    @usableFromInline let pending: UnsafeMutablePointer<PendingPointer>
    @usableFromInline let retired: RingBuffer<UInt>.Producer

    /// Takes over what was sent, if anything was, and sends the present payload home. [audio thread]
    ///
    /// With 64 payloads on their way home none is taken until the control thread has collected.
    @inlinable public func adopt(_ present: inout Unmanaged<Payload>?) -> Bool {
      guard pending.pointee.address.load(ordering: .relaxed) != 0, !retired.isFull else { return false }
      let address = pending.pointee.address.exchange(0, ordering: .acquiring)
      guard let pointer = UnsafeMutableRawPointer(bitPattern: address) else { return false }
      if let present { _ = retired.push(UInt(bitPattern: present.toOpaque())) }
      present = Unmanaged.fromOpaque(pointer)
      return true
    }

    /// Whether something was sent that is not adopted yet. [audio thread]
    @inlinable public var isWaiting: Bool { pending.pointee.address.load(ordering: .relaxed) != 0 }

    /// Sends a payload home that was kept beyond its successor; false when there is no room on the way. [audio thread]
    @inlinable public func retire(_ payload: Unmanaged<Payload>) -> Bool {
      retired.push(UInt(bitPattern: payload.toOpaque()))
    }
  }
}

/// The address of a retained object on its way to the audio thread; 0 when there is none.
@usableFromInline struct PendingPointer: ~Copyable {
  @usableFromInline let address = Atomic<UInt>(0)
}
