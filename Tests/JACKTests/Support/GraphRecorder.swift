import CSynthJACK
import Glibc
import Synchronization
import SynthRealtime

/// A client of the test's own that records what other clients' ports send.
final class GraphRecorder {
  /// What its process callback works with.
  struct State: ~Copyable {
    var client: OpaquePointer
    var ports: [OpaquePointer] = []
    let samples: [UnsafeMutablePointer<Float>]
    let count = Atomic(0)
    /// JACK's frame time of the first frame.
    var start: UInt32?

    static let capacity = 48000 * 60

    @_optimize(none)
    mutating func process(_ frames: Int) {
      if start == nil {
        var (frame, begin, end, period) = (UInt32(0), UInt64(0), UInt64(0), Float(0))
        jack_get_cycle_times(client, &frame, &begin, &end, &period)
        start = frame
      }
      let place = count.load(ordering: .relaxed)
      guard place + frames <= Self.capacity else { return }
      for (channel, port) in ports.enumerated() {
        guard let buffer = jack_port_get_buffer(port, UInt32(frames)) else { return }
        memcpy(samples[channel] + place, buffer, 4 * frames)
      }
      count.store(place + frames, ordering: .releasing)
    }
  }

  private let state: Box<State>
  private var isClosed = false

  /// Records from now on.
  init(_ sources: [String]) {
    var status: UInt32 = 0
    let client = cjack_open("recorder", JACKServer.name, &status)!
    state = Box(State(client: client, samples: sources.map { _ in .allocate(capacity: State.capacity) }))
    for index in sources.indices {
      state.pointer.pointee.ports.append(
        jack_port_register(client, "in_\(index)", CJACK_AUDIO, UInt(CJACK_INPUT), 0)!)
    }
    let entry: cjack_frames_callback = { frames, context in
      context!.assumingMemoryBound(to: State.self).pointee.process(Int(frames))
      return 0
    }
    jack_set_process_callback(client, entry, state.pointer)
    jack_activate(client)
    for (source, port) in zip(sources, state.pointer.pointee.ports) {
      jack_connect(client, source, jack_port_name(port))
    }
  }

  deinit {
    close()
    for samples in state.pointer.pointee.samples { samples.deallocate() }
  }

  /// Ends the recording; libjack asks that clients of a server that has gone are closed before others are opened.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    jack_client_close(state.pointer.pointee.client)
  }

  var frameCount: Int { state.pointer.pointee.count.load(ordering: .acquiring) }

  /// JACK's frame time of the first frame.
  var start: Int { Int(state.pointer.pointee.start ?? 0) }

  /// What was recorded of a channel.
  func samples(_ channel: Int) -> [Float] {
    Array(UnsafeBufferPointer(start: state.pointer.pointee.samples[channel], count: frameCount))
  }

  /// From the first frame that is not silent.
  func sound(_ channel: Int) -> [Float] { Array(samples(channel).drop { $0 == 0 }) }
}
