import AudioGraph
import SynthAudioFiles
import SynthDSP
import SynthRealtime

/// A stereo file through the equalizer of the library into another file, as 32-bit floats.
///
///     file player ─► equalizer ─► output
struct FileEqualizer {
  let source: String
  let destination: String
  /// Ten gains in decibels; empty, nothing stands between the two files.
  let gains: [Double]

  private static let slice = 4096

  func run() throws {
    let reader = try AudioFileReader(path: source)
    guard reader.channelCount == 2, let frameCount = reader.frameCount else { throw Unfit(path: source) }
    let player = try FilePlayerNode(format: .stereo(Double(reader.sampleRate)))
    let engine = AudioEngine(sampleRate: Double(reader.sampleRate))
    try engine.edit { graph in
      let output = try OutputNode(channelCount: 2)
      try graph.attach(player)
      try graph.attach(output)
      guard !gains.isEmpty else { return try graph.connect(player, to: output) }
      let equalizer = EqualizerNode(curve: try EqualizerCurve(gains: gains.map { Decibels($0) }))
      try graph.attach(equalizer)
      try graph.connect(player, to: equalizer)
      try graph.connect(equalizer, to: output)
    }
    try player.schedule(AudioFileSegment(source))
    player.play()
    let writer = try AudioFileWriter(
      path: destination, samples: .float32, sampleRate: reader.sampleRate, channelCount: 2)
    var buffer = AudioBuffer(format: reader.bufferFormat, frameCount: Self.slice)
    for start in stride(from: 0, to: frameCount, by: Self.slice) {
      try engine.render(into: &buffer)
      try writer.write(buffer[..<min(Self.slice, frameCount - start)])
    }
    try writer.finish()
  }

  /// Seconds of processor time for a number of frames of noise that stay in the cache: the filters and nothing else.
  static func seconds(gains: [Double], frameCount: Int, sampleRate: Double) throws -> Double {
    let design = try EqualizerDesign(
      curve: EqualizerCurve(gains: gains.map { Decibels($0) }), sampleRate: sampleRate)
    let setting = UnsafeMutablePointer<EqualizerCoefficients>.allocate(capacity: 1)
    setting.initialize(to: design.coefficients)
    defer { setting.deallocate() }
    var processor = EqualizerProcessor(setting: setting, sampleRate: sampleRate)
    var buffer = AudioBuffer(
      format: AudioFormat(sampleRate: sampleRate, channelCount: 4), frameCount: renderQuantum
    ) { channel, _ in channel < 2 ? .random(in: -0.5...0.5) : 0 }
    return buffer.withRenderSlice { slice in
      let channels = slice.channels
      let start = ThreadClock.now
      for _ in 0..<frameCount / renderQuantum {
        _ = processor.process(
          left: channels[0], right: channels[1], leftOutput: channels[2], rightOutput: channels[3],
          frameCount: renderQuantum, inputIsSilent: false)
      }
      return (ThreadClock.now - start) / 1e9
    }
  }

  struct Unfit: Error, CustomStringConvertible {
    let path: String
    var description: String { "equalizing \(path): it is no stereo file of a known length; give one" }
  }
}
