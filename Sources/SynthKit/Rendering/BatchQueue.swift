import Synchronization
import SynthRealtime

/// Where the workers of a batch take their items from, and bring what became of them.
final class BatchQueue: Sendable {
  private struct State: Sendable {
    var next: @Sendable () -> BatchRenderer.Item?
    var count = 0
    var outcomes: [BatchRenderer.Outcome] = []
    var songs: [RenderProgress?]
    /// Of the songs that are done, in seconds.
    var duration = 0.0
    var workerCount: Int
    var hasEnded = false
  }

  private let state: CheckedMutex<State>
  private let news = Semaphore()
  private let isWanted = BatchFlag()

  init<Items: Sequence<BatchRenderer.Item>>(_ items: sending Items, workerCount: Int) {
    let iterator = LockedIterator(AnyIterator(items.makeIterator()))
    state = CheckedMutex(
      State(next: { iterator.next() }, songs: Array(repeating: nil, count: workerCount), workerCount: workerCount))
  }

  var isCancelled: Bool { !isWanted.isRaised }

  func cancel() { isWanted.lower() }

  /// The next item and its place; nil at the end.
  func next() -> (index: Int, item: BatchRenderer.Item)? {
    guard !isCancelled else { return nil }
    return state.withLock { state in
      guard let item = state.next() else { return nil }
      state.count += 1
      return (state.count - 1, item)
    }
  }

  /// How far a worker's song has come.
  func note(_ song: RenderProgress, of worker: Int) { state.withLock { $0.songs[worker] = song } }

  func finish(_ outcome: BatchRenderer.Outcome, of worker: Int) {
    state.withLock { state in
      state.outcomes.append(outcome)
      if case .success(let song) = outcome.result { state.duration += song.progress.duration }
      state.songs[worker] = nil
    }
    news.signal()
  }

  /// A worker has no more to do.
  func leave() {
    state.withLock { $0.workerCount -= 1 }
    news.signal()
  }

  /// Waits for news, or a tenth of a second; nil, at once, when all is told.
  func progress() -> BatchProgress? {
    guard !state.withLock(\.hasEnded) else { return nil }
    news.wait(nanoseconds: 100_000_000)
    return state.withLock { state in
      state.hasEnded = state.workerCount == 0
      let songs = state.songs.compactMap(\.self)
      defer { state.outcomes = [] }
      return BatchProgress(
        outcomes: state.outcomes, songs: songs, duration: songs.reduce(state.duration) { $0 + $1.duration })
    }
  }

  /// Used under the lock only.
  private final class LockedIterator: @unchecked Sendable {
    private let items: AnyIterator<BatchRenderer.Item>

    init(_ items: AnyIterator<BatchRenderer.Item>) { self.items = items }

    func next() -> BatchRenderer.Item? { items.next() }
  }
}

/// Says to other threads that something is wanted, until it is not.
final class BatchFlag: Sendable {
  private let flag = Atomic<Bool>(true)

  var isRaised: Bool { flag.load(ordering: .relaxed) }

  func lower() { flag.store(false, ordering: .relaxed) }
}
