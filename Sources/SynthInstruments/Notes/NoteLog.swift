import AudioGraph
import SynthMIDI
import SynthRealtime

/// What became of the notes of a timeline: when each sounded, with which preset, and whether its voice was stolen.
///
/// The audio thread writes it, into an entry for each event of the timeline, so that nothing can be lost or has to
/// wait. It is read once the rendering is over. A passage that is repeated has one entry for all its passes.
public final class NoteLog: @unchecked Sendable {
  // Unchecked because of the memory: the audio thread writes it, and it is read when that is over.
  let memory: NoteMemory

  /// Allocates 40 bytes for each event. [control thread]
  public init(of timeline: Timeline) { memory = NoteMemory(count: timeline.events.count) }

  deinit { memory.free() }

  /// What became of an event that is a note. [control thread]
  public subscript(event: Int) -> NoteTrace { memory[event] }
}

/// What became of one note.
public struct NoteTrace: BitwiseCopyable, Sendable {
  /// Its first frame, on the clock of the rack; `Int64.max` if it was never heard.
  public internal(set) var start = Int64.max
  /// The frame after the quantum in which the last of its voices ended.
  public internal(set) var end = Int64.min
  /// Whether a voice of it was ended because another note needed it.
  public internal(set) var isStolen = false
  /// The key it was played on, which a transposed song does not have; nil if it was never played.
  public internal(set) var key: UInt8?
  /// The rack, the engine in it and its code for the preset; 0 for none.
  var rack: UInt32 = 0
  var engine = 0
  var preset: UInt32 = 0

  init() {}
}

extension RackNode {
  /// What a note was played with; nil for nothing. Known while the rack has the instruments that played it. [any
  /// thread]
  ///
  /// - Parameter channel: among those of all ports, from 0.
  public func preset(of note: NoteTrace, onChannel channel: Int) -> ChannelPreset? {
    note.preset == 0 ? nil : preset(ofRack: note.rack, engine: note.engine, code: note.preset, channel: channel)
  }
}

/// The entries of a log. It does not keep them alive. [audio thread]
struct NoteMemory: BitwiseCopyable, @unchecked Sendable {
  // Unchecked because of the pointer, see `NoteLog`.
  private let traces: UnsafeMutablePointer<NoteTrace>
  private let count: Int

  init(count: Int) {
    self.count = count
    traces = .allocate(capacity: count)
    traces.initialize(repeating: NoteTrace(), count: count)
  }

  func free() { traces.deallocate() }

  subscript(event: Int) -> NoteTrace { traces[event] }

  /// A note's entry, by its number: events count from 1, and 0 stands for a note that is not recorded.
  @_noLocks
  func trace(of note: UInt32) -> UnsafeMutablePointer<NoteTrace>? {
    note > 0 && note <= count ? traces + (Int(note) &- 1) : nil
  }
}
