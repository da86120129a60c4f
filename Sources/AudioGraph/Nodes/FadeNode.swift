import SynthDSP
import SynthRealtime

/// Fades from its first input to its second, once, while an edit takes effect. Only plans have one.
final class FadeNode: AudioNode {
  /// In seconds. A step of full scale becomes one of a 480th per frame at 48 kHz.
  static let duration = 0.01

  let name = "fade"
  let inputBusCount = 2
  let outputBusCount = 1
  /// At the node's rate, from the edit to the end.
  private let quantumCount: Int
  let kernel: Kernel
  private let sampleRate: Double

  /// - Parameters:
  ///   - sampleRate: of the bus, in hertz.
  ///   - lead: how long it waits before it begins, in seconds: until the second input gives what it is given.
  init(sampleRate: Double, lead: Double) {
    self.sampleRate = sampleRate
    let count = max(1, Int((Self.duration * sampleRate / Double(renderQuantum)).rounded(.up)))
    let lead = Int((lead * sampleRate / Double(renderQuantum)).rounded(.up))
    quantumCount = lead + count
    kernel = Kernel(FadeKernel(lead: lead, quantumCount: count), entry: FadeKernel.entry)
  }

  /// How many quanta of the output unit's rate, which is in hertz, it takes.
  func quantumCount(unit: Double) -> Int {
    guard sampleRate != unit else { return quantumCount }
    // A quantum of another rate may begin up to one later.
    return Int((Double(quantumCount) * unit / sampleRate).rounded(.up)) + 1
  }

  func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] {
    inputs.compactMap(\.self).suffix(1)
  }

  func kernel(for formats: BusFormats) -> Kernel { kernel }
}

private struct FadeKernel {
  private let quantumCount: Int
  /// Negative before it begins.
  private var done: Int

  init(lead: Int, quantumCount: Int) {
    self.quantumCount = quantumCount
    done = -lead
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: FadeKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let (old, new, output) = (context.input(0), context.input(1), context.output(0))
    let (isAhead, isOver) = (done < 0, done >= quantumCount)
    let place = Float(Int32(truncatingIfNeeded: min(max(done, 0), quantumCount)))
    let start = place / Float(Int32(truncatingIfNeeded: quantumCount))
    let step = isAhead || isOver ? 0 : 1 / Float(Int32(truncatingIfNeeded: quantumCount &* renderQuantum))
    if !isOver { done &+= 1 }
    switch (old.isSilent || isOver, new.isSilent || isAhead) {
    case (true, true): output.silence()
    case (true, false): scale(new, to: output, GainSegment(start: start, step: step))
    case (false, true): scale(old, to: output, GainSegment(start: 1 - start, step: -step))
    case (false, false):
      for channel in 0..<output.channelCount {
        cross(old[channel], new[channel], to: output[channel], from: start, step: step)
      }
    }
  }

  @_noLocks
  private func scale(_ input: Bus, to output: Bus, _ gain: GainSegment) {
    for channel in 0..<output.channelCount {
      if gain.start == 1, gain.step == 0 {
        copySamples(from: input[channel], to: output[channel], count: renderQuantum)
      } else {
        _ = scaleBlock(input[channel], into: output[channel], gain: gain, count: renderQuantum)
      }
    }
  }

  /// Where both inputs are the same, so is the output, bit for bit.
  @_noLocks
  private func cross(
    _ old: UnsafePointer<Float>, _ new: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>,
    from start: Float, step: Float
  ) {
    for frame in 0..<renderQuantum {
      let share = start + step * Float(Int32(truncatingIfNeeded: frame &+ 1))
      output[frame] = old[frame] + (new[frame] - old[frame]) * share
    }
  }
}
