import SynthMIDI
import TestSupport
import Testing

@Suite("A source that leaves has what it holds released")
struct HeldStateTests {
  private var held = HeldState()

  @Test("its notes, and not those it has let go")
  mutating func notes() {
    held.follow(.noteOn(channel: 2, note: 60, velocity7: 100), from: 1)
    held.follow(.noteOn(channel: 2, note: 64, velocity7: 100), from: 1)
    held.follow(.noteOff(channel: 2, note: 60), from: 1)
    #expect(held.releaseMessages(of: 1) == [.noteOff(channel: 2, note: 64)])
    #expect(held.releaseMessages(of: 1).isEmpty)
  }

  @Test("the lowest and the highest key, and those at the seam of the two words they are kept in")
  mutating func allKeys() {
    for key in [0, 63, 64, 127] as [UInt8] { held.follow(.noteOn(channel: 15, note: key, velocity7: 1), from: 1) }
    #expect(held.releaseMessages(of: 1).map(\.note) == [0, 63, 64, 127])
  }

  @Test("and the note-off of an older note is not that of the new one, which begins at the same time")
  mutating func struckAgain() {
    let on = MIDIMessage.noteOn(channel: 0, note: 60, velocity7: 100)
    let off = MIDIMessage.noteOff(channel: 0, note: 60)
    let played = [(on, 0), (on, 5), (off, 5), (off, 9), (on, 10), (off, 10), (on, 20), (off, 21)]
      .map { held.follow($0.0, from: 1, at: Int64($0.1)) }
    #expect(played == [true, true, false, true, true, true, true, true])
    held.follow(on, from: 1, at: 30)
    held.follow(on, from: 1, at: 31)
    held.follow(off, from: 1, at: 31)
    #expect(held.releaseMessages(of: 1) == [off])
  }

  @Test("but not what another source holds as well")
  mutating func shared() {
    for source in [1, 2] as [UInt32] {
      held.follow(.noteOn(channel: 0, note: 60, velocity7: 100), from: source)
      held.follow(.controlChange(channel: 0, .sustain, value7: 127), from: source)
      held.follow(.pitchBend(channel: 0, bend14: 0), from: source)
    }
    held.follow(.noteOn(channel: 1, note: 60, velocity7: 100), from: 2)
    #expect(held.releaseMessages(of: 1).isEmpty)
    #expect(
      held.releaseMessages(of: 2) == [
        .noteOff(channel: 0, note: 60), .pitchBend(channel: 0, bend14: 8192),
        .controlChange(channel: 0, .sustain, value7: 0), .noteOff(channel: 1, note: 60),
      ])
  }

  @Test("and what another source still holds is not let go")
  mutating func heldByAnother() {
    let pedals: [Controller] = [.sustain, .sostenuto, .soft, .legato]
    let key = MIDIMessage.noteOn(channel: 0, note: 60, velocity7: 100)
    let holds = [key] + pedals.map { .controlChange(channel: 0, $0, value7: 127) }
    let releases =
      [MIDIMessage.noteOff(channel: 0, note: 60)] + pedals.map { .controlChange(channel: 0, $0, value7: 0) }
    // Other channels and keys have nothing to do with it.
    let others = [MIDIMessage.noteOff(channel: 1, note: 60), .noteOff(channel: 0, note: 61)]
    let played = [(holds, 1), (holds, 2), (releases, 1), (others, 1), (releases, 2), (releases, 3)].map {
      messages, source in messages.map { held.follow($0, from: UInt32(source)) }
    }
    #expect(played.map { $0.allSatisfy { $0 } } == [true, true, false, true, true, true])
    #expect(played[2] == Array(repeating: false, count: 5))
  }

  @Test("and a channel mode message of one ends what the others hold on its channel")
  mutating func channelMode() {
    for channel in [0, 1] as [UInt8] { held.follow(.noteOn(channel: channel, note: 60, velocity7: 100), from: 1) }
    held.follow(.controlChange(channel: 0, .allNotesOff, value7: 0), from: 2)
    let played = ([0, 1] as [UInt8]).map { held.follow(.noteOff(channel: $0, note: 60), from: 2) }
    #expect(played == [true, false])
  }

  @Test(
    "each pedal, wheel and pressure, once it is away from its rest",
    arguments: [
      (
        MIDIMessage.controlChange(channel: 0, .sustain, value7: 64),
        MIDIMessage.controlChange(channel: 0, .sustain, value7: 0)
      ),
      (.controlChange(channel: 0, .sostenuto, value7: 127), .controlChange(channel: 0, .sostenuto, value7: 0)),
      (.controlChange(channel: 0, .soft, value7: 127), .controlChange(channel: 0, .soft, value7: 0)),
      (.controlChange(channel: 0, .legato, value7: 127), .controlChange(channel: 0, .legato, value7: 0)),
      (.controlChange(channel: 0, .modulation, value7: 1), .controlChange(channel: 0, .modulation, value7: 0)),
      (.channelPressure(channel: 0, value7: 1), .channelPressure(channel: 0, value7: 0)),
      (.polyPressure(channel: 0, note: 60, value7: 1), .polyPressure(channel: 0, note: 60, value7: 0)),
      (.pitchBend(channel: 0, bend14: 8193), .pitchBend(channel: 0, bend14: 8192)),
    ])
  mutating func controls(moved: MIDIMessage, atRest: MIDIMessage) {
    held.follow(moved, from: 1)
    held.follow(atRest, from: 1)
    #expect(held.releaseMessages(of: 1).isEmpty)
    held.follow(moved, from: 1)
    #expect(held.releaseMessages(of: 1) == [atRest])
  }

  @Test("nothing that it has itself reset: controllers by 121, notes by 120 and 123")
  mutating func resets() {
    held.follow(.controlChange(channel: 0, .sustain, value7: 127), from: 1)
    held.follow(.controlChange(channel: 0, .resetAllControllers, value7: 0), from: 1)
    for mode in [Controller.allSoundOff, .allNotesOff] {
      held.follow(.noteOn(channel: 0, note: 60, velocity7: 100), from: 1)
      held.follow(.controlChange(channel: 0, mode, value7: 0), from: 1)
    }
    #expect(held.releaseMessages(of: 1).isEmpty)
  }

  @Test("volume, program and the like stay as they are")
  mutating func settings() {
    held.follow(.controlChange(channel: 0, .volume, value7: 1), from: 1)
    held.follow(.programChange(channel: 0, program: 5), from: 1)
    #expect(held.releaseMessages(of: 1).isEmpty)
  }

  @Test("Whatever any number of sources sends, in the end nothing is held that was not released")
  mutating func random() {
    var generator = SplitMix64(seed: 1)
    var sounding: [UInt32: Set<UInt16>] = [:]
    for _ in 0..<10_000 {
      let source = UInt32.random(in: 0..<4, using: &generator)
      let key = UInt8.random(in: 0..<6, using: &generator)
      let channel = UInt8.random(in: 0..<2, using: &generator)
      let note = UInt16(channel) << 8 | UInt16(key)
      switch UInt8.random(in: 0..<20, using: &generator) {
      case 0:
        let own = sounding.removeValue(forKey: source) ?? []
        let others = sounding.values.reduce(Set()) { $0.union($1) }
        let released = held.releaseMessages(of: source).map { UInt16($0.channel) << 8 | UInt16($0.note) }
        #expect(Set(released) == own.subtracting(others))
      case 1..<10:
        held.follow(.noteOff(channel: channel, note: key), from: source)
        sounding[source]?.remove(note)
      default:
        held.follow(.noteOn(channel: channel, note: key, velocity7: 1), from: source)
        sounding[source, default: []].insert(note)
      }
    }
    let left = sounding.values.reduce(Set()) { $0.union($1) }
    #expect(held.releaseMessages().count == left.count)
  }
}
