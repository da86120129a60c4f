import ALSA
import AudioGraph
import Realtime
import Synchronization

/// What a device's thread renders from: the engine, until the song's tail has become silent.
final class PlayerSource: @unchecked Sendable {
  private let state: UnsafeMutablePointer<State>
  private let engine: AudioEngine
  /// Held while a device may ask for audio.
  private let lease = Guarded<PullerLease?>(nil)

  init(_ engine: AudioEngine) {
    self.engine = engine
    state = .allocate(capacity: 1)
    state.initialize(to: State(engine))
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// The context of `callback`.
  var context: UnsafeMutableRawPointer { UnsafeMutableRawPointer(state) }

  /// Frames rendered since `begin`. [any thread]
  var frameCount: Int { state.pointee.frameCount.load(ordering: .relaxed) }

  /// The frame that is asked for at a host time in nanoseconds, counted from `begin`; nil before the first. [any thread]
  ///
  /// Never far beyond what has been rendered: where the device stands still, the host's clock does not.
  func sampleTime(at hostTime: UInt64) -> Int64? {
    let limit = Int64(frameCount) + Int64(engine.sampleRate / 20)
    return state.pointee.clock.sampleTime(at: hostTime).map { min($0, limit) }
  }

  func takePeak() -> Float { Float(bitPattern: state.pointee.peak.exchange(0, ordering: .relaxed)) }

  /// Lets a device begin to ask for audio, if nobody else pulls the engine; `prepare` comes before. [control threads]
  func start(_ device: PCMAggregate, prepare: () -> Void = {}) throws {
    try lease.withLock { lease in
      if lease == nil { lease = try engine.lease() }
      prepare()
      do {
        try device.start(Self.callback, context: context)
      } catch {
        if !device.isRunning { lease = nil }
        throw error
      }
    }
  }

  /// Waits until the device has stopped, and leaves the engine to others. [control threads]
  func wait(for device: PCMAggregate) {
    device.wait()
    // It may have been started again.
    lease.withLock { if !device.isRunning { $0 = nil } }
  }

  /// Sets the end of what will be rendered. [control thread, not running]
  func begin(_ detector: TailDetector) {
    state.pointee.detector = detector
    state.pointee.frameCount.store(0, ordering: .relaxed)
  }

  static let callback: PCMRenderCallback = { context, channels, channelCount, frameCount in
    let slice = RenderSlice(channels: channels, channelCount: Int(channelCount), frameCount: Int(frameCount))
    return Int32(truncatingIfNeeded: context.assumingMemoryBound(to: State.self).pointee.render(slice))
  }

  private struct State: ~Copyable {
    let render: RenderFunction
    let context: UnsafeMutableRawPointer
    var detector: TailDetector?
    let clock: SampleClock
    let frameCount = Atomic<Int>(0)
    let peak = Atomic<UInt32>(0)

    init(_ engine: AudioEngine) {
      render = AudioEngine.outputCallback
      context = engine.outputContext
      clock = SampleClock(sampleRate: engine.sampleRate)
    }

    @_noLocks
    mutating func render(_ slice: RenderSlice) -> Int {
      let (render, context) = (render, context)
      var slice = slice
      clock.note(sampleTime: Int64(frameCount.load(ordering: .relaxed)), hostTime: HostClock.now)
      withUnsafeMutablePointer(to: &slice) { call(render, context, UnsafeMutableRawPointer($0)) }
      let count = detector?.frames(of: slice) ?? slice.frameCount
      frameCount.add(count, ordering: .relaxed)
      peak.max(highest(of: slice).bitPattern, ordering: .relaxed)
      return count
    }

    @_noLocks
    private func highest(of slice: RenderSlice) -> Float {
      var highest: Float = 0
      for channel in 0..<slice.channelCount {
        for frame in 0..<slice.frameCount { highest = max(highest, abs(slice.channels[channel][frame])) }
      }
      return highest
    }
  }
}
