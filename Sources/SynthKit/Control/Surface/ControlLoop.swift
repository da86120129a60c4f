import Glibc

/// The loop of a program that plays: it waits until a client or a key asks for something or a moment has passed, and
/// lets all that belongs to it do its work.
///
///     let loop = ControlLoop()
///     loop.add(surface)
///     if let desktop = NowPlaying(session, name: "player", identity: "Player") { loop.add(desktop) }
///     try session.play(song)
///     try loop.run { session.isPlaying }
///
/// It has no thread: everything is called by the thread that runs it, in the order in which it was added. [control
/// thread]
public final class ControlLoop {
  /// The longest wait, in milliseconds.
  private static let tick: Int32 = 50

  private struct Member {
    let descriptor: () -> Int32?
    let work: () throws -> Void
  }

  private var members: [Member] = []
  private var isHurried = false

  public init() {}

  /// Adds what is called some 20 times a second.
  ///
  /// - Parameter descriptor: asked for before each wait; when it is readable, the wait ends. Nil for none.
  public func add(wokenBy descriptor: @escaping () -> Int32? = { nil }, _ work: @escaping () throws -> Void) {
    members.append(Member(descriptor: descriptor, work: work))
  }

  /// Performs what clients ask for as soon as they ask, and tells them what changes.
  public func add(_ surface: ControlSurface) { add(wokenBy: { surface.wakeDescriptor }, surface.turn) }

  /// Does what the desktop asks for, and tells it what plays.
  public func add(_ nowPlaying: NowPlaying) { add(nowPlaying.turn) }

  /// Writes what is recorded.
  ///
  /// - Parameter report: called with each take that has been saved, and with each error.
  public func add(
    _ recorder: SessionRecorder, report: @escaping (Result<SessionRecorder.Recorded, RecordingError>) -> Void
  ) {
    add {
      do throws(RecordingError) {
        try recorder.turn()
      } catch {
        report(.failure(error))
      }
      do throws(RecordingError) {
        if let saved = try recorder.takeSaved() { report(.success(saved)) }
      } catch {
        report(.failure(error))
      }
    }
  }

  /// The next turn follows at once.
  public func hurry() { isHurried = true }

  /// Waits, 50 ms at most, and calls everything once.
  ///
  /// - Throws: what one of the calls throws; those after it are left out.
  public func turn() throws {
    var requests = members.compactMap { member in
      member.descriptor().map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    }
    poll(&requests, nfds_t(requests.count), isHurried ? 0 : Self.tick)
    isHurried = false
    for member in members { try member.work() }
  }

  /// Turns as long as something holds.
  public func run(while isOn: () -> Bool) throws { while isOn() { try turn() } }
}
