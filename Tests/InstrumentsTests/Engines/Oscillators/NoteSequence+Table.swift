// The table of sequences. Controllers: 64 sustain, 66 sostenuto, 67 soft, 120 all sound off, 121 reset all controllers,
// 123 all notes off, 124–127 omni and mono modes, 100/101 and 98/99 parameter numbers, 6/38 data entry.
//
// FluidSynth 2.3 differs in the sostenuto pedal alone: letting it go ends what the sustain pedal holds too, it does not
// take hold of what only the sustain pedal holds, and sent twice it takes hold again.

extension NoteSequence {
  static let all = notes + sustain + sostenuto + modes + programs + parameters + monophony

  private static let notes = [
    NoteSequence("a note is held until its key is let go", "on 60 → 60", "off 60 →"),
    NoteSequence("notes are held apart", "on 60, on 64 → 60 64", "off 60 → 64", "off 64 →"),
    NoteSequence("a key that is not down is let go in vain", "off 60 →", "on 60 → 60", "off 61 → 60"),
    NoteSequence("letting go twice is letting go", "on 60 → 60", "off 60 →", "off 60 →"),
    NoteSequence("a key struck twice is one note", "on 60 → 60", "on 60 → 60", "off 60 →"),
    NoteSequence("channels are apart", "on 60, 2: on 60 → 60 2:60", "off 60 → 2:60", "2: off 60 →"),
    NoteSequence("the piano's lowest and highest keys are keys", "on 21, on 108 → 21 108", "off 21 → 108", "off 108 →"),
    NoteSequence("a bend holds nothing and lets nothing go", "on 60 → 60", "bend 16383 → 60", "off 60 →"),
    NoteSequence("pressure holds nothing and lets nothing go", "on 60 → 60", "pressure 127 → 60", "off 60 →"),
    NoteSequence(
      "volume 0 lets no note go", "on 60 → 60", "cc 7 0, cc 11 0 → 60", "cc 7 100, cc 11 127 → 60", "off 60 →"),
  ]

  private static let sustain = [
    NoteSequence("the pedal holds what is let go", "on 60, cc 64 127 → 60", "off 60 → 60", "cc 64 0 →"),
    NoteSequence("the pedal holds what is played after it", "cc 64 127 →", "on 60 → 60", "off 60 → 60", "cc 64 0 →"),
    NoteSequence("what was let go before the pedal is not held", "on 60, off 60 →", "cc 64 127 →", "cc 64 0 →"),
    NoteSequence("a key outlasts the pedal", "cc 64 127, on 60 → 60", "cc 64 0 → 60", "off 60 →"),
    NoteSequence("the pedal is down from 64 on", "on 60, cc 64 64, off 60 → 60", "cc 64 63 →"),
    NoteSequence("63 is up", "on 60, cc 64 63 → 60", "off 60 →"),
    NoteSequence("half-way values leave the pedal down", "cc 64 127, on 60, off 60 → 60", "cc 64 80 → 60", "cc 64 0 →"),
    NoteSequence(
      "a key struck again under the pedal is one note", "cc 64 127, on 60, off 60 → 60", "on 60 → 60", "cc 64 0 → 60",
      "off 60 →"),
    NoteSequence(
      "the pedal holds its own channel", "cc 64 127, on 60, 2: on 60 → 60 2:60", "off 60, 2: off 60 → 60", "cc 64 0 →"),
    NoteSequence(
      "the pedal holds many", "cc 64 127, on 60, on 64, on 67, off 60, off 64, off 67 → 60 64 67", "cc 64 0 →"),
    NoteSequence("the soft pedal holds nothing", "cc 67 127, on 60 → 60", "off 60 →", "cc 67 0 →"),
  ]

  private static let sostenuto = [
    NoteSequence("sostenuto holds the keys that are down", "on 60, cc 66 127 → 60", "off 60 → 60", "cc 66 0 →"),
    NoteSequence(
      "sostenuto does not hold what comes after it", "on 60, cc 66 127, on 64 → 60 64", "off 64 → 60", "off 60 → 60",
      "cc 66 0 →"),
    NoteSequence("a key outlasts sostenuto", "on 60, cc 66 127, cc 66 0 → 60", "off 60 →"),
    NoteSequence(
      "sostenuto and sustain each hold", "on 60, cc 66 127, cc 64 127, off 60 → 60", "cc 66 0 → 60 |", "cc 64 0 →"),
    NoteSequence(
      "sustain and sostenuto each hold", "on 60, cc 66 127, cc 64 127, off 60 → 60", "cc 64 0 → 60", "cc 66 0 →"),
    NoteSequence(
      "what sustain holds when sostenuto goes down is held by both", "cc 64 127, on 60, off 60, cc 66 127 → 60",
      "cc 64 0 → 60 |", "cc 66 0 →"),
    NoteSequence(
      "a captured key struck again stays captured, as its damper is up", "on 60, cc 66 127, off 60 → 60",
      "on 60 → 60", "off 60 → 60", "cc 66 0 →"),
    NoteSequence(
      "sostenuto sent twice captures once", "on 60, cc 66 127, on 64, cc 66 127 → 60 64",
      "off 64, off 60 → 60 | 60 64", "cc 66 0 →"),
  ]

  private static let modes = [
    NoteSequence("all notes off lets all keys go", "on 60, on 64 → 60 64", "cc 123 0 →"),
    NoteSequence("all notes off leaves what the pedal holds", "cc 64 127, on 60 → 60", "cc 123 0 → 60", "cc 64 0 →"),
    NoteSequence("all notes off leaves what sostenuto holds", "on 60, cc 66 127 → 60", "cc 123 0 → 60", "cc 66 0 →"),
    NoteSequence("all notes off is for its channel", "on 60, 2: on 60, cc 123 0 → 2:60"),
    NoteSequence("all sound off ends all notes", "on 60, on 64 → 60 64", "cc 120 0 →"),
    NoteSequence("all sound off ends what the pedal holds", "cc 64 127, on 60, off 60 → 60", "cc 120 0 →"),
    NoteSequence("all sound off leaves the pedal down", "cc 64 127, cc 120 0, on 60, off 60 → 60", "cc 64 0 →"),
    NoteSequence("all sound off is for its channel", "on 60, 2: on 60, cc 120 0 → 2:60"),
    NoteSequence("omni off lets all keys go", "on 60 → 60", "cc 124 0 →"),
    NoteSequence("omni on lets all keys go", "on 60 → 60", "cc 125 0 →"),
    NoteSequence("mono on lets all keys go", "on 60 → 60", "cc 126 1 →"),
    NoteSequence("poly on lets all keys go", "on 60 → 60", "cc 127 0 →"),
    NoteSequence("a reset lets the pedal go", "cc 64 127, on 60, off 60 → 60", "cc 121 0 →"),
    NoteSequence("a reset lets sostenuto go", "on 60, cc 66 127, off 60 → 60", "cc 121 0 →"),
    NoteSequence("a reset leaves keys that are down", "cc 64 127, on 60, cc 121 0 → 60", "off 60 →"),
    NoteSequence("a General MIDI reset ends everything", "cc 64 127, on 60, off 60, 2: on 60 → 60 2:60", "gm →"),
  ]

  private static let programs = [
    NoteSequence("a program change leaves what sounds", "on 60 → 60", "program 40 → 60", "off 60 →"),
    NoteSequence("a bank alone changes nothing", "on 60, cc 0 1, cc 32 2 → 60", "off 60 →"),
    NoteSequence(
      "bank and program leave what the pedal holds", "cc 64 127, on 60, off 60, cc 0 0, program 40 → 60", "cc 64 0 →"),
  ]

  private static let parameters = [
    NoteSequence("the bend range is no note", "on 60, cc 101 0, cc 100 0, cc 6 12 → 60", "off 60 →"),
    NoteSequence("the tuning is no note", "on 60, cc 101 0, cc 100 2, cc 6 76 → 60", "off 60 →"),
    NoteSequence("an unknown parameter is left alone", "on 60, cc 99 1, cc 98 8, cc 6 64, cc 38 1 → 60", "off 60 →"),
    NoteSequence("the null parameter takes data in vain", "on 60, cc 101 127, cc 100 127, cc 6 5 → 60", "off 60 →"),
    NoteSequence(
      "increments and decrements are no notes", "on 60, cc 101 0, cc 100 0, cc 96 0, cc 97 0 → 60", "off 60 →"),
  ]

  private static let monophony = [
    NoteSequence("in mono mode the last key sounds", "cc 126 1, on 60 → 60", "on 64 → 64", "off 64 → 60", "off 60 →"),
    NoteSequence("in mono mode an older key ends unheard", "cc 126 1, on 60, on 64 → 64", "off 60 → 64", "off 64 →"),
    NoteSequence(
      "in mono mode keys come back in order", "cc 126 1, on 60, on 64, on 67 → 67", "off 67 → 64", "off 64 → 60"),
    NoteSequence(
      "legato leads the voice on", "cc 126 1, cc 68 127, on 60 → 60", "on 64 → 64", "off 64 → 60", "off 60 →"),
    NoteSequence("poly mode ends mono mode", "cc 126 1, cc 127 0, on 60, on 64 → 60 64"),
  ]
}
