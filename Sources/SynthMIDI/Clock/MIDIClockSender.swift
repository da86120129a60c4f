import SynthRealtime

/// Sends a MIDI clock, by the tempos of a song or at one tempo: other machines then play along.
///
///     let output = try SequencerOutput(to: drumMachine)
///     let clock = try MIDIClockSender(to: output, tempoMap: sequence.tempoMap)
///     clock.start()
///
/// A thread hands each message to the sink 20 to 30 ms early, with the host time at which it is to be sent.
public final class MIDIClockSender: Sendable {
  private let times: CheckedMutex<MIDIClockTimes>
  private let sink: any MIDISink
  private let thread = CheckedMutex<WorkerThread?>(nil)
  private let wake = Semaphore()
  private let port = MIDIPort(id: 0, name: "clock")

  private static let ahead: UInt64 = 30_000_000
  private static let interval: Int64 = 10_000_000

  /// A clock that is silent until it starts.
  ///
  /// - Throws: `WorkerThreadError` where there can be no thread for it.
  public init(to sink: any MIDISink, tempoMap: TempoMap) throws {
    self.sink = sink
    times = CheckedMutex(MIDIClockTimes(tempoMap))
    let worker = try WorkerThread(named: "midi clock", stackSize: WorkerThread.smallStack) { [weak self, wake] in
      while self?.turn() != nil { wake.wait(nanoseconds: Self.interval) }
    }
    thread.withLock { $0 = worker }
  }

  /// A clock of one tempo, in quarter notes per minute.
  public convenience init(to sink: any MIDISink, tempo: Double) throws {
    try self.init(to: sink, tempoMap: TempoMap(tempo: tempo))
  }

  deinit {
    wake.signal()
    guard let thread = thread.withLock({ $0 }) else { return }
    // The thread itself may be the last to let go.
    if thread.isCurrent { thread.detach() } else { thread.join() }
  }

  /// Starts the others at a beat, which is rounded to a sixteenth note, as the song position can say it. [any thread]
  ///
  /// - Parameter hostTime: when that beat is; nil for 30 ms from now.
  public func start(atBeat beat: Double = 0, at hostTime: UInt64? = nil) {
    let hostTime = hostTime ?? HostClock.now + Self.ahead
    send(times.withLock { $0.start(atBeat: beat, at: hostTime) })
    wake.signal()
  }

  /// Stops the others. Up to 30 ms of clocks are with the sink already. [any thread]
  public func stop() { send(times.withLock { $0.stop(at: HostClock.now) }) }

  /// Goes on at another tempo, in quarter notes per minute, from the next clock that is not sent yet. [any thread]
  public func setTempo(_ tempo: Double) { times.withLock { $0.setTempo(tempo) } }

  private func turn() { send(times.withLock { $0.take(before: HostClock.now + Self.ahead) }) }

  private func send(_ messages: [MIDIClockTimes.Entry]) {
    for message in messages {
      sink.receive(.received(.clock(message.message), from: port, hostTime: message.hostTime))
    }
  }
}

/// When the messages of a MIDI clock are to be sent.
public struct MIDIClockTimes: Sendable {
  /// A message and its time.
  public struct Entry: Hashable, Sendable {
    /// What is sent.
    public let message: MIDIClockMessage
    /// When, in nanoseconds of the monotonic clock.
    public let hostTime: UInt64
  }

  private var tempoMap: TempoMap
  private let rate: Double
  /// The number of the next clock in the song; nil while it is stopped.
  private var next: Int?
  /// The host time of beat 0, in nanoseconds.
  private var origin = 0.0

  /// A clock by the tempos of a song, stopped.
  ///
  /// - Parameter rate: how many times as fast the song is played, 0.01 to 100, to which it is clamped; NaN is 1.
  public init(_ tempoMap: TempoMap, rate: Double = 1) {
    // At an infinite rate, and at a negative one, there would be no end of clocks before any time.
    (self.tempoMap, self.rate) = (tempoMap, rate.isNaN ? 1 : min(max(rate, 0.01), 100))
  }

  /// Starts at a beat, rounded to a sixteenth note, which is at a host time: the messages to be sent first. NaN is beat
  /// 0.
  public mutating func start(atBeat beat: Double = 0, at hostTime: UInt64) -> [Entry] {
    let position = UInt16(min(max(0, (beat * 4).rounded()), 16383))
    let clock = Int(position) * MIDIClockMessage.clocksPerPosition
    // The others are to be ready for the first clock. Source: MIDI 1.0, "Start": at least 1 ms.
    let readiness = hostTime - min(hostTime, 2_000_000)
    let isRunning = next != nil
    (next, origin) = (clock, Double(hostTime) - seconds(of: clock) * 1e9)
    let messages: [MIDIClockMessage] = position > 0 ? [.songPosition(position), .continue] : [.start]
    return ((isRunning ? [.stop] : []) + messages).map { Entry(message: $0, hostTime: readiness) }
  }

  /// Stops: the message to be sent, if it has been started.
  public mutating func stop(at hostTime: UInt64) -> [Entry] {
    guard next != nil else { return [] }
    next = nil
    return [Entry(message: .stop, hostTime: hostTime)]
  }

  /// Goes on at another tempo, in quarter notes per minute, from the next clock on.
  public mutating func setTempo(_ tempo: Double) {
    let time = next.map { origin + seconds(of: $0) * 1e9 }
    tempoMap = TempoMap(tempo: tempo)
    if let next, let time { origin = time - seconds(of: next) * 1e9 }
  }

  /// The clocks before a host time that have not been taken yet.
  public mutating func take(before hostTime: UInt64) -> [Entry] {
    var entries: [Entry] = []
    while let number = next {
      let time = origin + seconds(of: number) * 1e9
      guard time < Double(hostTime) else { break }
      entries.append(Entry(message: .clock, hostTime: UInt64(max(time, 0))))
      next = number + 1
    }
    return entries
  }

  private func seconds(of clock: Int) -> Double {
    tempoMap.seconds(atBeat: Double(clock) / Double(MIDIClockMessage.clocksPerBeat)) / rate
  }
}
