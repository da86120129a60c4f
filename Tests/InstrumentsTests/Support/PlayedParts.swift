import SynthInstruments
import SynthMIDI

/// A sampler that plays one note at a time for tests of what parts were told.
final class PlayedParts {
  let player: PlayedRack

  init(_ engine: SamplerEngine) throws {
    player = try BankFont.withFile { try PlayedRack([], soundFonts: [$0], engine: engine) }
  }

  func tell(_ bytes: [UInt8]) { player.play(systemExclusive: bytes) }
  func tell(_ messages: MIDIMessage...) { for message in messages { player.play(message) } }

  /// Selects an assignable parameter and sets it.
  func tell(channel: UInt8 = 0, assignable high: UInt8, _ low: UInt8, _ value: UInt8) {
    tell(
      .controlChange(channel: channel, .assignableParameter, value7: high),
      .controlChange(channel: channel, .assignableParameterLSB, value7: low),
      .controlChange(channel: channel, .dataEntry, value7: value))
  }

  /// Selects a registered parameter and sets it.
  func tell(channel: UInt8 = 0, registered number: UInt8, _ value: UInt8, _ fine: UInt8 = 0) {
    tell(
      .controlChange(channel: channel, .registeredParameter, value7: 0),
      .controlChange(channel: channel, .registeredParameterLSB, value7: number),
      .controlChange(channel: channel, .dataEntry, value7: value),
      .controlChange(channel: channel, .dataEntryLSB, value7: fine))
  }

  /// What a note of 0.2 s sounds like, left and right; silence behind it.
  func note(_ key: UInt8 = 69, channel: UInt8 = 0, velocity: UInt8 = 100) -> (left: [Float], right: [Float]) {
    player.play(.noteOn(channel: channel, note: key, velocity7: velocity))
    let sound = player.renderStereo(9600)
    player.play(.noteOff(channel: channel, note: key))
    _ = player.render(9600)
    return (Array(sound.left[4800...]), Array(sound.right[4800...]))
  }

  /// The pitch of such a note in semitones, 69 at 440 Hz, to a cent; nil for silence.
  func pitch(_ key: UInt8 = 69, channel: UInt8 = 0) -> Double? {
    let track = pitchTrack(note(key, channel: channel).left).map(\.pitch).sorted()
    return track.isEmpty ? nil : (track[track.count / 2] * 100).rounded() / 100
  }

  /// The root mean square of such a note, left and right.
  func level(_ key: UInt8 = 69, channel: UInt8 = 0, velocity: UInt8 = 100) -> (left: Double, right: Double) {
    let sound = note(key, channel: channel, velocity: velocity)
    return (rms(sound.left), rms(sound.right))
  }
}
