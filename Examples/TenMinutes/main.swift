// Renders ten minutes without a device, as fast as the machine can, in blocks of 4096 frames: a tone that goes up a
// semitone each minute, to the frame.

import AudioGraph

let sampleRate = 48000.0
let engine = AudioEngine(sampleRate: sampleRate)
let tone = SignalGeneratorNode(frequency: 440, level: -12)
let output = try OutputNode(channelCount: 1, sourceCount: 1)
try engine.edit { graph in
  for node in [tone, output] as [any AudioNode] { try graph.attach(node) }
  try graph.connect(tone, to: output)
}
for minute in 1..<10 {
  let frequency = 440 * Double.semitone(minute)
  try engine.schedule(tone.frequency, to: Float(frequency), at: Int64(minute) * 60 * Int64(sampleRate), over: 1)
}

let clock = ContinuousClock()
let start = clock.now
let end = 600 * Int(sampleRate)
var (frames, periods, last) = (0, 0, Float(0))
while frames < end {
  let samples = try engine.render(frameCount: min(4096, end - frames))[0]
  for sample in samples {
    if last < 0, sample >= 0 { periods += 1 }
    last = sample
  }
  frames += samples.count
}
let speed = 600 / ((clock.now - start) / .seconds(1))
print("\(frames) frames, \(periods) periods, \(Int(speed)) times as fast as it plays")

extension Double {
  /// How many times as high so many semitones are.
  static func semitone(_ count: Int) -> Double { (0..<count).reduce(1) { ratio, _ in ratio * 1.0594630943592953 } }
}
