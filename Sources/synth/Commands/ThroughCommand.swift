import AudioGraph
import SynthDSP
import SynthKit
import SynthText

/// `synth through`: plays what an input captures on an output, through the preset equalizer, until q or Ctrl-C.
struct ThroughCommand: Command {
  static let options: [Option] =
    [
      .input, .inputAssign, .map, .device, .fallback, .rate, .latency, .period, .preset, .gain, .limiter, .record,
      .config,
    ]

  private let devices: InputOptions
  private let output: DeviceOptions
  private let preset: String?
  private let isLimited: Bool
  /// Nil for what is safe.
  private let gain: Decibels?
  private let recordings: [String]

  init(_ tokens: [String]) throws(UsageError) {
    let arguments = try Arguments(tokens, allowed: Self.options).configured([
      .device, .fallback, .input, .latency, .period,
    ])
    if let word = arguments.operands.first { throw .unexpectedOperand(word) }
    devices = try InputOptions(arguments)
    if devices.mapCount ?? 2 > 2 { throw .missing("--map has more than two channels; give one or two, as in 0 or 2,3") }
    output = try DeviceOptions(arguments)
    let sound = try SoundOptions(arguments)
    (preset, isLimited) = (sound.preset, sound.isLimited)
    gain = try arguments.level(.gain)
    recordings = arguments.all(.record)
  }

  func run() throws {
    let preset = try preset.map { try EqualizerPresetLibrary.standard().preset($0) } ?? .flat
    output.tellEffects()
    let device = try output.open()
    let unit = try devices.open()
    let map = try devices.map(of: unit)
    let input = try InputNode(
      unit, channelCount: map?.sources.count ?? min(unit.channelCount, 2), channelMap: map)
    let level = gain ?? unit.safeGain(to: device)
    let through = try PassThrough(input, to: device, curve: preset.curve, gain: level, isLimited: isLimited)
    let console = ThroughConsole(through, preset: preset.name)
    try console.recorder.start(recordings)
    Interruption.watch()
    try through.engine.start()
    Terminal.note("input      \(unit.device.parameters)\n\(device.facts)\npreset     \(preset.name)")
    if gain == nil, level.value < 0 {
      let figure = level.figure(decimals: 1)
      Terminal.note("gain       \(figure) dB, for a microphone that hears its speakers; gain 0 is all")
    }
    defer { try? through.engine.stop() }
    let loop = ControlLoop()
    console.join(loop)
    var hasToldLatency = false
    loop.add {
      guard !hasToldLatency, let latency = through.latency else { return }
      // A hundredth of a millisecond is half a frame.
      let figure = NumberFormatting.text(latency * 1000, decimals: 2, keepingZeros: true)
      Terminal.note("latency    \(figure) ms from input to output")
      hasToldLatency = true
    }
    try loop.run { through.engine.isRunning && !Interruption.isRequested && !console.isOver }
    console.end()
    try through.engine.stop()
    if Interruption.isRequested { throw Interrupted() }
    if console.hasFailed { throw ToldAlready() }
  }
}
