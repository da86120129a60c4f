import SynthJACK
import SynthRealtime

/// Keeps the song of a session and the transport of its JACK server together: whichever of both is started, stopped or
/// moved takes the other along. A frame of the transport is a frame of the song, at the tempo of its file. [control
/// thread]
///
///     let link = JACKTransportLink(session, output)
///     try session.play(song)
///     while session.isPlaying || session.isPaused { try link.turn(); usleep(50_000) }
///     link.end()
public final class JACKTransportLink {
  /// What both did at a time; places in seconds.
  private struct Moment {
    var isPaused: Bool
    var position: Double
    var transport: JACKTransport.State
    var place: Double
    let time = HostClock.now
  }

  private let session: Session
  private let stream: JACKStream
  /// Nil before the song's start, and after the server was away.
  private var last: Moment?
  /// Until then the transport may not have done yet what it was told. On `HostClock`.
  private var quietEnd: UInt64 = 0

  /// More than this is a leap, in seconds.
  private static let leap = 0.1

  /// Made before the song is played, which then begins with the transport's first frame.
  public init(_ session: Session, _ output: JACKOutput) {
    self.session = session
    stream = output.stream
    stream.isFollowingTransport = true
    wait()
  }

  deinit { release() }

  /// To be called some twenty times a second.
  ///
  /// - Throws: as `Session.pauseSong` and `Session.resumeSong`.
  public func turn() throws {
    guard session.duration != nil, session.isPlaying || session.isPaused else { return }
    guard let transport = stream.transport else { return last = nil }
    let now = Moment(
      isPaused: session.isSongPaused, position: session.position, transport: transport.state,
      place: Double(transport.frame) / stream.sampleRate)
    last = try last.map { try next(now, after: $0) } ?? lead(now)
    if now.transport == .rolling { stream.isReadyToRoll = false }
  }

  /// Stops the transport, because nothing is played any more.
  public func end() {
    if last?.isPaused == false { stream.stopTransport() }
    release()
  }

  private func release() {
    stream.isFollowingTransport = false
    stream.waitsForRoll = false
  }

  /// Does what follows from a moment, and gives what is then.
  private func next(_ now: Moment, after last: Moment) throws -> Moment {
    var next = now
    let elapsed = Double(now.time - last.time) / 1e9
    if now.isPaused != last.isPaused { return now.isPaused ? halt(now) : lead(now) }
    let stands = last.isPaused || stream.waitsForRoll
    let due = last.position + (stands ? 0 : elapsed * session.tempo)
    if now.time < quietEnd {
      // A leap of the song meanwhile is seen afterwards.
      (next.transport, next.position) = (last.transport, due)
      return next
    }
    if now.transport == .starting, !stream.isReadyToRoll { return try follow(now) }
    if (now.transport == .stopped) != (last.transport == .stopped) {
      return now.transport == .stopped ? try stop(now) : try follow(now)
    }
    let expected = last.place + (last.transport == .rolling ? elapsed : 0)
    if abs(now.place - expected) > Self.leap { return try follow(now) }
    return abs(now.position - due) > Self.leap ? locate(now) : now
  }
}

// The song follows.

extension JACKTransportLink {
  /// Plays where the transport is, or stands still there.
  private func follow(_ now: Moment) throws -> Moment {
    var next = now
    guard let duration = session.duration, now.place < duration else { return try stop(now) }
    // Of a song that plays, place and position are read some cycles apart.
    let isStill = now.isPaused || now.transport == .starting
    let tolerance = isStill ? 0.002 : 0.05 + 2 * Double(stream.latency.period) / stream.sampleRate
    if abs(now.position - now.place) > tolerance {
      try session.seek(to: now.place)
      next.position = now.place
    }
    if now.transport == .starting { wait() }
    if now.isPaused, now.transport != .stopped {
      try session.resumeSong()
      next.isPaused = false
    }
    stream.isReadyToRoll = now.transport == .starting
    return next
  }

  private func stop(_ now: Moment) throws -> Moment {
    var next = now
    if !now.isPaused { try session.pauseSong() }
    next.isPaused = true
    stream.isReadyToRoll = true
    wait()
    return next
  }

  /// Lets what is played next begin with the transport. Keyboards are heard in any case.
  private func wait() { if !session.hasSources { stream.waitsForRoll = true } }
}

// The transport follows.

extension JACKTransportLink {
  private func lead(_ now: Moment) -> Moment {
    var next = now
    guard !now.isPaused else { return now }
    next = locate(now)
    stream.startTransport()
    next.transport = .rolling
    return next
  }

  private func halt(_ now: Moment) -> Moment {
    var next = now
    stream.stopTransport()
    keepQuiet()
    wait()
    next.transport = .stopped
    return next
  }

  private func locate(_ now: Moment) -> Moment {
    var next = now
    stream.isReadyToRoll = true
    stream.locateTransport(to: Int((now.position * stream.sampleRate).rounded()))
    keepQuiet()
    next.place = now.position
    return next
  }

  /// For some cycles, at least a fifth of a second.
  private func keepQuiet() {
    quietEnd =
      HostClock.now + max(200_000_000, HostClock.nanoseconds(4 * Double(stream.latency.period) / stream.sampleRate))
  }
}
