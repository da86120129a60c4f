import Synchronization

/// Carries equalizer settings from one control thread to one audio thread without a lock; the latest wins.
///
/// A triple buffer: the writer fills one slot, the reader holds another, and the third changes hands by one atomic
/// exchange. Neither side ever waits, and a setting that nobody fetched is replaced by the next.
/// Must outlive every `EqualizerProcessor` made from it.
public final class EqualizerMailbox: @unchecked Sendable {
  /// The part both threads see.
  struct Shared: ~Copyable {
    /// The slot in nobody's hands, with `fresh` added when it has news.
    let between = Atomic<Int>(1)
  }

  /// Added to a slot's number when the writer has put something new in it.
  static let fresh = 4

  let shared: UnsafeMutablePointer<Shared>
  let slots: UnsafeMutablePointer<EqualizerCoefficients>
  private var writing = 0

  /// An empty mailbox.
  public init() {
    shared = .allocate(capacity: 1)
    shared.initialize(to: Shared())
    slots = .allocate(capacity: 3)
    slots.initialize(repeating: .flat, count: 3)
  }

  deinit {
    shared.deinitialize(count: 1)
    shared.deallocate()
    slots.deallocate()
  }

  /// Replaces whatever waits in the mailbox. [one control thread at a time]
  public func post(_ coefficients: EqualizerCoefficients) {
    slots[writing] = coefficients
    let returned = shared.pointee.between.exchange(writing | Self.fresh, ordering: .acquiringAndReleasing)
    writing = returned & ~Self.fresh
  }

  /// The reading end, held by one processor. [audio thread]
  struct Reader {
    private let shared: UnsafeMutablePointer<Shared>
    private let slots: UnsafeMutablePointer<EqualizerCoefficients>
    private var reading = 2

    /// - Parameter first: what `held` is until something is taken.
    init(_ mailbox: EqualizerMailbox, holding first: EqualizerCoefficients = .flat) {
      shared = mailbox.shared
      slots = mailbox.slots
      slots[reading] = first
    }

    /// The setting taken last, in place until the next is taken.
    var held: UnsafePointer<EqualizerCoefficients> {
      @_noLocks get { UnsafePointer(slots + reading) }
    }

    /// The newest setting, in place until the next call, or nil when nothing came since the last.
    @_noLocks mutating func take() -> UnsafePointer<EqualizerCoefficients>? {
      guard shared.pointee.between.load(ordering: .relaxed) & EqualizerMailbox.fresh != 0 else { return nil }
      let received = shared.pointee.between.exchange(reading, ordering: .acquiringAndReleasing)
      reading = received & ~EqualizerMailbox.fresh
      return held
    }
  }
}
