import SynthMIDI

/// Organ notes that sound until the end, spread over the channels.
enum HeldNotes {
  private static let drawbarOrgan: UInt8 = 16
  private static let percussion: UInt8 = 9

  /// Adds notes until so many voices sound.
  ///
  /// - Parameter play: plays a message and tells how many voices sound then.
  static func play(_ voiceCount: Int, _ play: (MIDIMessage) -> Int) throws {
    let channels = (UInt8(0)..<16).filter { $0 != percussion }
    for channel in channels { _ = play(.programChange(channel: channel, program: drawbarOrgan)) }
    var sounding = 0
    for note in UInt8(40)..<96 {
      for channel in channels where sounding < voiceCount {
        sounding = play(.noteOn(channel: channel, note: note, velocity7: 100))
      }
    }
    guard sounding == voiceCount else { throw Missed(wanted: voiceCount, sounding: sounding) }
  }

  struct Missed: Error, CustomStringConvertible {
    let wanted: Int
    let sounding: Int
    var description: String { "holding \(wanted) voices: \(sounding) sound; choose another soundfont" }
  }
}
