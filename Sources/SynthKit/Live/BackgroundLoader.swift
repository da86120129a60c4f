@preconcurrency import Dispatch
import Instruments
import Synchronization

/// What is loaded while a session plays that began with what channels have at first.
public enum BackgroundLoading: Sendable {
  /// All presets, at once: every later program change takes effect at its time.
  case everything
  /// Those that channels are given, each when it is: the channel has it a moment later.
  case asked
}

/// Loads a rack's presets while it plays, frees what it has exchanged, and tells what its channels change to.
final class BackgroundLoader: Sendable {
  private let rack: RackNode
  private let loading: BackgroundLoading
  private let tell: @Sendable (LiveNews) -> Void
  private let timer = Mutex<(any DispatchSourceTimer)?>(nil)
  private let shown: Mutex<[ChannelPreset?]>
  private let hasFailed = Atomic<Bool>(false)

  /// - Parameter tell: called on a thread of its own.
  init(_ rack: RackNode, _ loading: BackgroundLoading, tell: @escaping @Sendable (LiveNews) -> Void) {
    self.rack = rack
    self.loading = loading
    self.tell = tell
    shown = Mutex((0..<RackNode.channelCount).map { rack.preset(ofChannel: $0) })
  }

  deinit { stop() }

  /// Called once.
  func start() {
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "presets", qos: .utility))
    timer.schedule(deadline: .now(), repeating: .milliseconds(20))
    timer.setEventHandler { [weak self] in self?.look() }
    self.timer.withLock { $0 = timer }
    timer.resume()
  }

  private func stop() {
    timer.withLock { timer in
      timer?.cancel()
      timer = nil
    }
  }

  /// What fails once is not tried again.
  private func load() {
    do throws(SamplerError) {
      switch loading {
      case .everything: try rack.loadAllPresets()
      case .asked: try rack.loadAskedPresets()
      }
    } catch {
      hasFailed.store(true, ordering: .relaxed)
      tell(.loadingFailed(error))
    }
  }

  private func look() {
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
