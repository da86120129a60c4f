// An effect whose kernel is written in C, with a parameter, in the registry beside the library's own.

import AudioGraph
import SaturatorKernel

/// What the kernel remembers; it lives as long as the kernel may be called.
final class SaturatorState: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<saturator>

  init() {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: saturator())
  }

  deinit { pointer.deallocate() }
}

let saturatorComponent = Component(
  .effect, "satu", manufacturer: "demo", name: "saturator", summary: "bends large samples, as an overdriven valve does"
) { _ in
  let drive = Parameter("drive", unit: .decibels, range: 0...40, default: 0, precision: .frame, rampDuration: 0.02)
  let state = SaturatorState()
  return EffectNode(
    name: "saturator", parameters: [drive], tail: 0,
    RenderCallback(kernel: saturator_render, context: UnsafeMutableRawPointer(state.pointer), owner: state))
}

let registry = try ComponentRegistry(Component.audioGraph + [saturatorComponent])
let saturatorNode = try registry.component(named: "saturator").make()
let tone = SignalGeneratorNode(frequency: 1000, level: 0)
let output = try OutputNode(channelCount: 1, sourceCount: 1)
let engine = AudioEngine(sampleRate: 48000)
try engine.edit { graph in
  for node in [tone, saturatorNode, output] as [any AudioNode] { try graph.attach(node) }
  try graph.connect(tone, to: saturatorNode)
  try graph.connect(saturatorNode, to: output)
}
// Half a second without drive, then half a second to ten times as much, by equal factors.
let drive = try saturatorNode.parameter(named: "drive")
try engine.schedule(drive, to: 20, at: 24000, over: 24000, curve: .exponential)

func percent() throws -> Int {
  Int((try engine.render(frameCount: 24000).peak * 100).rounded())
}

print("peak \(try percent()) % without drive, \(try percent()) % with 20 dB")
