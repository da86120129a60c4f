import AudioGraph
import Glibc
import Testing

@Suite("Observers are told of a parameter's value", .timeLimit(.minutes(5)))
struct ObservationTests {
  let mixer = MixerNode(inputBusCount: 1)
  let told = Told<Float>()

  @Test("when it is set by name")
  func byName() throws {
    let observation = mixer.outputGain.observe { [told] in told.tell($0) }
    try mixer.parameter(named: "output gain").value = -6
    #expect(told.waitFor(-6))
    observation.cancel()
  }

  @Test("when another thread sets it")
  func byThread() async {
    let observation = mixer.outputGain.observe { [told] in told.tell($0) }
    await Task.detached { [mixer] in mixer.outputGain.value = -7 }.value
    #expect(told.waitFor(-7))
    observation.cancel()
  }

  @Test("when its time has come on the sample clock, and not before")
  func bySchedule() throws {
    let engine = try AudioEngine.chain(mixer, output: try OutputNode(channelCount: 2))
    let observation = mixer.outputGain.observe { [told] in told.tell($0) }
    try engine.schedule(mixer.outputGain, to: -8, at: 64)
    _ = engine.render(64)
    #expect(mixer.outputGain.value == 0)
    _ = engine.render(1)
    #expect(told.waitFor(-8))
    #expect(told.all == [-8])
    observation.cancel()
  }

  @Test("and of nothing once they have left, or nobody holds their token")
  func cancelled() {
    let other = Told<Float>()
    let cancelled = mixer.outputGain.observe { [told] in told.tell($0) }
    var dropped: ValueObservation? = mixer.outputGain.observe { [told] in told.tell($0) }
    let last = mixer.outputGain.observe { other.tell($0) }
    cancelled.cancel()
    dropped = nil
    mixer.outputGain.value = -9
    #expect(other.waitFor(-9))
    #expect(told.all.isEmpty && dropped == nil)
    last.cancel()
  }

  @Test("from a thread that may leave for itself")
  func cancelFromInside() {
    let holder = Told<Bool>()
    nonisolated(unsafe) var observation: ValueObservation?
    observation = mixer.outputGain.observe { _ in
      observation?.cancel()
      holder.tell(true)
    }
    mixer.outputGain.value = -10
    #expect(holder.waitFor(true))
    // Its own observer holds it.
    observation = nil
  }
}
