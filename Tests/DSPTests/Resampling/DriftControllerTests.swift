import SynthDSP
import TestSupport
import Testing

/// Two simulated clocks: a consumer that asks for periods of 256 frames and whose clock is off, and what the controller
/// makes of measurements that jitter.
private struct SimulatedClocks {
  var controller = DriftController(producerRate: 48000, consumerRate: 48000, delay: 1000)
  var random = SplitMix64(seed: 7)
  /// Produced frames consumed so far, and frames of the consumer's.
  var (position, consumed) = (-1000.0, 0.0)
  var step = 1.0
  let drift: Double
  let jitter: Double

  init(partsPerMillion: Double, jitterMilliseconds: Double) {
    drift = partsPerMillion * 1e-6
    jitter = jitterMilliseconds * 48
  }

  /// Consumes for some seconds: the largest error of the pitch in ppm, and of the delay in frames.
  mutating func run(seconds: Double) -> (pitch: Double, delay: Double) {
    let end = consumed + seconds * 48000
    var (pitch, delay) = (0.0, 0.0)
    while consumed < end {
      consumed += 256
      position += step * 256
      let produced = consumed / (1 + drift)
      let noise = (Double(random.next() >> 11) * 0x1p-53 - 0.5) * jitter
      step = controller.update(produced: produced + noise, consumed: consumed, position: position)
      pitch = max(pitch, abs(step * (1 + drift) - 1) * 1e6)
      delay = max(delay, abs(produced - position - 1000))
    }
    return (pitch, delay)
  }
}

@Suite("The drift controller")
struct DriftControllerTests {
  @Test(
    "follows a clock that is 200 ppm off through a millisecond of jitter: after a minute the pitch is right to 1 ppm and stays so",
    arguments: [200.0, -200], [0.0, 1])
  func settles(partsPerMillion: Double, jitter: Double) {
    var clocks = SimulatedClocks(partsPerMillion: partsPerMillion, jitterMilliseconds: jitter)
    // Half a cent is 289 ppm, a millisecond 48 frames: what the ring keeps in reserve.
    let early = clocks.run(seconds: 60)
    #expect(early.pitch < 400)
    #expect(early.delay < 12)
    let settled = clocks.run(seconds: 540)
    #expect(settled.pitch < 1)
    #expect(settled.delay < 2)
    #expect(abs(clocks.controller.partsPerMillion - partsPerMillion) < 0.5)
    #expect(clocks.controller.memory == 60)
  }

  @Test("never goes further than 0.1 percent and half a cent from the nominal speed, whatever it is told")
  func isBounded() {
    var controller = DriftController(producerRate: 48000, consumerRate: 44100, delay: 0)
    var random = SplitMix64(seed: 1)
    for period in 1...2000 {
      let step = controller.update(
        produced: Double(random.next() >> 20), consumed: Double(period * 441), position: Double(random.next() >> 20))
      #expect(abs(step / controller.nominalStep - 1) <= 1.3e-3 + 1e-12)
    }
  }

  @Test("goes on with the drift it knows after an interruption, at the delay it finds then")
  func restarts() {
    var clocks = SimulatedClocks(partsPerMillion: 120, jitterMilliseconds: 0)
    _ = clocks.run(seconds: 120)
    let known = clocks.controller.partsPerMillion
    clocks.position -= 500
    let produced = clocks.consumed / (1 + clocks.drift)
    #expect(
      abs(clocks.controller.surprise(produced: produced + 480, consumed: clocks.consumed) - 0.01) < 1e-5)
    clocks.controller.restart(produced: produced, consumed: clocks.consumed, delay: produced - clocks.position)
    #expect(clocks.controller.partsPerMillion == known)
    #expect(clocks.run(seconds: 60).pitch < 1)
  }
}
