/// Which frames of a bus stand for which of its engine's clock: where the bus has another rate, those that a converter
/// to the engine's rate gives at these times, to the nearest frame.
package struct BusTime: BitwiseCopyable, Sendable {
  private let busPerEngine: RateRatio
  private let enginePerBus: RateRatio
  /// What the converter delays, in frames of the engine.
  private let latency: Int64
  private let isSame: Bool

  /// Both in hertz.
  package init(sampleRate: Double, engineRate: Double) {
    busPerEngine = RateRatio(sampleRate, over: engineRate)
    enginePerBus = RateRatio(engineRate, over: sampleRate)
    isSame = sampleRate == engineRate
    latency =
      isSame ? 0 : Int64(ConversionRates(input: sampleRate, output: engineRate, unit: engineRate).latency)
  }

  /// What comes before the first frame of the bus is that frame.
  @_noLocks
  package func busFrame(of engineFrame: Int64) -> Int64 {
    guard !isSame else { return engineFrame }
    return engineFrame > latency ? busPerEngine.nearest(to: min(engineFrame, Self.last) &- latency) : 0
  }

  @_noLocks
  package func engineFrame(of busFrame: Int64) -> Int64 {
    isSame ? busFrame : enginePerBus.nearest(to: min(max(0, busFrame), Self.last)) &+ latency
  }

  /// Half a year at 48 kHz, times any ratio, is far from overflow.
  private static let last: Int64 = 1 << 40
}
