import Synchronization
import SynthDSP
import SynthRealtime

/// Makes what goes through it higher or lower, and leaves its tempo: mono or stereo in, the same out, `latency` frames
/// later. At pitch 0 it passes bit for bit.
///
/// Grains of 24 to 60 ms that fit each other, as `Stretcher` has them.
public final class PitchShiftNode: AudioNode {
  public let name: String
  public let inputBusCount = 1
  public let outputBusCount = 1
  /// How much higher the output is.
  public let pitch = Parameter("pitch", unit: .cents, range: -2400...2400, default: 0)
  private let slot = KernelSlot<AudioFormat>()
  private let latencyCell = Box(LatencyCell())

  private struct LatencyCell: ~Copyable {
    let frames = Atomic<Int>(0)
  }

  public init(name: String = "pitch shift") { self.name = name }

  public var parameters: [Parameter] { [pitch] }

  public var latency: Int { latencyCell.pointer.pointee.frames.load(ordering: .relaxed) }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat] {
    let format = try EffectFormat.input(
      of: "pitch shift", inputs[0], sampleRate: sampleRate, sampleRates: 8000...768_000)
    latencyCell.pointer.pointee.frames.store(Self.latency(sampleRate: format.sampleRate), ordering: .relaxed)
    return [format]
  }

  /// How many frames later the output is at a rate in hertz: a tenth of a second. [any thread]
  public static func latency(sampleRate: Double) -> Int {
    Stretcher.lookahead(rate: 1, step: 4, sampleRate: sampleRate) - renderQuantum
  }

  public func reset() { slot.reset() }

  public func kernel(for formats: BusFormats) -> Kernel {
    let format = formats.outputs[0]
    return slot.kernel(for: format) {
      Kernel(PitchShiftKernel(pitch.reader, format), retaining: [pitch], entry: PitchShiftKernel.entry)
    }
  }
}

private struct PitchShiftKernel: ~Copyable {
  private let pitch: ParameterReader
  private let latency: Int
  private let history: SoundHistory
  private var stretcher: Stretcher
  private var written: Int64 = 0
  /// Frames since the input was heard.
  private var silentCount = Int.max / 2

  init(_ pitch: ParameterReader, _ format: AudioFormat) {
    self.pitch = pitch
    latency = PitchShiftNode.latency(sampleRate: format.sampleRate)
    history = SoundHistory(channelCount: format.channelCount, frameCount: 3 * latency)
    stretcher = Stretcher(sampleRate: format.sampleRate)
    stretcher.begin(at: -Double(latency), ratio: 1)
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: PitchShiftKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let (input, output) = (context.input(0), context.output(0))
    for channel in 0..<output.channelCount {
      let source = channel < input.channelCount ? UnsafePointer(input[channel]) : nil
      history.write(channel, source, at: written)
    }
    silentCount = input.isSilent ? min(silentCount &+ renderQuantum, Int.max / 2) : 0
    let position = Double(written &- Int64(latency))
    written &+= Int64(renderQuantum)
    // A grain may begin as much before its place as it may end behind it.
    guard silentCount < 3 &* latency else {
      stretcher.begin(at: position + Double(renderQuantum), ratio: 1)
      return output.silence()
    }
    let step = Double(pitch.renderValue)
    stretcher.render(history.pages, at: position, rate: 1, step: step, into: output[0], count: renderQuantum)
  }
}

/// The latest frames of a live sound, in pages for a `Stretcher`.
private struct SoundHistory: ~Copyable {
  let pages: FramePages
  private let table: FramePages.Table
  private let samples: UnsafeMutablePointer<Float>
  private let pageCount: Int
  private let channelCount: Int

  /// [control thread]
  init(channelCount: Int, frameCount: Int) {
    var count = 1
    while count * FramePages.pageLength < frameCount { count *= 2 }
    (pageCount, self.channelCount) = (count, channelCount)
    table = .allocate(capacity: count)
    let pageSize = FramePages.pageLength * channelCount
    samples = .allocate(capacity: count * pageSize)
    samples.initialize(repeating: 0, count: count * pageSize)
    for page in 0..<count { (table + page).initialize(to: Atomic(UInt(bitPattern: samples + page * pageSize))) }
    pages = FramePages(table, pageCount: count, channelCount: channelCount, isRing: true)
  }

  deinit {
    table.deinitialize(count: pageCount)
    table.deallocate()
    samples.deallocate()
  }

  /// Writes a quantum of a channel; nil is silence. A page holds whole quanta.
  @_noLocks
  func write(_ channel: Int, _ source: UnsafePointer<Float>?, at frame: Int64) {
    let place = Int(truncatingIfNeeded: frame) & (pageCount &* FramePages.pageLength &- 1)
    let page = place / FramePages.pageLength
    let target =
      samples + (page &* channelCount &+ channel) &* FramePages.pageLength + place % FramePages.pageLength
    if let source {
      copySamples(from: source, to: target, count: renderQuantum)
    } else {
      target.update(repeating: 0, count: renderQuantum)
    }
  }
}
