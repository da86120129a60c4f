import Synchronization
import SynthRealtime

/// What an output is heard on.
public struct Route: Sendable, Equatable {
  /// What the device has granted; its name is the one of the request.
  public let parameters: PCMParameters
  /// The card and the device that the name stands for, or the driver's or plugin's name where there is no card; nil if
  /// it does not tell.
  public let hardware: String?

  package init(parameters: PCMParameters, hardware: String?) {
    self.parameters = parameters
    self.hardware = hardware
  }
}

/// A change of what an output is heard on.
public struct RouteChange: Sendable, Equatable {
  /// Why.
  public enum Reason: Sendable, CaseIterable {
    /// A device has come, or has come back, and plays.
    case deviceAvailable
    /// The device was removed, or it keeps failing.
    case deviceGone
    /// A more important program, such as JACK, has asked for the device and was given it.
    case taken
    /// Another device was asked for while it played.
    case chosen
    /// `default` has become another device.
    case defaultChanged
    /// Headphones were plugged into the card that plays.
    case pluggedIn
    /// Headphones were pulled: what was heard by one person is heard by all, or by none.
    case unplugged
    /// The machine was suspended, and the device plays again.
    case woken
  }

  /// Why the route changed.
  public let reason: Reason
  /// Nil if the output had no device.
  public let previous: Route?
  /// Nil if the output has no device now. It renders on, by a timer.
  public let present: Route?
  /// How many devices play what is rendered: several outputs may be one. With 0, nothing is heard.
  public let deviceCount: Int

  package init(_ reason: Reason, from previous: Route?, to present: Route?, deviceCount: Int) {
    self.reason = reason
    self.previous = previous
    self.present = present
    self.deviceCount = deviceCount
  }
}

/// The news of an output, or of several that are one. Never used in real time.
final class RouteNews: Sendable {
  let changes = Broadcast<RouteChange>()
  private let deviceCount = Atomic(0)

  /// Tells of a change. [any thread]
  func tell(_ reason: RouteChange.Reason, from previous: Route?, to present: Route?) {
    let change = (present == nil ? 0 : 1) - (previous == nil ? 0 : 1)
    let count = deviceCount.add(change, ordering: .relaxed).newValue
    changes.send(RouteChange(reason, from: previous, to: present, deviceCount: count))
  }
}

extension PCMIdentity: CustomStringConvertible {
  /// By the card's id, which it keeps when it returns under another number.
  var description: String {
    guard hasCard else { return name }
    let id = smallFile("/proc/asound/card\(card)/id")?.split(separator: "\n").first.map(String.init)
    return "\(id ?? String(card)),\(device)"
  }
}
