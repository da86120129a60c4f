// Taps a sound amid the graph into a file, and tells its RMS and, by a Fourier transform, its strongest frequency:
// TapAnalysis FILE

import Glibc
import SynthKit

let engine = AudioEngine(sampleRate: 48000)
let tone = SignalGeneratorNode(waveform: .triangle, frequency: 1500, level: -9)
let gain = MixerNode(inputBusCount: 1)
let output = try OutputNode(channelCount: 1)
// A tap that the program reads; one with a closure would call it on a thread of its own.
let tap = TapNode()
try engine.edit { graph in
  for node in [tone, gain, output] as [any AudioNode] { try graph.attach(node) }
  try graph.connect(tone, to: gain)
  try graph.connect(gain, to: output)
  try graph.tap(tone, with: tap)
}
// What is heard is silent; the tap hears the tone before that.
gain.inputs[0].gain.value = -120

let writer = try AudioFileWriter(
  path: CommandLine.arguments.dropFirst().first ?? "tap.wav", sampleRate: 48000, channelCount: 1)
var samples: [Float] = []
for _ in 0..<10 {
  _ = try engine.render(frameCount: 4800)
  try tap.read { block in
    try writer.write(AudioBuffer(block))
    samples += block[0]
  }
}
try writer.finish()

/// The powers of the frequencies, by halves. (Cooley and Tukey)
func transform(_ input: [SIMD2<Float>]) -> [SIMD2<Float>] {
  guard input.count > 1 else { return input }
  let even = transform(stride(from: 0, to: input.count, by: 2).map { input[$0] })
  let odd = transform(stride(from: 1, to: input.count, by: 2).map { input[$0] })
  let turned = odd.enumerated().map { number, value in
    let angle = -2 * Float.pi * Float(number) / Float(input.count)
    let (c, s) = (cosf(angle), sinf(angle))
    return SIMD2(value.x * c - value.y * s, value.x * s + value.y * c)
  }
  return zip(even, turned).map { $0 + $1 } + zip(even, turned).map { $0 - $1 }
}

let size = 4096
let window = samples.suffix(size).enumerated().map { number, sample in
  SIMD2(sample * (0.5 - 0.5 * cosf(2 * .pi * Float(number) / Float(size))), 0)
}
let powers = transform(window).prefix(size / 2).map { ($0 * $0).sum() }
let strongest = powers.indices.max { powers[$0] < powers[$1] } ?? 0
let square = samples.reduce(0) { $0 + Double($1 * $1) } / Double(samples.count)
print("\(samples.count) frames, RMS \(Decibels(amplitude: square.squareRoot()).figure(decimals: 1)) dB")
print("strongest at \(strongest * 48000 / size) Hz")
