// An audio file as an instrument, played by calls: an A4 is recorded, its file's name says the key, and each note of a
// chord begins at its frame. Then what pitch each has.

import SynthKit

let rate = 48000
/// Renders what a source plays, in mono.
func render(_ source: some AudioNode, frameCount: Int) throws -> AudioBuffer {
  let engine = AudioEngine(sampleRate: Double(rate))
  let output = try OutputNode(channelCount: 1)
  try engine.edit { graph in
    try graph.attach(source)
    try graph.attach(output)
    try graph.connect(source, to: output)
  }
  return try engine.render(frameCount: frameCount)
}

let path = CommandLine.arguments.dropFirst().first ?? "A4.wav"
let recording = try AudioFileWriter(path: path, sampleRate: rate, channelCount: 1)
try recording.write(try render(SignalGeneratorNode(frequency: 440, level: -12), frameCount: 2 * rate))
try recording.finish()

let sampler = try SamplerNode(sampleRate: Double(rate))
try sampler.load(path)
for (second, key) in [69, 73, 76, 81].enumerated() {
  sampler.noteOn(UInt8(key), at: Int64(second * rate))
  sampler.noteOff(UInt8(key), at: Int64(second * rate + rate * 3 / 4))
}
let sound = try render(sampler, frameCount: 4 * rate)
for second in 0..<4 {
  // Half a second of each note, by its crossings of zero.
  let note = sound[(second * rate + rate / 8)..<(second * rate + rate * 5 / 8)][0]
  let crossings = zip(note, note.dropFirst()).count { $0 < 0 && $1 >= 0 }
  print("second \(second): \(2 * crossings) Hz")
}
