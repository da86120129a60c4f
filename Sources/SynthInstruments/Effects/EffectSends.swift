import AudioGraph
import Synchronization
import SynthMIDI
import SynthRealtime

/// What each channel sends to each effect: parameters that MIDI sets. Channels are added while the audio thread
/// follows those there are.
final class EffectSends: Sendable {
  let table = Box(SendTable())
  private let lists = CheckedMutex([[Parameter]](repeating: [], count: SendTable.effectCount))

  /// For each effect those of the channels, which are kept as long as this.
  var parameters: [[Parameter]] { lists.withLock { $0 } }

  /// Adds channels, as far as there is room. [control thread]
  ///
  /// - Parameter new: for each effect as many; further ones are left out.
  func append(_ new: [[Parameter]]) {
    lists.withLock { lists in
      let room = MIDIPorts.channelCount - lists[0].count
      let count = min(new.map(\.count).min() ?? 0, room)
      for effect in lists.indices { lists[effect] += new[effect].prefix(count) }
      table.pointer.pointee.append(new, count: count)
    }
  }
}

/// The render side of the sends, with room for all ports.
struct SendTable: ~Copyable {
  private struct Send {
    let share: ParameterWriter
    let initialShare: Float
  }

  /// Reverb, chorus and delay.
  static var effectCount: Int { @_noLocks get { 3 } }

  private let sends: UnsafeMutablePointer<Send>
  private let count = Atomic(0)

  init() { sends = .allocate(capacity: Self.effectCount * MIDIPorts.channelCount) }

  deinit { sends.deallocate() }

  /// [control thread]
  fileprivate func append(_ new: [[Parameter]], count added: Int) {
    let first = count.load(ordering: .relaxed)
    for channel in 0..<added {
      for effect in 0..<Self.effectCount {
        let parameter = new[effect][channel]
        (sends + Self.effectCount * (first + channel) + effect)
          .initialize(to: Send(share: parameter.writer, initialShare: parameter.defaultValue))
      }
    }
    count.store(first + added, ordering: .releasing)
  }

  /// [audio thread]
  var channelCount: Int {
    @_noLocks get { count.load(ordering: .acquiring) }
  }

  /// Takes a channel's sends to their initial shares. [audio thread]
  @_noLocks
  func reset(_ channel: Int) {
    let first = sends + Self.effectCount &* channel
    for effect in 0..<Self.effectCount { first[effect].share.set(first[effect].initialShare) }
  }

  /// [audio thread]
  @_noLocks
  func set(_ share: Float, _ channel: Int, _ effect: Int) {
    sends[Self.effectCount &* channel &+ effect].share.set(share)
  }
}
