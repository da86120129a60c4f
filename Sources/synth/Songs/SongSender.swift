import Glibc
import SynthALSA
import SynthKit
import SynthMIDI
import SynthRealtime

/// Sends a song to a port: a fifth of a second early, for the kernel to send each message at its time.
struct SongSender {
  private let song: Song
  private let output: SequencerOutput
  private let rate: Double
  /// Nil for no clock.
  private var clock: MIDIClockTimes?
  private var next = 0

  private static let ahead: UInt64 = 200_000_000

  init(_ song: Song, to output: SequencerOutput, rate: Double, sendsClock: Bool) {
    (self.song, self.output, self.rate) = (song, output, rate)
    clock = sendsClock ? MIDIClockTimes(song.tempoMap, rate: rate) : nil
  }

  /// Plays the song to its end, or until a signal comes.
  ///
  /// - Parameter tell: called with the place some times a second.
  mutating func send(_ tell: (SongTime) -> Void) throws {
    let start = HostClock.now + Self.ahead
    let end = start + nanoseconds(song.duration)
    var clocks = (clock?.start(at: start) ?? [])[...]
    // The kernel may be a little late with the last message, and drops it where the output ends before.
    while next < song.events.count || HostClock.now < max(end, output.latestTime + 5_000_000) {
      if Interruption.isRequested { return try silence() }
      let horizon = HostClock.now + Self.ahead
      clocks += clock?.take(before: min(horizon, end)) ?? []
      while let entry = clocks.first, try isSent({ try output.send(entry.message, at: entry.hostTime) }) {
        clocks.removeFirst()
      }
      try sendEvents(before: horizon, start)
      let now = HostClock.now
      tell(SongTime(now > start ? (Double(now - start) / 1e9).rounded(.down) : 0))
      usleep(20_000)
    }
    for entry in clock?.stop(at: 0) ?? [] { try output.send(entry.message) }
  }

  private mutating func sendEvents(before horizon: UInt64, _ start: UInt64) throws {
    while next < song.events.count {
      let time = start + nanoseconds(song.events[next].seconds)
      guard time < horizon else { return }
      let content = song.content(of: song.events[next])
      let isSent = try isSent {
        switch content {
        case .message(let message): try output.send(message, at: time)
        case .systemExclusive(let payload): try output.send(systemExclusive: payload, at: time)
        case .reset, .clock: break
        }
      }
      guard isSent else { return }
      next += 1
    }
  }

  /// Whether there was room for it: there is again when some of what waits has been sent.
  private func isSent(_ send: () throws -> Void) throws -> Bool {
    do {
      try send()
      return true
    } catch let error as SequencerError where error.cause == .full {
      return false
    }
  }

  private func nanoseconds(_ seconds: Double) -> UInt64 { HostClock.nanoseconds(seconds / rate) }

  /// Takes back what waits, and lets go of what may sound.
  private mutating func silence() throws {
    output.cancel()
    for entry in clock?.stop(at: 0) ?? [] { try output.send(entry.message) }
    for channel in 0..<16 as Range<UInt8> {
      try output.send(.controlChange(channel: channel, .sustain, value7: 0))
      try output.send(.controlChange(channel: channel, .allNotesOff, value7: 0))
    }
  }
}
