import SynthRealtime

/// The delay line's render side.
struct DelayKernel: ~Copyable {
  private var history: FrameHistory
  private let delay: Int64
  /// The frame after the last that was not silent.
  private var soundEnd = Int64.min

  /// - Parameter delay: in frames; a quantum at least where the output is rendered before the input is taken.
  init(channelCount: Int, delay: Int) {
    self.delay = Int64(delay)
    history = FrameHistory(channelCount: channelCount, frameCount: delay + renderQuantum)
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: DelayKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  static let intake: RenderFunction = { state, context in
    state.assumingMemoryBound(to: DelayKernel.self).pointee
      .take(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  /// For a delay of any length that takes its input and renders in one step.
  static let passage: RenderFunction = { state, context in
    let kernel = state.assumingMemoryBound(to: DelayKernel.self)
    let context = context.assumingMemoryBound(to: RenderContext.self).pointee
    kernel.pointee.take(context)
    kernel.pointee.render(context)
  }

  @_noLocks
  private mutating func take(_ context: RenderContext) {
    let (input, time) = (context.input(0), context.sampleTime)
    if time != history.end { forget(until: time) }
    guard input.isSilent else {
      history.append(input[0], count: renderQuantum)
      soundEnd = history.end
      return
    }
    // Silence is written down only for as long as there is sound before it to be heard.
    if soundEnd > time &- delay {
      history.appendSilence()
    } else {
      forget(until: time &+ Int64(renderQuantum))
    }
  }

  @_noLocks
  private mutating func forget(until time: Int64) {
    history.restart(at: time)
    soundEnd = .min
  }

  @_noLocks
  private func render(_ context: RenderContext) {
    let output = context.output(0)
    let (time, first) = (context.sampleTime, context.sampleTime &- delay)
    // A delay that was not rendered for a while goes on with nothing, whichever of its two steps comes first.
    guard time <= history.end, first < soundEnd, !history.isSilent(from: first) else { return output.silence() }
    history.copy(from: first, to: output[0])
  }
}
