// Plays an A for two seconds, on the default device or on one that is named: Tone [DEVICE]

import Glibc
import SynthKit

let device = try DeviceOutput(CommandLine.arguments.dropFirst().first ?? "default")
let engine = AudioEngine(output: device)
let tone = SignalGeneratorNode(waveform: .triangle, frequency: 440, channelCount: 2)
let output = try OutputNode(channelCount: device.channelCount)
try engine.edit { graph in
  for node in [tone, output] as [any AudioNode] { try graph.attach(node) }
  try graph.connect(tone, to: output)
}
try engine.start()
sleep(2)
