import AudioGraph
import SynthRealtime

/// Memory for what buses have on their way to effects beside their own sound (`Bus.sendCorrections`): a voice whose
/// drum key sends less than its channel is taken away there again. [audio thread]
struct SendCorrections: BitwiseCopyable {
  private static var size: Int {
    @_noLocks get { Bus.correctionRowCount &* renderQuantum }
  }
  /// As many as channels have keys of their own; a port seldom plays drums on two.
  private static var busCount: Int {
    @_noLocks get { midiChannelCount }
  }
  /// While quanta are rendered ahead, those that the graph has not had yet, and two that are in use.
  private static var depth: Int {
    @_noLocks get { Int(UnsafeRenderAhead.depth) &+ 2 }
  }

  private let memory: UnsafeMutablePointer<Float>
  private var quantum = 0
  private var usedCount = 0

  init() {
    memory = .allocate(capacity: Self.size * Self.busCount * Self.depth)
    // What is not rendered ahead needs these alone, and waits for no page of memory.
    memory.initialize(repeating: 0, count: Self.size * Self.busCount)
  }

  func deallocate() { memory.deallocate() }

  /// Begins a quantum.
  @_noLocks
  mutating func begin(isAhead: Bool) {
    usedCount = 0
    quantum = isAhead ? (quantum &+ 1) % Self.depth : 0
  }

  /// The corrections of a bus, zeros at first; nil where there is no memory left.
  @_noLocks
  mutating func corrections(of bus: Bus) -> UnsafeMutablePointer<Float>? {
    if let present = bus.sendCorrections { return present }
    guard usedCount < Self.busCount else { return nil }
    let new = memory + (quantum &* Self.busCount &+ usedCount) &* Self.size
    usedCount &+= 1
    new.initialize(repeating: 0, count: Self.size)
    bus.sendCorrections = new
    return new
  }
}
