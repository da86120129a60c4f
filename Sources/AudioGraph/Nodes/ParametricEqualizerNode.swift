@preconcurrency import Glibc
import SynthDSP
import SynthRealtime

/// A parametric equalizer: 1 to 64 bands in series, each of any shape, on any number of channels.
///
/// Widths are given as Q, because that means something for every shape: for passes and shelves it is the resonance,
/// with 0.707 for none. `quality(bandwidth:)` converts octaves. Changes are smooth: coefficients move in straight lines
/// over 20 ms. See `ParametricCoefficients` for the method. A band of 0 dB, or one that is bypassed, passes sound bit
/// for bit and costs next to nothing.
public final class ParametricEqualizerNode: AudioNode {
  /// One band. Its shape, frequency and gain mean what `ParametricShape` says.
  public struct Band: Sendable {
    /// The number of the shape among those of `ParametricShape`.
    public let type: Parameter
    /// 10 Hz to 96 kHz; what is above 0.49 of the sample rate is taken as that.
    public let frequency: Parameter
    /// 0.1 to 40. The width in octaves between the points of half the decibels is `2·asinh(1 / 2Q) / ln 2`.
    public let quality: Parameter
    /// -24 to 24 dB; peaks and shelves alone have one.
    public let gain: Parameter
    /// Whether the band passes everything.
    public let isBypassed: Parameter

    init(_ number: Int) {
      type = Parameter("band \(number) type", values: ParametricShape.allCases.map(\.rawValue))
      frequency = Parameter("band \(number) frequency", unit: .hertz, range: 10...96_000, default: 1000)
      quality = Parameter("band \(number) Q", unit: .ratio, range: 0.1...40, default: Float(0.5).squareRoot())
      gain = Parameter("band \(number) gain", unit: .decibels, range: -24...24, default: 0)
      isBypassed = Parameter("band \(number) bypass", unit: .toggle, range: 0...1, default: 0)
    }

    /// What the band does: `type` by its name. [any thread]
    public var shape: ParametricShape {
      get { ParametricShape.allCases[Int(type.value)] }
      nonmutating set { type.value = Float(ParametricShape.allCases.firstIndex(of: newValue) ?? 0) }
    }

    var parameters: [Parameter] { [type, frequency, quality, gain, isBypassed] }
  }

  /// How many bands there may be.
  public static let bandCounts = 1...64

  public let name: String
  public let inputBusCount = 1
  public let outputBusCount = 1
  /// In the order in which sound passes them, numbered from 0: at first peaks at 1 kHz with 0 dB.
  public let bands: [Band]
  private let slot = KernelSlot<AudioFormat>()

  /// - Parameter bandCount: 1 to 64.
  public init(name: String = "parametric equalizer", bandCount: Int) throws(ParametricEqualizerError) {
    guard Self.bandCounts.contains(bandCount) else { throw ParametricEqualizerError(bandCount: bandCount) }
    self.name = name
    bands = (0..<bandCount).map { Band($0) }
  }

  /// The Q of a band that is so many octaves wide between the points of half its decibels, or of -3 dB of a band pass
  /// or notch: 1 / (2 sinh(n · ln 2 / 2)). An octave is 1.414.
  public static func quality(bandwidth octaves: Float) -> Float { 1 / (2 * sinhf(octaves * 0.5 * logf(2))) }

  public var parameters: [Parameter] { bands.flatMap(\.parameters) }

  public var properties: [Property] {
    [Property(Self.bandCount, of: self) { [bands] in .integer(bands.count) }]
  }

  static let bandCount = CreationProperty("band count", kind: .integer(bandCounts))

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] {
    [inputs[0] ?? .stereo(sampleRate)]
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    let format = formats.outputs[0]
    return slot.kernel(for: format) {
      let kernel = ParametricEqualizerKernel(bands, format)
      return Kernel(kernel, retaining: parameters, entry: ParametricEqualizerKernel.entry)
    }
  }

  public func reset() { slot.reset() }
}

/// A parametric equalizer that cannot be made.
public struct ParametricEqualizerError: Error, Equatable, CustomStringConvertible {
  /// How many bands were asked for.
  public let bandCount: Int

  public var description: String {
    let counts = ParametricEqualizerNode.bandCounts
    return "making a parametric equalizer of \(bandCount) bands: out of range; choose \(counts.lowerBound) to "
      + "\(counts.upperBound)"
  }
}

private struct ParametricEqualizerKernel: ~Copyable {
  /// -160 dB: a quantum of silence whose magnitudes add up to less has rung out.
  private static let quiet: Float = 64e-8

  private let bands: UnsafeMutablePointer<BandKernel>
  private let bandCount: Int
  /// For each pair of channels those of all bands.
  private let states: UnsafeMutablePointer<ParametricState>
  private let stateCount: Int
  private let samples: UnsafeMutablePointer<SIMD2<Double>>
  private let sampleRate: Float
  private let rampBlocks: Int
  private var isResting = true

  init(_ bands: [ParametricEqualizerNode.Band], _ format: AudioFormat) {
    bandCount = bands.count
    self.bands = .allocate(capacity: bandCount)
    for (index, band) in bands.enumerated() { (self.bands + index).initialize(to: BandKernel(band)) }
    stateCount = bandCount * ((format.channelCount + 1) / 2)
    states = .allocate(capacity: stateCount)
    states.initialize(repeating: ParametricState(), count: stateCount)
    samples = .allocate(capacity: renderQuantum)
    samples.initialize(repeating: .zero, count: renderQuantum)
    sampleRate = Float(format.sampleRate)
    rampBlocks = levelRampBlocks(sampleRate: format.sampleRate)
  }

  deinit {
    bands.deallocate()
    states.deallocate()
    samples.deallocate()
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: ParametricEqualizerKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let (input, output) = (context.input(0), context.output(0))
    guard !input.isSilent || !isResting else { return output.silence() }
    isResting = false
    for band in 0..<bandCount { bands[band].advance(sampleRate: sampleRate, rampBlocks) }
    var sum: Float = 0
    var channel = 0
    while channel < output.channelCount {
      let (first, second) = (channel, min(channel &+ 1, output.channelCount &- 1))
      // Where nothing is connected, the shared silence serves as every channel.
      let last = max(0, input.channelCount &- 1)
      let (left, right) = (input[min(first, last)], input[min(second, last)])
      for frame in 0..<renderQuantum { samples[frame] = SIMD2(Double(left[frame]), Double(right[frame])) }
      filter(states + (channel / 2) &* bandCount)
      for frame in 0..<renderQuantum {
        output[first][frame] = Float(samples[frame].x)
        output[second][frame] = Float(samples[frame].y)
        sum += abs(output[first][frame]) + abs(output[second][frame])
      }
      channel &+= 2
    }
    // What is no number must not stay in the filters.
    if !(sum < .infinity) || (input.isSilent && sum < Self.quiet) { rest(output) }
  }

  @_noLocks
  private func filter(_ states: UnsafeMutablePointer<ParametricState>) {
    for band in 0..<bandCount {
      if bands[band].line.isIdentity {
        // Its next sound fades in from an empty filter.
        states[band] = ParametricState()
      } else {
        states[band].process(samples, along: bands[band].line)
      }
    }
  }

  /// What is silent cannot click: the next sound finds everything as it is set then.
  @_noLocks
  private mutating func rest(_ output: Bus) {
    for index in 0..<stateCount { states[index] = ParametricState() }
    for band in 0..<bandCount { bands[band].rest() }
    isResting = true
    output.silence()
  }
}

private struct BandKernel {
  private let type: ParameterReader
  private let frequency: ParameterReader
  private let quality: ParameterReader
  private let gain: ParameterReader
  private let isBypassed: ParameterReader
  /// What the coefficients were calculated for, and what they are.
  private var settings = SIMD4<Float>(repeating: .nan)
  private var wasBypassed = false
  private var target = ParametricCoefficients(.peak, frequency: 0.1, quality: 1, gain: 1)
  private var ramp = ParametricRamp()
  private(set) var line: ParametricLine

  init(_ band: ParametricEqualizerNode.Band) {
    (type, frequency, quality) = (band.type.reader, band.frequency.reader, band.quality.reader)
    (gain, isBypassed) = (band.gain.reader, band.isBypassed.reader)
    line = ramp.next(toward: target, blocks: 1)
    rest()
  }

  @_noLocks
  mutating func advance(sampleRate: Float, _ rampBlocks: Int) {
    let settings = SIMD4(frequency.renderValue, quality.renderValue, gain.renderValue, type.renderValue)
    let hasMoved = settings != self.settings || isBypassed.isOn != wasBypassed
    guard hasMoved || line.isMoving else { return }
    wasBypassed = isBypassed.isOn
    if hasMoved {
      self.settings = settings
      target = ParametricCoefficients(
        Self.shape(Int(settings.w)), frequency: settings.x / sampleRate, quality: settings.y, gain: settings.z)
    }
    line = ramp.next(toward: wasBypassed ? target.bypassed : target, blocks: rampBlocks)
  }

  /// As `allCases` has them, which is an array.
  @_noLocks
  private static func shape(_ number: Int) -> ParametricShape {
    switch number {
    case 0: .peak
    case 1: .lowShelf
    case 2: .highShelf
    case 3: .lowPass
    case 4: .highPass
    case 5: .bandPass
    default: .notch
    }
  }

  @_noLocks
  mutating func rest() { (ramp, settings) = (ParametricRamp(), SIMD4(repeating: .nan)) }
}
