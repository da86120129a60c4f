import SynthRealtime

/// What reads ahead of what is played.
protocol ReadAhead: AnyObject, Sendable {
  /// What it needs of the thread that reads. [any thread]
  var need: ReadingNeed { get }
  /// Reads the next piece. [control thread]
  func readPiece()
}

/// How urgently a player must be read for.
enum ReadingNeed {
  /// Nothing is to be read until `ReadingThread.wake()`.
  case none
  /// Its memory is full.
  case later
  /// There is room; so many seconds of what is to be played next are in memory.
  case now(lead: Double)
}

/// Reads ahead for all players of the process, a piece at a time: always for the one that would run out first.
///
/// The thread begins with the first player and ends with the last. While all have enough, it looks again every 10 ms.
final class ReadingThread: Sendable {
  static let shared = ReadingThread()

  private struct State: Sendable {
    var readers: [any ReadAhead] = []
    var isRunning = false
  }

  private let state = CheckedMutex(State())
  private let semaphore = Semaphore()

  private static let interval: Int64 = 10_000_000

  /// Reads for a player from now on. [any thread]
  func add(_ reader: any ReadAhead) throws(AudioFileError) {
    do throws(WorkerThreadError) {
      try state.withLock { state throws(WorkerThreadError) in
        if !state.isRunning { try WorkerThread(named: "audio reading") { [self] in work() }.detach() }
        state.isRunning = true
        state.readers.append(reader)
      }
    } catch {
      throw .noThread(reason: error.description)
    }
    wake()
  }

  /// A piece that is being read for it is finished, and no other begins. [any thread]
  func remove(_ reader: any ReadAhead) {
    state.withLock { state in state.readers.removeAll { $0 === reader } }
    wake()
  }

  /// Notes that a reader needs something now. [any thread]
  func wake() { semaphore.signal() }

  private func work() {
    while let readers = present() {
      var urgent: (reader: any ReadAhead, lead: Double)?
      var isAwaited = false
      for reader in readers {
        switch reader.need {
        case .none: break
        case .later: isAwaited = true
        case .now(let lead): if lead < urgent?.lead ?? .infinity { urgent = (reader, lead) }
        }
      }
      if let urgent {
        urgent.reader.readPiece()
      } else if isAwaited {
        semaphore.wait(nanoseconds: Self.interval)
      } else {
        semaphore.wait()
      }
    }
  }

  /// Nil once there are none, which ends the thread.
  private func present() -> [any ReadAhead]? {
    state.withLock { state in
      if state.readers.isEmpty { state.isRunning = false }
      return state.isRunning ? state.readers : nil
    }
  }
}
