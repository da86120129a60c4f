// Karaoke: a song, and a microphone in the same mixer, with the same reverb.
//
// usage: Karaoke SONG.mid [INPUT [OUTPUT]]

import Foundation
import SynthKit

let words = Array(CommandLine.arguments.dropFirst())
guard let path = words.first else { fatalError("name a MIDI file") }
let output = try DeviceOutput(words.count > 2 ? words[2] : "default")
let font = try SoundFontLocator.standard().locate().path
let synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [font]).adapted(to: output))

// One more strip of the channels' mixer: it sends to the reverb as they do.
let microphone = try InputNode(DeviceInput(words.count > 1 ? words[1] : "default"), channelCount: 1)
let bus = synthesizer.mixer.addInput()
let strip = synthesizer.mixer.inputs[bus]
strip.gain.value = -6
try synthesizer.engine.edit { graph in
  try graph.attach(microphone)
  try graph.connect(microphone, to: synthesizer.mixer, toBus: bus)
}

let session = Session(synthesizer, output: output)
try session.play(Song(MIDIFile(path: path)))
while session.isPlaying { sleep(1) }
print("\(microphone.statistics.framesCaptured) frames were sung")
