// An effect from a closure: a filter that takes a constant away and keeps all that moves.

import AudioGraph

/// What the filter remembers. The audio thread writes it, so that it lies in memory of its own.
struct Memory {
  var input: Float = 0
  var output: Float = 0
}

let memory = UnsafeMutablePointer<Memory>.allocate(capacity: 1)
memory.initialize(to: Memory())

// A C function with a context costs the audio thread nothing but the call. It must not allocate, lock or wait; neither
// must a closure, which may take its place: `EffectNode { request in … }`.
let blocker = EffectNode(name: "DC blocker", context: UnsafeMutableRawPointer(memory)) { memory, request in
  let memory = memory.assumingMemoryBound(to: Memory.self)
  let request = request.assumingMemoryBound(to: RenderRequest.self).pointee
  let samples = request.buffers[0]
  for frame in 0..<request.frameCount {
    let input = samples[frame]
    memory.pointee.output = input - memory.pointee.input + 0.995 * memory.pointee.output
    memory.pointee.input = input
    samples[frame] = memory.pointee.output
  }
}

let one = SourceNode(format: .mono(48000)) { $0.buffers[0].update(repeating: 1, count: $0.frameCount) }
let engine = AudioEngine(sampleRate: 48000)
let output = try OutputNode(channelCount: 1, sourceCount: 1)
try engine.edit { graph in
  for node in [one, blocker, output] as [any AudioNode] { try graph.attach(node) }
  try graph.connect(one, to: blocker)
  try graph.connect(blocker, to: output)
}
for _ in 0..<10 {
  let peak = try engine.render(frameCount: 128).peak
  print(String(repeating: "#", count: Int(peak * 60)))
}
