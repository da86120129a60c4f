// Writes two bars of bass and two beats of drums, which it repeats, adds a melody while they play, and saves all as a
// MIDI file:
// Sequencing FILE [DEVICE]

import Glibc
import SynthKit

guard CommandLine.arguments.count > 1 else {
  print("usage: Sequencing FILE [DEVICE]")
  exit(2)
}
var sequence = MusicSequence(trackCount: 3)
try sequence.setTempo(150)
for (track, name) in ["bass", "drums", "melody"].enumerated() { try sequence.setName(name, ofTrack: track) }
try sequence.add(.message(.programChange(channel: 0, program: 33)), at: 0)
for (step, key) in ([36, 36, 43, 41, 36, 36, 46, 43] as [UInt8]).enumerated() {
  try sequence.addNote(key, at: Double(step), for: 0.8)
  try sequence.addText("step \(step + 1)", .marker, at: Double(step))
}
for (beat, key) in ([36, 38] as [UInt8]).enumerated() {
  try sequence.addNote(key, channel: 9, at: Double(beat), for: 0.1, track: 1)
}
sequence.tracks[0].endTick = 8 * 480

let font = try SoundFontLocator.standard().locate().path
let device = try DeviceOutput(CommandLine.arguments.dropFirst(2).first ?? "default")
let synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [font]).adapted(to: device))
let session = Session(synthesizer, output: device)
let sequencer = try Sequencer(sequence, playing: synthesizer.instruments)
sequencer.loop = SequencerLoop(0, 8)
sequencer.tracks[1].loop = SequencerLoop(0, 2)
sequencer.setUserCallback { if let text = $0.text { print(text) } }
try session.start()
try sequencer.start()
for (step, key) in ([60, 63, 67, 70] as [UInt8]).enumerated() {
  usleep(800_000)
  try sequencer.edit { try $0.addNote(key, channel: 1, at: 2 * Double(step), for: 1.5, track: 2) }
}
sleep(3)
try session.fadeOut()
try sequencer.sequence.write(to: CommandLine.arguments[1])
