// Puts an equalizer into a path while it plays, turns it, and takes it out again: LiveEqualizer [DEVICE]

import Glibc
import SynthKit

let device = try DeviceOutput(CommandLine.arguments.dropFirst().first ?? "default")
let engine = AudioEngine(output: device)
let saw = SignalGeneratorNode(waveform: .sawtooth, frequency: 110, level: -20, channelCount: 2)
let hiss = SignalGeneratorNode(waveform: .noise, level: -40, channelCount: 2)
let mixer = MixerNode(inputBusCount: 2)
let output = try OutputNode(channelCount: device.channelCount)

// saw ──┐
//       ├─ mixer ─ output
// hiss ─┘
try engine.edit { graph in
  for node in [saw, hiss, mixer, output] as [any AudioNode] { try graph.attach(node) }
  try graph.connect(saw, to: mixer, toBus: 0)
  try graph.connect(hiss, to: mixer, toBus: 1)
  try graph.connect(mixer, to: output)
}
try engine.start()
print("playing through \(device.name)")
sleep(1)

// An edit is taken whole, between two quanta: the hiss plays on undisturbed, and nothing clicks.
let equalizer = EqualizerNode(curve: try EqualizerPresetLibrary.standard().preset("bass-booster").curve)
try engine.edit { graph in
  try graph.attach(equalizer)
  try graph.disconnect(input: mixer, bus: 0)
  try graph.connect(saw, to: equalizer)
  try graph.connect(equalizer, to: mixer, toBus: 0)
}
print("the sawtooth goes through the equalizer: bass-booster")
sleep(1)

// Another curve fades in within 100 ms.
equalizer.curve = try EqualizerPresetLibrary.standard().preset("treble-booster").curve
print("treble-booster")
sleep(1)

// What is wrong is refused with its reason, and nothing has changed.
do {
  try engine.edit { graph in
    try graph.disconnect(input: equalizer)
    try graph.connect(mixer, to: equalizer)
  }
} catch let error as GraphError {
  print("refused: \(error)")
}

try engine.edit { graph in
  try graph.detach(equalizer)
  try graph.connect(saw, to: mixer, toBus: 0)
}
print("without it again")
sleep(1)
try engine.stop()
