// What a microphone hears, on the speakers: as it is, or with a callback between, which rings it with a sine of 30 Hz.
//
// usage: PassThrough [INPUT [OUTPUT [ring]]]

import Glibc
import SynthKit

/// Where the sine is. The audio thread writes it, so that it lies in memory of its own.
struct Sine {
  var phase = 0.0
  let step: Double
}

let words = Array(CommandLine.arguments.dropFirst())
let unit = try DeviceInput(words.first ?? "default")
let device = try DeviceOutput(words.count > 1 ? words[1] : "default")
let sine = UnsafeMutablePointer<Sine>.allocate(capacity: 1)
sine.initialize(to: Sine(step: 2 * .pi * 30 / unit.sampleRate))

// It runs on the audio thread: nothing in it allocates, locks or waits.
let ring = EffectNode(name: "ring modulator", context: UnsafeMutableRawPointer(sine)) { sine, request in
  let sine = sine.assumingMemoryBound(to: Sine.self)
  let request = request.assumingMemoryBound(to: RenderRequest.self).pointee
  for frame in 0..<request.frameCount {
    let factor = Float(sin(sine.pointee.phase))
    for channel in 0..<request.buffers.channelCount { request.buffers[channel][frame] *= factor }
    sine.pointee.phase += sine.pointee.step
  }
}

let input = try InputNode(unit, channelCount: min(unit.channelCount, 2))
let output = try OutputNode(channelCount: device.channelCount)
let engine = AudioEngine(output: device)
try engine.edit { graph in
  try graph.attach(input)
  try graph.attach(output)
  guard words.contains("ring") else { return try graph.connect(input, to: output) }
  try graph.attach(ring)
  try graph.connect(input, to: ring)
  try graph.connect(ring, to: output)
}
try engine.start()
sleep(2)
try engine.stop()
print("\(input.statistics.framesCaptured) frames came in")
