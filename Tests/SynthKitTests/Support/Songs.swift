import SynthMIDI
import TestSupport

/// A song at 480 ticks per quarter note and 120 bpm, so that 960 ticks are a second.
func song(_ events: [UInt8]...) throws -> Song {
  Song(try MIDIFile(bytes: smf(format: 0, tracks: [events.flatMap(\.self)])))
}

/// A note on for `ticks`, then off.
func strike(_ note: UInt8, channel: UInt8 = 0, ticks: Int) -> [UInt8] {
  [0, 0x90 | channel, note, 100] + vlq(ticks) + [0x80 | channel, note, 64]
}
