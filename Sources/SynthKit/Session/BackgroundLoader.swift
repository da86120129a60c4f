import AudioGraph
import Synchronization
import SynthInstruments
import SynthMIDI
import SynthRealtime

/// Which presets are loaded while a session plays.
public enum BackgroundLoading: Sendable {
  /// All presets, at once: every later program change takes effect at its time.
  case everything
  /// The presets that channels change to, at the change: the channel plays it a moment later.
  case asked
}

/// Loads a rack's presets while it plays, frees what it has exchanged, and reports the channels' new presets.
final class BackgroundLoader: Sendable {
  private let rack: RackNode
  private let loading: BackgroundLoading?
  private let watch: @Sendable () -> Void
  private let tell: @Sendable (SessionEvent) -> Void
  /// Loading may take seconds, so it has a thread for itself.
  private let housekeeper = Housekeeper(named: "session")
  private let job = CheckedMutex<Housekeeper.Job?>(nil)
  private let shown: CheckedMutex<[ChannelPreset?]>
  private let hasFailed = Atomic<Bool>(false)

  /// - Parameters:
  ///   - watch: called every 20 ms.
  ///   - tell: called on the same thread as `watch`.
  init(
    _ rack: RackNode, _ loading: BackgroundLoading?, watch: @escaping @Sendable () -> Void = {},
    tell: @escaping @Sendable (SessionEvent) -> Void
  ) {
    self.rack = rack
    self.loading = loading
    self.watch = watch
    self.tell = tell
    shown = CheckedMutex((0..<MIDIPorts.channelCount).map { rack.preset(ofChannel: $0) })
  }

  deinit { job.withLock { if let job = $0 { housekeeper.remove(job) } } }

  /// Begins; without effect if it has begun. [control thread]
  ///
  /// - Throws: `OutputThreadError.noThread`.
  func start() throws(OutputThreadError) {
    do throws(WorkerThreadError) {
      try job.withLock { job throws(WorkerThreadError) in
        if job == nil { job = try housekeeper.add(every: 20) { [weak self] in self?.look() } }
      }
    } catch {
      throw .noThread(reason: error.description)
    }
  }

  /// After a failure it does not try again.
  private func load() {
    do throws(InstrumentError) {
      switch loading {
      case nil: break
      case .everything: try rack.loadAllPresets()
      case .asked: try rack.loadAskedPresets()
      }
    } catch {
      hasFailed.store(true, ordering: .relaxed)
      tell(.loadingFailed(error))
    }
  }

  private func look() {
    watch()
    if !hasFailed.load(ordering: .relaxed) { load() }
    rack.collect()
    shown.withLock { shown in
      for channel in shown.indices {
        guard let preset = rack.preset(ofChannel: channel), preset != shown[channel] else { continue }
        shown[channel] = preset
        tell(.presetChanged(channel: channel, preset))
      }
    }
  }
}
