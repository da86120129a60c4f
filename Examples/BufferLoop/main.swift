// Sounds that are made in memory: a drum loops, at one frame a bell interrupts it, and after the bell comes another
// drum, made of the first at half the speed. Then the strongest frame of each tenth of a second.

import AudioGraph
import Glibc

let format = AudioFormat.mono(48000)
let drum = AudioBuffer(format: format, frameCount: 9600) { _, frame in
  0.8 * exp(-Float(frame) / 1200) * sin(Float(frame) * 2 * .pi * 100 / 48000)
}
let bell = AudioBuffer(format: format, frameCount: 24000) { _, frame in
  0.4 * exp(-Float(frame) / 12000) * sin(Float(frame) * 2 * .pi * 1000 / 48000)
}
// Twice as many frames that are played at the same rate.
let slow = AudioBuffer([Array(try drum.converted(to: .mono(96000))[0])], sampleRate: 48000)

let player = BufferPlayerNode(format: format)
let output = try OutputNode(channelCount: 1)
let engine = AudioEngine(sampleRate: 48000)
try engine.edit { graph in
  try graph.attach(player)
  try graph.attach(output)
  try graph.connect(player, to: output)
}
try player.schedule(drum, options: .loops)
try player.schedule(bell, at: 48000, options: .interrupts) { print("bell: \($0)") }
try player.schedule(slow) { print("slow drum: \($0)") }
player.play()

let sound = try engine.render(frameCount: 96000)
for tenth in 0..<20 {
  let samples = sound[(tenth * 4800)..<(tenth * 4800 + 4800)][0]
  let strongest = samples.indices.max { abs(samples[$0]) < abs(samples[$1]) } ?? 0
  print("\(tenth * 100) ms: \(Int(100 * samples.peak)) % at frame \(strongest)")
}
