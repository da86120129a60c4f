import Realtime

/// How many quanta a change of level is ramped over: 20 ms, rounded up. [any thread]
public func levelRampBlocks(sampleRate: Double) -> Int {
  max(1, Int((0.02 * sampleRate / Double(renderQuantum)).rounded(.up)))
}
