import Synchronization

/// Hands an immutable object to the audio thread, the latest one winning, and takes its predecessor back.
///
/// The audio thread holds the object by a raw pointer and never retains or releases it. What it is done with comes home
/// through a ring and is released by the control thread at the next `send` or `collect`.
public final class Handoff<Payload: AnyObject & Sendable>: @unchecked Sendable {
  private let box = Box(PendingPointer())
  private let retired = RingBuffer<UInt>(minimumCapacity: 64)
  /// Payloads that have been sent and not released. [control thread]
  private var outstanding = 0
  /// How many of those are the one that waits to be taken over, and what it hands over itself. [control thread]
  private var pendingCount = 0

  public init() {}

  deinit {
    withdraw()
    collect()
  }

  private var pending: UnsafeMutablePointer<PendingPointer> { box.pointer }

  /// Publishes a payload in place of the present one. [control thread]
  ///
  /// - Parameter count: how many payloads come home for it: itself, and those that it hands over to the audio thread.
  public func send(_ payload: Payload, count: Int = 1) {
    let address = UInt(bitPattern: Unmanaged.passRetained(payload).toOpaque())
    dropPending(pending.pointee.address.exchange(address, ordering: .acquiringAndReleasing))
    pendingCount = count
    outstanding += count
    collect()
  }

  /// Takes back what was sent and has not been taken over yet; false if there is nothing. [control thread]
  @discardableResult
  public func withdraw() -> Bool { dropPending(pending.pointee.address.exchange(0, ordering: .acquiring)) }

  /// Whether what was sent has not been taken over yet. [control thread]
  ///
  /// Once it has, what the audio thread wrote before it took it over can be read.
  public var isPending: Bool { pending.pointee.address.load(ordering: .acquiring) != 0 }

  /// Releases the payloads the audio thread is done with. [control thread]
  ///
  /// - Returns: whether it is done with all but the latest.
  @discardableResult
  public func collect() -> Bool {
    while let address = retired.consumer.pop() {
      outstanding -= 1
      release(address)
    }
    return outstanding <= 1
  }

  /// The audio thread's end. It does not keep the handoff alive.
  public var receiver: Receiver { Receiver(pending: pending, retired: retired.producer) }

  @discardableResult
  private func dropPending(_ address: UInt) -> Bool {
    guard address != 0 else { return false }
    outstanding -= pendingCount
    release(address)
    return true
  }

  private func release(_ address: UInt) {
    guard let pointer = UnsafeMutableRawPointer(bitPattern: address) else { return }
    Unmanaged<Payload>.fromOpaque(pointer).release()
  }

  /// The receiving end: adopts what was sent last and gives back what it replaces. [audio thread]
  public struct Receiver: @unchecked Sendable {
    @usableFromInline let pending: UnsafeMutablePointer<PendingPointer>
    @usableFromInline let retired: RingBuffer<UInt>.Producer

    /// Takes over what was sent, if anything was, and sends the present payload home. [audio thread]
    ///
    /// With 64 payloads on their way home none is taken until the control thread has collected.
    @inlinable public func adopt(_ present: inout Unmanaged<Payload>?) -> Bool {
      guard pending.pointee.address.load(ordering: .relaxed) != 0, !retired.isFull else { return false }
      let address = pending.pointee.address.exchange(0, ordering: .acquiringAndReleasing)
      guard let pointer = UnsafeMutableRawPointer(bitPattern: address) else { return false }
      if let present { _ = retired.push(UInt(bitPattern: present.toOpaque())) }
      present = Unmanaged.fromOpaque(pointer)
      return true
    }

    /// Whether something was sent that is not adopted yet. What was written before it was sent can be read then. [audio
    /// thread]
    @inlinable public var isWaiting: Bool { pending.pointee.address.load(ordering: .acquiring) != 0 }

    /// Whether a payload can be sent home. [audio thread]
    @inlinable public var hasRoom: Bool { !retired.isFull }

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
