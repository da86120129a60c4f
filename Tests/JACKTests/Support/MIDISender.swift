import CSynthJACK
import Glibc
import Synchronization
import SynthRealtime

/// A client of the test's own that sends MIDI messages at frames of JACK's clock.
final class MIDISender {
  /// Of libjack, for what only tests do.
  private typealias Clear = @convention(c) (UnsafeMutableRawPointer) -> Void
  private typealias Write = @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafePointer<UInt8>, Int) -> Int32

  private struct State: ~Copyable {
    let client: OpaquePointer
    let port: OpaquePointer
    let clear: Clear
    let write: Write
    let messages: [(frame: Int, bytes: [UInt8])]
    /// JACK's frame time of the latest cycle.
    let frame = Atomic(0)
    /// The frame of JACK's clock that the messages' are counted from; 0 for none sent.
    let origin = Atomic(0)
    let sentCount = Atomic(0)

    func process(_ frames: Int) {
      guard let buffer = jack_port_get_buffer(port, UInt32(frames)) else { return }
      clear(buffer)
      var (now, begin, end, period) = (UInt32(0), UInt64(0), UInt64(0), Float(0))
      jack_get_cycle_times(client, &now, &begin, &end, &period)
      frame.store(Int(now), ordering: .relaxed)
      let origin = origin.load(ordering: .relaxed)
      guard origin > 0 else { return }
      for message in messages {
        let offset = origin + message.frame - Int(now)
        guard (0..<frames).contains(offset) else { continue }
        if write(buffer, UInt32(offset), message.bytes, message.bytes.count) == 0 {
          sentCount.add(1, ordering: .relaxed)
        }
      }
    }
  }

  private let state: Box<State>

  init(_ messages: [(frame: Int, bytes: [UInt8])], to destination: String) {
    var status: UInt32 = 0
    let client = cjack_open("sender", JACKServer.name, &status)!
    let library = dlopen("libjack.so.0", RTLD_NOW)
    state = Box(
      State(
        client: client, port: jack_port_register(client, "out", CJACK_MIDI, UInt(CJACK_OUTPUT), 0)!,
        clear: unsafeBitCast(dlsym(library, "jack_midi_clear_buffer"), to: Clear.self),
        write: unsafeBitCast(dlsym(library, "jack_midi_event_write"), to: Write.self), messages: messages))
    let entry: cjack_frames_callback = { frames, context in
      context!.assumingMemoryBound(to: State.self).pointee.process(Int(frames))
      return 0
    }
    jack_set_process_callback(client, entry, state.pointer)
    jack_activate(client)
    jack_connect(client, jack_port_name(state.pointer.pointee.port), destination)
  }

  deinit { jack_client_close(state.pointer.pointee.client) }

  /// Sends the messages, their frames counted from 0.1 s from now: JACK's frame time of that.
  func send() -> Int {
    let origin = state.pointer.pointee.frame.load(ordering: .relaxed) + 4800
    state.pointer.pointee.origin.store(origin, ordering: .relaxed)
    return origin
  }

  var sentCount: Int { state.pointer.pointee.sentCount.load(ordering: .relaxed) }
}
