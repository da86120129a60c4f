import AudioGraph
import Glibc
import Synchronization
import SynthInstruments
import SynthMIDI
import SynthRealtime
import TestSupport
import Testing

/// What one thread writes while another reads. The numbers are checked in any build, the ordering by ThreadSanitizer in
/// a release build: in a debug one the Swift runtime copies generic elements, where the sanitizer does not look.
@Suite("What crosses between threads", .timeLimit(.minutes(5)))
struct CrossingTests {
  @Test("a ring delivers everything once and in order")
  func ring() {
    let ring = RingBuffer<MIDIEvent>(minimumCapacity: 8)
    let producer = ring.producer
    let consumer = ring.consumer
    let thread = RunningThread {
      for time in 0..<10_000 {
        let event = MIDIEvent(time: Int64(time), message: .noteOn(channel: 0, note: 60, velocity7: 1))
        while !producer.push(event) { sched_yield() }
      }
    }
    var received: [Int64] = []
    while received.count < 10_000 {
      if let event = consumer.pop() { received.append(event.time) } else { sched_yield() }
    }
    thread.join()
    #expect(received == Array(0..<10_000))
    #expect(consumer.pop() == nil)
  }

  @Test("a handoff gives payloads in order, and every one is released")
  func handoff() {
    let alive = Balance()
    do {
      let handoff = Handoff<Payload>()
      let receiver = handoff.receiver
      let isDone = Flag()
      let thread = RunningThread {
        var present: Unmanaged<Payload>?
        var latest = 0
        while !isDone.isRaised {
          guard receiver.adopt(&present), let payload = present?._withUnsafeGuaranteedRef({ $0.number }) else {
            continue
          }
          #expect(payload > latest)
          latest = payload
        }
        present?.release()
      }
      for number in 1...1000 { handoff.send(Payload(number, alive)) }
      isDone.raise()
      thread.join()
    }
    #expect(alive.count == 0)
  }

  @Test("an engine renders while it is edited, played, set and metered")
  func engine() throws {
    let path = try WholePath()
    let timeline = try WholePath.timeline()
    let isDone = Flag()
    let engine = path.watched.engine
    let thread = RunningThread {
      let buffer = SampleBuffer(channelCount: 4, frameCapacity: 256)
      while !isDone.isRaised { try? engine.render(buffer.slice(frameCount: 100)) }
    }
    let source = TestNodes.source(.mono(48000))
    for round in 0..<50 {
      path.sampler.events.play(timeline)
      _ = path.sampler.events.send(
        MIDIEvent(time: 0, message: .noteOn(channel: 0, note: UInt8(40 + round), velocity7: 100)))
      for parameter in path.mixer.parameters {
        parameter.value = round.isMultiple(of: 2) ? parameter.range.upperBound : parameter.defaultValue
      }
      try engine.edit { graph in
        try graph.attach(source)
        try graph.disconnect(input: path.mixer)
        try graph.connect(source, to: path.mixer)
      }
      try engine.edit { graph in
        try graph.detach(source)
        try graph.connect(path.sampler, to: path.mixer)
      }
      // Seventeen buses at full scale and +12 dB are 68; a torn or stale value would lie anywhere.
      let meter = path.mixer.outputMeter
      #expect((0...1000).contains(meter.takePeak(0)) && (0...1000).contains(meter.rms(0)))
      #expect(path.sampler.activeVoiceCount <= 256)
    }
    // A busy machine may not have let the thread render since the last peak was taken.
    #expect(eventually { path.mixer.outputMeter.takePeak(0) > 0 })
    isDone.raise()
    thread.join()
  }
}

extension CrossingTests {
  @Test("two threads that set a parameter leave it with one's value in both its forms")
  func parameter() {
    let parameter = Parameter("switch", unit: .percent, range: 0...100, default: 0)
    let reader = parameter.reader
    for _ in 0..<200 {
      let other = RunningThread { for _ in 0..<500 { parameter.value = 100 } }
      for _ in 0..<500 { parameter.value = 0 }
      other.join()
      #expect(reader.renderValue * 100 == parameter.value)
    }
  }

  @Test("scheduled changes from several threads all arrive while their engine renders")
  func schedule() throws {
    let engine = AudioEngine(sampleRate: 48000)
    let parameters = (0..<3).map { Parameter("\($0)", unit: .ratio, range: 0...1_000_000, default: 0) }
    try engine.edit { try $0.attach(EffectNode(parameters: parameters) { _ in }) }
    let isDone = Flag()
    let audio = RunningThread {
      let buffer = SampleBuffer(channelCount: 1, frameCapacity: 100)
      while !isDone.isRaised { try? engine.render(buffer.slice(frameCount: 100)) }
    }
    let threads = parameters.map { parameter in
      RunningThread {
        var value = 1
        while value <= 3000 {
          do {
            try engine.schedule(parameter, to: Float(value), at: Int64(value))
            value += 1
          } catch ParameterError.scheduleFull {
            // Room has to be made, by the audio thread.
            sched_yield()
          } catch {
            Issue.record(error)
            return
          }
        }
      }
    }
    for thread in threads { thread.join() }
    // The audio thread needs only one more quantum.
    #expect(eventually { parameters.map(\.value) == [3000, 3000, 3000] })
    isDone.raise()
    audio.join()
  }
}

/// A payload that knows how many of its kind are alive.
private final class Payload: Sendable {
  let number: Int
  private let alive: Balance

  init(_ number: Int, _ alive: Balance) {
    self.number = number
    self.alive = alive
    alive.add(1)
  }

  deinit { alive.add(-1) }
}

private final class Balance: Sendable {
  private let value = Atomic<Int>(0)
  var count: Int { value.load(ordering: .acquiring) }
  func add(_ amount: Int) { value.add(amount, ordering: .acquiringAndReleasing) }
}

private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isRaised: Bool { value.load(ordering: .acquiring) }
  func raise() { value.store(true, ordering: .releasing) }
}
