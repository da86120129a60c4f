import AudioGraph
import Synchronization
import SynthALSA
import SynthDSP
import SynthRealtime

/// What becomes of an input that is heard while its device goes away and comes back.
public enum InputUnplugPolicy: String, Sendable, CaseIterable {
  /// It is muted until a person unmutes it, so that speakers know when they are heard.
  case mute
  /// It is heard again as soon as its device is back.
  case keep
}

/// An input that is heard with what is played, for all that show and switch it. [any thread]
package final class Microphone: Sendable {
  /// The name that the device was asked for by.
  package let name: String
  /// Behind its inserts.
  let fader: MixerNode
  /// Where it enters the main mix.
  let mainBus: Int
  /// Level and mute.
  package var strip: MixerInput { fader.inputs[0] }
  private let unit: (any RoutedInput)?
  private let departures = Atomic(0)
  private let listener = CheckedMutex<Broadcast<RouteChange>.Listener?>(nil)

  init(_ input: InputNode, _ fader: MixerNode, mainBus: Int, onUnplug policy: InputUnplugPolicy) {
    name = input.unit?.name ?? input.name
    (self.fader, self.mainBus) = (fader, mainBus)
    let strip = fader.inputs[0]
    unit = input.unit as? any RoutedInput
    let news = unit?.observeRoutes { [weak self] change in
      guard change.present == nil else { return }
      // On the thread that captures, before its device can be back: nothing of it is heard in between.
      if case .mute = policy { strip.isMuted.value = 1 }
      self?.departures.add(1, ordering: .relaxed)
    }
    listener.withLock { $0 = news }
  }

  /// How often its device has gone.
  package var departureCount: Int { departures.load(ordering: .relaxed) }

  /// Whether it is silenced by a person, or because its device has gone.
  package var isMuted: Bool { strip.isMuted.value != 0 }

  /// Whether its device is there.
  package var isPresent: Bool { unit?.hasDevice ?? true }

  /// "muted", "on, at −3.0 dB" or "away".
  package var condition: String {
    guard isPresent else { return isMuted ? "away, muted" : "away" }
    return isMuted ? "muted" : "on, at \(Decibels(Double(strip.gain.value)).figure(decimals: 1)) dB"
  }
}
