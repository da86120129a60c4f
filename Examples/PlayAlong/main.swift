// Plays a song while the program strikes keys of its own beside it, on the default device or on one that is named:
// PlayAlong SONG [DEVICE]

import Glibc
import SynthKit

guard CommandLine.arguments.count > 1 else {
  print("usage: PlayAlong SONG [DEVICE]")
  exit(2)
}
let song = Song(try MIDIFile(path: CommandLine.arguments[1]))
let font = try SoundFontLocator.standard().locate().path
let device = try DeviceOutput(CommandLine.arguments.dropFirst(2).first ?? "default")
let configuration = SynthesizerConfiguration(soundFonts: [font]).adapted(to: device)
let keys = VirtualSource("keys")
let session = Session(try Synthesizer(configuration), output: device, sources: [keys])
try session.start()
try session.play(song, then: .playOn)
for note in [60, 64, 67] as [UInt8] {
  keys.send(.noteOn(channel: 0, note: note, velocity7: 100))
  usleep(500_000)
  print("peak \(session.takePeak())")
}
try session.fadeOut()
