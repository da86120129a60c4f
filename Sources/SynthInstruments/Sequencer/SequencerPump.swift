import AudioGraph
import Synchronization
import SynthMIDI
import SynthRealtime

/// The thread that delivers what no engine renders: to sinks, and to the program's callback. It also sees to it that
/// loops without end have none.
final class SequencerPump: Sendable {
  private struct State: Sendable {
    var sinks: [MIDISinkDestination] = []
    var thread: WorkerThread?
  }

  private let state = CheckedMutex(State())
  private let clock: any SequencerDestination
  private let wake = Semaphore()
  private let isEnded = Atomic(false)
  private static let interval: Int64 = 5_000_000

  /// - Parameter extend: called every 5 ms.
  init(_ clock: any SequencerDestination, extend: @escaping @Sendable () -> Void) throws {
    self.clock = clock
    let thread = try WorkerThread(named: "sequencer", stackSize: WorkerThread.smallStack) { [self] in
      while !isEnded.load(ordering: .acquiring) {
        deliver()
        extend()
        wake.wait(nanoseconds: Self.interval)
      }
      // What is held is released, though the engine may stand still.
      deliver(ahead: 1)
    }
    state.withLock { $0.thread = thread }
  }

  /// Delivers to the sinks among destinations; those that were among them before are kept until the end.
  func play(_ parts: [SequencerRendition.Part]) {
    let now = clock.events.clock.moment.time
    state.withLock { state in
      for case let sink as MIDISinkDestination in parts.map(\.destination)
      where !state.sinks.contains(where: { $0 === sink }) {
        sink.deliver(until: self.time(now, of: sink)) { _ in 0 }
        state.sinks.append(sink)
      }
    }
  }

  /// Delivers what the engine has rendered by now.
  ///
  /// - Parameter seconds: how much of what is not rendered is delivered as well.
  func deliver(ahead seconds: Double = 0) {
    let moment = clock.events.clock.moment
    let ahead = Int64(seconds * clock.frameRate)
    for sink in state.withLock({ $0.sinks }) {
      sink.deliver(until: time(moment.time + ahead, of: sink)) { frame in
        guard moment.sliceHostTime > 0 else { return 0 }
        let frames = Double(frame) / sink.sampleRate * clock.frameRate - Double(moment.sliceTime)
        let time = Double(moment.sliceHostTime) + frames / clock.frameRate * 1e9
        return time > 0 ? UInt64(time) : 0
      }
    }
  }

  private func time(_ time: Int64, of sink: MIDISinkDestination) -> Int64 {
    Int64(Double(time) * (sink.sampleRate / clock.frameRate))
  }

  /// Ends the thread.
  func end() {
    isEnded.store(true, ordering: .releasing)
    wake.signal()
    guard let thread = state.withLock({ $0.thread }) else { return }
    // The last to let go of a sequencer may be its own callback.
    if thread.isCurrent { thread.detach() } else { thread.join() }
  }
}
