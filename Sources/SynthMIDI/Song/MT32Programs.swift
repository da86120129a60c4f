/// What General MIDI has for the sounds of Roland's MT-32.
///
/// Source: the tables of timbres and rhythm sounds in the MT-32's owner's manual; for each the closest instrument of
/// General MIDI. Sounds that a song loads into the MT-32 by itself are not known here.
enum MT32Programs {
  /// The program of General MIDI for each of the MT-32.
  static let programs: [UInt8] = [
    0, 1, 2, 4, 5, 4, 5, 3,  // AcouPiano1 to Honkytonk
    16, 17, 18, 16, 19, 19, 20, 21,  // ElecOrgan1 to Accordion
    6, 6, 6, 7, 7, 7, 8, 8,  // Harpsi1 to Celesta2
    62, 63, 62, 63, 38, 39, 38, 39,  // SynBrass1 to SynBass4
    88, 89, 52, 98, 97, 99, 14, 54,  // Fantasy to FunnyVox
    102, 96, 68, 95, 81, 87, 112, 80,  // EchoBell to SquareWave
    48, 48, 49, 45, 40, 40, 42, 42,  // StrSect1 to Cello2
    43, 46, 46, 24, 25, 28, 27, 104,  // Contrabass to Sitar
    32, 32, 34, 33, 36, 37, 35, 35,  // AcouBass1 to Fretless2
    73, 73, 72, 72, 74, 75, 64, 65,  // Flute1 to Sax2
    66, 67, 71, 71, 68, 69, 70, 22,  // Sax3 to Harmonica
    56, 59, 57, 57, 60, 60, 58, 61,  // Trumpet1 to BrsSect1
    61, 11, 11, 12, 14, 9, 14, 13,  // BrsSect2 to Xylophone
    12, 107, 111, 77, 78, 78, 76, 121,  // Marimba to BreathPipe
    47, 117, 117, 118, 118, 116, 115, 119,  // Timpani to Cymbal
    115, 112, 55, 124, 123, 94, 98, 104,  // Castanets to JungleTune
  ]

  /// The keys of the rhythm part that General MIDI has elsewhere: the second open hi-hat, and the quijada.
  static let drumKeys: [UInt8: UInt8] = [44: 46, 73: 58]

  /// A message of a song for the MT-32 as General MIDI has it. The MT-32 has 0 of the pan controller on the right.
  static func mapped(_ message: MIDIMessage) -> MIDIMessage {
    let isRhythm = message.channel == GeneralMIDI.drumChannel
    switch message.kind {
    case .programChange where !isRhythm:
      return .programChange(channel: message.channel, program: programs[Int(message.program & 0x7F)])
        .onGroup(message.group)
    case .controlChange where message.controller == .pan:
      return .controlChange(channel: message.channel, .pan, value7: message.value7 == 0 ? 127 : 128 - message.value7)
        .onGroup(message.group)
    case .noteOn where isRhythm:
      guard let key = drumKeys[message.note] else { return message }
      return message.onNote(key)
    case .noteOff where isRhythm:
      guard let key = drumKeys[message.note] else { return message }
      return message.onNote(key)
    default: return message
    }
  }
}

extension Song {
  /// The song as General MIDI has it, up to where it resets another kind of synthesizer than an MT-32.
  package func mappedFromMT32() -> Song {
    var song = self
    for index in events.indices {
      let event = events[index]
      if event.message.kind == .systemExclusive {
        if let standard = MIDIStandard(payload(of: event)), standard != .mt32 { break }
        continue
      }
      song.events[index] = Event(
        seconds: event.seconds, tick: event.tick, track: event.track, message: MT32Programs.mapped(event.message),
        payload: event.payload)
    }
    return song
  }
}

/// Whether programs of an MT-32 are played as those of General MIDI.
package enum MT32Mapping: String, CaseIterable, Sendable {
  /// Those of songs that are for an MT-32.
  case auto
  /// Those of all songs.
  case on
  /// None.
  case off

  /// A song as it is played.
  package func applied(to song: Song) -> Song {
    self == .on || self == .auto && song.isForMT32 ? song.mappedFromMT32() : song
  }
}
