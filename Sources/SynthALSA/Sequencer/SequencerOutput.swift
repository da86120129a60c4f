import CSynthALSA
import Glibc
import SynthMIDI
import SynthRealtime

/// A port of the ALSA sequencer that a program sends from: to a hardware synthesizer, to another program, to all that
/// connect to it.
///
///     let output = try SequencerOutput(portName: "arpeggio")
///     if let piano = try SequencerPorts().destination(named: "USB MIDI") { try output.connect(piano) }
///     try output.send(.noteOn(channel: 0, note: 60, velocity7: 100))
///     try output.send(.noteOff(channel: 0, note: 60), at: HostClock.now + 500_000_000)
///
/// The kernel keeps what has a host time to come, up to 2000 messages, and sends it at that time. As a `MIDISink` it
/// takes what a source, a `MIDIThrough`, a `MIDIClockSender` or a sequencer's `MIDISinkDestination` delivers.
public final class SequencerOutput: MIDISink, @unchecked Sendable {
  // Unchecked: the handle is used by who has the lock.

  /// The port's address.
  public let address: SequencerAddress

  private struct State: Sendable {
    /// What the ports of sources hold that it is a sink of.
    var held = HeldState()
    var dropCount = 0
    /// The host time at which the last piece of a long System Exclusive message has passed a cable.
    var busyUntil: UInt64 = 0
    var latestTime: UInt64 = 0
    /// What the kernel has no room for yet of a long System Exclusive message, and when its first byte is to be sent.
    var rest: ArraySlice<UInt8> = []
    var restTime: UInt64 = 0
  }

  private let handle: SequencerHandle
  private let state = CheckedMutex(State())

  /// Longer System Exclusive messages go in pieces, at the speed of a cable: the kernel keeps 4096 bytes for a device
  /// and loses what comes beyond them.
  private static let longestPiece = 1024
  private static let pieceSize = 256
  /// Of a byte on a cable, in nanoseconds. Source: MIDI 1.0, "Hardware".
  private static let byteDuration: UInt64 = 320_000
  /// How often it is tried to send the rest of a long message, in microseconds: a piece takes 82 ms on a cable.
  private static let restInterval: UInt32 = 20_000

  /// Opens the sequencer and makes the client and its port, which others can connect to as well.
  ///
  /// - Throws: `SequencerError`: no sequencer in the kernel, no permission.
  public init(clientName: String = "synth", portName: String = "synth output") throws(SequencerError) {
    handle = try SequencerHandle(clientName: clientName, role: .output(portName))
    address = handle.port
  }

  /// Connects the port to a destination. [control thread]
  ///
  /// - Throws: `SequencerError`: it is gone, connected already, or does not allow it.
  public func connect(_ destination: SequencerPort) throws(SequencerError) {
    try SequencerPorts().connect(address, to: destination.address)
  }

  /// Disconnects the port from a destination. [control thread]
  public func disconnect(_ destination: SequencerPort) throws(SequencerError) {
    try SequencerPorts().disconnect(address, from: destination.address)
  }

  /// Sends a channel message; locks and does a system call. [control thread]
  ///
  /// - Parameter hostTime: when, in nanoseconds of the monotonic clock; 0 stands for now.
  /// - Throws: `SequencerError`: 2000 messages wait already, or MIDI 1.0 has no such message.
  public func send(_ message: MIDIMessage, at hostTime: UInt64 = 0) throws(SequencerError) {
    try send(.message(message), at: hostTime)
  }

  /// Sends a System Exclusive message, given without F0 and F7. One of more than 1024 bytes goes in pieces, 3125 bytes
  /// a second, and what is sent meanwhile after it, but for clock and transport. A thread sends what the kernel has no
  /// room for; until that is sent, further messages are refused as where 2000 wait. [control thread]
  ///
  /// - Throws: `SequencerError`: there is no room for the beginning of the message, none of which is sent then.
  public func send(systemExclusive payload: [UInt8], at hostTime: UInt64 = 0) throws(SequencerError) {
    try send(.systemExclusive(payload), at: hostTime)
  }

  /// Sends clock or transport. [control thread]
  public func send(_ message: MIDIClockMessage, at hostTime: UInt64 = 0) throws(SequencerError) {
    try send(.clock(message), at: hostTime)
  }

  private func send(_ content: MIDISourceEvent.Content, at hostTime: UInt64) throws(SequencerError) {
    try state.withLock { state throws(SequencerError) in try send(content, at: hostTime, &state) }
  }

  /// Takes back what waits for its time; note offs stay, so that no note sounds on. [control thread]
  public func cancel() {
    state.withLock { state in
      calsa_cancel(handle.sequencer)
      (state.busyUntil, state.latestTime, state.rest) = (0, 0, [])
    }
  }

  /// The latest host time at which something is sent; 0 where nothing had a time. What waits is lost with the output,
  /// so a program keeps it until then. [any thread]
  public var latestTime: UInt64 { state.withLock { $0.latestTime } }

  /// How many messages of sources were not sent, because 2000 waited already or MIDI 1.0 has them not. [any thread]
  public var dropCount: Int { state.withLock { $0.dropCount } }

  /// Sends what a source delivers, at its host time; releases what a port holds that leaves.
  public func receive(_ event: MIDISourceEvent) {
    state.withLock { state in
      switch event {
      case .received(let content, let port, let hostTime):
        if case .message(let message) = content, !state.held.follow(message, from: port.id) { return }
        deliver(content, at: hostTime, &state)
      case .departed(let port), .fellSilent(let port):
        for message in state.held.releaseMessages(of: port.id) { deliver(.message(message), at: 0, &state) }
      case .eventsLost: for message in state.held.releaseMessages() { deliver(.message(message), at: 0, &state) }
      case .joined: break
      }
    }
  }

  private func deliver(_ content: MIDISourceEvent.Content, at hostTime: UInt64, _ state: inout State) {
    do throws(SequencerError) {
      try send(content, at: hostTime, &state)
    } catch {
      state.dropCount += 1
    }
  }

  private func send(
    _ content: MIDISourceEvent.Content, at hostTime: UInt64, _ state: inout State
  ) throws(SequencerError) {
    // A byte of clock and transport may stand within a System Exclusive message. Source: MIDI 1.0, "System Real Time
    // Messages".
    if case .clock(let message) = content, message.bytes.count == 1 {
      try send(message.bytes[0], 0, 0, queueTime(of: hostTime))
      return state.latestTime = max(state.latestTime, hostTime)
    }
    guard state.rest.isEmpty else { throw Self.full }
    let time = max(hostTime, state.busyUntil)
    if state.busyUntil <= HostClock.now { state.busyUntil = 0 }
    switch content {
    case .systemExclusive(let payload):
      let bytes = [0xF0] + payload + [0xF7]
      guard bytes.count <= Self.longestPiece else { return try begin(bytes[...], at: time, &state) }
      try send(bytes[...], queueTime(of: time))
    case .message(let message):
      guard let messages = message.shortMessages else {
        throw SequencerError("sending a MIDI message", .failed("MIDI 1.0 has no \(message.kind)"))
      }
      let time = queueTime(of: time)
      for message in messages { try send(message.status, message.data1, message.data2 ?? 0, time) }
    case .clock(let message): try send(message.bytes[0], message.bytes[1], message.bytes[2], queueTime(of: time))
    case .reset: try send(0xFF, 0, 0, queueTime(of: time))
    }
    state.latestTime = max(state.latestTime, time)
  }

  private func send(_ status: UInt8, _ data1: UInt8, _ data2: UInt8, _ time: Int64) throws(SequencerError) {
    try check(calsa_send_message(handle.sequencer, Int32(address.port), handle.queue, time, status, data1, data2))
  }

  private func send(_ bytes: ArraySlice<UInt8>, _ time: Int64) throws(SequencerError) {
    let code = bytes.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map {
        calsa_send_bytes(handle.sequencer, Int32(address.port), handle.queue, time, $0, UInt32(bytes.count))
      }
    }
    try check(code ?? 0)
  }

  private func check(_ code: Int32) throws(SequencerError) {
    if code == -EAGAIN || code == -ENOMEM { throw Self.full }
    try SequencerHandle.check("sending a MIDI message", code)
  }

  private static let full = SequencerError("sending a MIDI message", .full)

  /// On the clock of the kernel's queue; negative for at once. What has a time goes through the queue even if that is
  /// past, so that nothing overtakes what was due before it.
  private func queueTime(of hostTime: UInt64) -> Int64 {
    guard hostTime > 0, let moment = handle.moment() else { return -1 }
    return max(moment.queue &+ (Int64(truncatingIfNeeded: hostTime) &- moment.host), 0)
  }
}

// MARK: - Long System Exclusive messages

extension SequencerOutput {
  /// Sends as much of a long message as there is room for, and leaves the rest to a thread.
  private func begin(_ bytes: ArraySlice<UInt8>, at hostTime: UInt64, _ state: inout State) throws(SequencerError) {
    (state.rest, state.restTime) = (bytes, hostTime == 0 ? HostClock.now : hostTime)
    do throws(SequencerError) {
      try sendRest(&state)
    } catch {
      let isBegun = state.rest.count < bytes.count
      guard error.cause == .full, isBegun else {
        state.rest = []
        throw error
      }
      try leaveRest(&state)
    }
    let end = state.restTime + UInt64(state.rest.count) * Self.byteDuration
    (state.busyUntil, state.latestTime) = (end, max(state.latestTime, end))
  }

  private func sendRest(_ state: inout State) throws(SequencerError) {
    while !state.rest.isEmpty {
      let piece = state.rest.prefix(Self.pieceSize)
      try send(piece, queueTime(of: state.restTime))
      state.restTime += UInt64(piece.count) * Self.byteDuration
      state.rest = state.rest.dropFirst(piece.count)
    }
  }

  private func leaveRest(_ state: inout State) throws(SequencerError) {
    do throws(WorkerThreadError) {
      try WorkerThread(named: "midi output", stackSize: WorkerThread.smallStack) { [weak self] in
        while self?.hasSentRest() == false { usleep(Self.restInterval) }
      }.detach()
    } catch {
      state.rest = []
      throw SequencerError("starting the MIDI thread", code: -error.code)
    }
  }

  /// Whether nothing is left of a long message: all is sent, has been taken back, or cannot be sent.
  private func hasSentRest() -> Bool {
    state.withLock { state in
      do throws(SequencerError) {
        try sendRest(&state)
      } catch {
        if error.cause == .full { return false }
        state.rest = []
        state.dropCount += 1
      }
      return true
    }
  }
}
