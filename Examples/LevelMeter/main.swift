// Plays an audio file, or without one a sound that swells for three seconds, and draws its level meanwhile, 80 columns
// wide: LevelMeter [DEVICE [FILE]]

@preconcurrency import Glibc
import Synchronization
import SynthKit

/// What a tap has heard since somebody last looked.
final class Level: Sendable {
  private let heard = Mutex((peak: Float(0), rms: Float(0)))

  /// On the tap's own thread, which the audio thread does not wait for: it may lock, allocate, print.
  func hear(_ block: TapBlock) {
    let samples = block[0]
    let square = samples.reduce(0) { $0 + $1 * $1 } / Float(max(1, samples.count))
    let peak = samples.reduce(0) { max($0, abs($1)) }
    heard.withLock { $0 = (max($0.peak, peak), square.squareRoot()) }
  }

  func take() -> (peak: Float, rms: Float) {
    heard.withLock { heard in
      defer { heard.peak = 0 }
      return heard
    }
  }
}

/// From −60 to 0 dB, the RMS in full and the peak as a stroke: " −12.0 dB ━━━━━━━━━━━━      │".
func drawing(_ level: (peak: Float, rms: Float)) -> String {
  let width = 69
  func column(_ amplitude: Float) -> Int {
    let decibels = max(-60, min(0, Decibels(amplitude: Double(amplitude)).value))
    return Int((decibels + 60) / 60 * Double(width - 1))
  }
  var bar = [Character](repeating: " ", count: width)
  for index in 0..<column(level.rms) { bar[index] = "━" }
  bar[column(level.peak)] = "│"
  let figure = Decibels(max(-99.9, Decibels(amplitude: Double(level.rms)).value)).figure(decimals: 1)
  return String(repeating: " ", count: max(0, 6 - figure.count)) + "\(figure) dB " + String(bar)
}

let arguments = Array(CommandLine.arguments.dropFirst())
let device = try DeviceOutput(arguments.first ?? "default")
let engine = AudioEngine(output: device)
let output = try OutputNode(channelCount: device.channelCount)
let level = Level()
let tap = try TapNode { block in level.hear(block) }
let hasEnded = Atomic(false)

let source: any AudioNode
if arguments.count > 1 {
  let player = try FilePlayerNode(format: .stereo(device.sampleRate))
  try player.schedule(AudioFileSegment(arguments[1])) { _ in hasEnded.store(true, ordering: .releasing) }
  player.play()
  source = player
} else {
  let saw = SignalGeneratorNode(waveform: .sawtooth, frequency: 110, level: -60, channelCount: 2)
  saw.rampDuration = 3
  source = saw
}
try engine.edit { graph in
  try graph.attach(source)
  try graph.attach(output)
  try graph.connect(source, to: output)
  try graph.tap(source, with: tap)
}
try engine.start()

var ticks = 0
while !hasEnded.load(ordering: .acquiring), arguments.count > 1 || ticks < 60 {
  usleep(50_000)
  ticks += 1
  // The level it begins with is there at once; from then on a change is a ramp.
  (source as? SignalGeneratorNode)?.level.value = -6
  print("\r" + drawing(level.take()), terminator: "")
  fflush(stdout)
}
print()
try engine.stop()
