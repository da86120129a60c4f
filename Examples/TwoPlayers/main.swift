// Two players: one repeats its file without a gap, the other comes in by a crossfade. Then how loud each of their tones
// is, second by second: TwoPlayers FOLDER

import Glibc
import SynthKit

let folder = CommandLine.arguments.dropFirst().first ?? "."

/// Writes a file of one second with whole periods, so that it can be repeated.
func write(_ name: String, frequency: Float) throws -> String {
  let engine = AudioEngine(sampleRate: 48000)
  let tone = SignalGeneratorNode(frequency: frequency, level: -6)
  let output = try OutputNode(channelCount: 1, sourceCount: 1)
  try engine.edit { graph in
    for node in [tone, output] as [any AudioNode] { try graph.attach(node) }
    try graph.connect(tone, to: output)
  }
  let path = "\(folder)/\(name).wav"
  let writer = try AudioFileWriter(path: path, sampleRate: 48000, channelCount: 1)
  try writer.write(try engine.render(frameCount: 48000))
  try writer.finish()
  return path
}

let files = [try write("low", frequency: 400), try write("high", frequency: 1000)]
let engine = AudioEngine(sampleRate: 48000)
let players = try files.map { _ in try FilePlayerNode(format: .mono(48000)) }
let mixer = MixerNode(inputBusCount: 2)
let output = try OutputNode(channelCount: 1)
try engine.edit { graph in
  for node in players + [mixer, output] as [any AudioNode] { try graph.attach(node) }
  for (bus, player) in players.enumerated() { try graph.connect(player, to: mixer, toBus: bus) }
  try graph.connect(mixer, to: output)
}
// Four times the first file, from the start; the second one from the second second on.
for _ in 0..<4 { try players[0].schedule(AudioFileSegment(files[0])) }
for second in 1..<4 { try players[1].schedule(AudioFileSegment(files[1]), at: Int64(second) * 48000) }
for player in players { player.play() }
mixer.inputs[1].gain.value = -120
try engine.schedule(mixer.inputs[0].gain, to: -120, at: 96000, over: 48000)
try engine.schedule(mixer.inputs[1].gain, to: 0, at: 96000, over: 48000)

/// The level of a tone of whole periods. (Goertzel)
func level(of frequency: Double, in samples: AudioBuffer.Channel) -> String {
  let factor = 2 * cos(2 * Double.pi * frequency / 48000)
  var (last, before) = (0.0, 0.0)
  for sample in samples { (last, before) = (Double(sample) + factor * last - before, last) }
  let power = last * last + before * before - factor * last * before
  return Decibels(amplitude: max(2 * power.squareRoot() / Double(samples.count), 1e-6)).figure(decimals: 1)
}

for second in 0..<4 {
  let samples = try engine.render(frameCount: 48000)[0]
  print("second \(second): 400 Hz \(level(of: 400, in: samples)) dB, 1000 Hz \(level(of: 1000, in: samples)) dB")
}
