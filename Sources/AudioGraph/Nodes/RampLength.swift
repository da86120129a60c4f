import SynthDSP
import SynthRealtime

/// How long a change of level takes, in seconds.
let levelRampDuration = 0.02

/// How many quanta a change of level that is set at once is ramped over: 20 ms, rounded up. [any thread]
public func levelRampBlocks(sampleRate: Double) -> Int {
  max(1, Int((levelRampDuration * clampedRate(sampleRate) / Double(renderQuantum)).rounded(.up)))
}
