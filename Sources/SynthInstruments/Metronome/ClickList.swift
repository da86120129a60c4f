import SynthRealtime

/// The clicks of a quantum, on their way from the song's reader to a metronome that renders the same quantum after it.
final class ClickList: @unchecked Sendable {
  // Unchecked because of the memory, which the audio thread alone uses.
  let memory: ClickMemory

  init() { memory = ClickMemory() }

  deinit { memory.free() }
}

/// A click in a quantum.
struct Click: BitwiseCopyable {
  /// From the start of the quantum, in frames.
  var offset = 0
  /// Whether it begins a bar.
  var isFirst = false
  /// Whether it is heard without a metronome too.
  var isCountIn = false
}

/// The entries of a list. It does not keep them alive. [audio thread]
struct ClickMemory: BitwiseCopyable, @unchecked Sendable {
  // Unchecked because of the pointers, see `ClickList`.

  /// Beats are 20 ms apart, 5 ms at the highest tempo, so that a quantum at 8 kHz has two, and a few more with loops.
  static var capacity: Int {
    @_noLocks get { 8 }
  }

  private struct State {
    var time: Int64 = 0
    var count = 0
    var hasSong = false
    var isMuted = false
  }

  private let state: UnsafeMutablePointer<State>
  private let clicks: UnsafeMutablePointer<Click>

  init() {
    state = .allocate(capacity: 1)
    state.initialize(to: State())
    clicks = .allocate(capacity: Self.capacity)
    clicks.initialize(repeating: Click(), count: Self.capacity)
  }

  func free() {
    state.deallocate()
    clicks.deallocate()
  }

  /// Has nothing written, because nobody renders the same quantum. Not while something renders. [control thread]
  func mute(_ isMuted: Bool) {
    begin(at: 0, hasSong: false)
    state.pointee.isMuted = isMuted
  }

  /// Empties it as a quantum begins.
  @_noLocks
  func begin(at time: Int64, hasSong: Bool) {
    guard !state.pointee.isMuted else { return }
    state.pointee.time = time
    state.pointee.count = 0
    state.pointee.hasSong = hasSong
  }

  /// Adds a click at a frame of the quantum, not before the last one. One too many is left out.
  @_noLocks
  func add(at frame: Int64, isFirst: Bool, isCountIn: Bool) {
    let count = state.pointee.count
    guard count < Self.capacity, !state.pointee.isMuted else { return }
    let offset = min(max(Int(frame &- state.pointee.time), 0), renderQuantum &- 1)
    clicks[count] = Click(offset: offset, isFirst: isFirst, isCountIn: isCountIn)
    state.pointee.count = count &+ 1
  }

  /// Whether there is a song, which says where clicks are.
  var hasSong: Bool {
    @_noLocks get { state.pointee.hasSong }
  }

  var count: Int {
    @_noLocks get { state.pointee.count }
  }

  subscript(index: Int) -> Click {
    @_noLocks get { clicks[index] }
  }
}
