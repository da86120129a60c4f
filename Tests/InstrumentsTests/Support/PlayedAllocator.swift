import SynthMIDI
import SynthRealtime

@testable import SynthInstruments

/// A voice allocator and the performance it follows.
final class PlayedAllocator {
  private let box = Box(Performance())
  private var allocator: VoiceAllocator
  private let places: InstrumentPlaces

  /// - Parameter places: of the parts; nil for all channels and keys.
  init(polyphony: Int, parts: [VoicePart] = [VoicePart()], places: [InstrumentPlace]? = nil) {
    allocator = VoiceAllocator(polyphony: polyphony, parts: parts)
    self.places = InstrumentPlaces(places ?? parts.map { _ in InstrumentPlace(channels: 0xFFFF) })
  }

  deinit { places.free() }

  private var performance: UnsafeMutablePointer<Performance> { box.pointer }
  var slots: UnsafeMutablePointer<VoiceSlot> { allocator.slots }
  var slotCount: Int { allocator.slotCount }
  var voiceCount: Int { allocator.voiceCount }
  var groupCount: Int { allocator.groupCount }
  var channels: UnsafePointer<ChannelState> { performance.pointee.channels }

  func play(_ message: MIDIMessage, _ systemExclusive: SystemExclusive = .other) {
    let event = EngineEvent(message, systemExclusive, followedBy: performance, places: places)
    if case .reset = systemExclusive { allocator.reset() } else { allocator.play(event, performance.pointee) }
  }

  func finish(_ index: Int) { allocator.finish(index) }

  /// The notes a key or a pedal holds.
  var heldNotes: [NoteSequence.Note] {
    var notes: Set<NoteSequence.Note> = []
    for index in 0..<slotCount where slots[index].isOn && slots[index].hold.isHeld {
      notes.insert(NoteSequence.Note(channel: slots[index].channel, key: slots[index].key))
    }
    return notes.sorted()
  }
}
