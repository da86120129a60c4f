// A device of eight channels: four tones, mixed to a quadraphonic bus, are led to the channels of the device by a map,
// which is another one while it plays. Then which tone each channel has.

import AudioGraph

let engine = AudioEngine(sampleRate: 48000)
// On four channels, square waves of 200, 400, 800 and 1600 Hz.
let source = SourceNode(format: AudioFormat(sampleRate: 48000, channelCount: 4)) { request in
  for channel in 0..<4 {
    let period = 240 >> channel
    for frame in 0..<request.frameCount {
      let place = (Int(request.sampleTime) + frame) % period
      request.buffers[channel][frame] = place < period / 2 ? -0.5 : 0.5
    }
  }
}
// From 0 on; -1 is silence.
let map = ChannelMap([0, 1, -1, -1, 2, 3, 0, -1])
let output = try OutputNode(channelCount: 8, sourceCount: 4, channelMap: map)
try engine.edit { graph in
  for node in [source, output] as [any AudioNode] { try graph.attach(node) }
  try graph.connect(source, to: output)
}

/// The tone of each channel, by how often it rises through zero in a tenth of a second.
func tell() throws {
  let tones = try engine.render(frameCount: 4800).channels.map { samples in
    zip(samples, samples.dropFirst()).count { $0 < 0 && $1 > 0 } * 10
  }
  print(tones.map { $0 == 0 ? "–" : "\($0)" }.joined(separator: " "))
}

try tell()
try engine.edit { _ in try output.setChannelMap(ChannelMap([3, 2, 1, 0, -1, -1, -1, -1])) }
_ = try engine.render(frameCount: 4800)
try tell()
do {
  try output.setChannelMap(ChannelMap([4]))
} catch {
  print("refused: \(error)")
}
