import SynthDSP
import SynthRealtime

/// A converter of the sample rate as it renders: its input arrives at one rate, its output is asked for at another.
///
/// Both are numbered by sample time, so a frame of output lies where its number says, whenever the converter began.
struct ConverterKernel: ~Copyable {
  private let rates: ConversionRates
  private let matrix: ChannelMatrix
  /// Whether the channels are made before the rate is changed: then there are fewer to be changed.
  private let matrixComesFirst: Bool
  private let channelCount: Int
  private var resampler: StreamResampler
  private var history: FrameHistory
  private let planar: UnsafeMutablePointer<Float>
  private let unconverted: UnsafeMutablePointer<Float>
  private let converted: UnsafeMutablePointer<Float>

  /// The sample time of the next input.
  private var nextInput = Int64.min
  /// For how many frames the input has been silent; with `decay` of them the converter rests.
  private var silentCount: Int

  init(_ rates: ConversionRates, _ matrix: consuming ChannelMatrix) {
    self.rates = rates
    matrixComesFirst = matrix.outputCount <= matrix.inputCount
    channelCount = min(matrix.inputCount, matrix.outputCount)
    self.matrix = matrix
    do {
      resampler = try StreamResampler(channelCount: channelCount, step: rates.step)
    } catch {
      preconditionFailure("\(error): the channels were counted when formats propagated")
    }
    history = FrameHistory(channelCount: channelCount, frameCount: rates.span)
    planar = Self.allocate(renderQuantum * channelCount)
    unconverted = Self.allocate(renderQuantum * channelCount)
    converted = Self.allocate(renderQuantum * channelCount)
    silentCount = rates.decay
  }

  deinit {
    converted.deallocate()
    unconverted.deallocate()
    planar.deallocate()
  }

  /// Zeroed, and aligned as buses are.
  private static func allocate(_ count: Int) -> UnsafeMutablePointer<Float> {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Float>.stride, alignment: 64)
    return memory.initializeMemory(as: Float.self, repeating: 0, count: count)
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: ConverterKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  static let intake: RenderFunction = { state, context in
    state.assumingMemoryBound(to: ConverterKernel.self).pointee
      .take(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  private func render(_ context: RenderContext) {
    let output = context.output(0)
    let first = context.sampleTime &- Int64(rates.latency)
    guard !history.isSilent(from: first) else { return output.silence() }
    guard !matrixComesFirst else { return history.copy(from: first, to: output[0]) }
    history.copy(from: first, to: planar)
    matrix.apply(planar, to: output[0])
  }

  @_noLocks
  private mutating func take(_ context: RenderContext) {
    let (input, time) = (context.input(0), context.sampleTime)
    // What was not rendered for a while has forgotten.
    if time != nextInput { rest() }
    nextInput = time &+ Int64(renderQuantum)
    if input.isSilent {
      guard silentCount < rates.decay else { return }
      silentCount &+= renderQuantum
      guard silentCount < rates.decay else { return rest() }
    } else {
      if silentCount >= rates.decay { begin(at: time) }
      silentCount = 0
    }
    interleave(input)
    resample()
  }

  /// Nothing is left to be heard: silence from here on costs nothing.
  @_noLocks
  private mutating func rest() {
    silentCount = rates.decay
    history.restart(at: history.end)
  }

  @_noLocks
  private mutating func begin(at time: Int64) {
    resampler.reset(position: rates.offset(ofFirstOutputFrom: time))
    history.restart(at: rates.firstOutput(fromInput: time))
  }

  @_noLocks
  private func interleave(_ input: Bus) {
    var source = UnsafePointer(input[0])
    if matrixComesFirst {
      matrix.apply(source, to: planar)
      source = UnsafePointer(planar)
    }
    for channel in 0..<channelCount {
      for frame in 0..<renderQuantum {
        unconverted[frame &* channelCount &+ channel] = source[channel &* renderQuantum &+ frame]
      }
    }
  }

  @_noLocks
  private mutating func resample() {
    var source = unconverted
    var left = renderQuantum
    while true {
      let (taken, made) = resampler.process(
        source, inputCount: left, into: converted, outputCount: renderQuantum, step: rates.step)
      source += taken &* channelCount
      left &-= taken
      append(made)
      if made < renderQuantum && (left == 0 || taken == 0) { return }
    }
  }

  @_noLocks
  private mutating func append(_ count: Int) {
    for channel in 0..<channelCount {
      for frame in 0..<count {
        planar[channel &* renderQuantum &+ frame] = converted[frame &* channelCount &+ channel]
      }
    }
    history.append(planar, count: count)
  }
}
