import AudioGraph
import SynthALSA
import SynthRealtime

/// An input unit whose device may go and come back while it captures.
package protocol RoutedInput: InputUnit {
  /// Whether there is a device that captures; else the unit gives silence. [any thread]
  var hasDevice: Bool { get }

  /// Calls `tell` with each change of the device, before its first frame, until what is returned is released. It may
  /// lock and allocate, but must not wait. [any thread]
  func observeRoutes(_ tell: @escaping @Sendable (RouteChange) -> Void) -> Broadcast<RouteChange>.Listener
}

extension DeviceInput: RoutedInput {
  package var hasDevice: Bool { device.present != nil }

  package func observeRoutes(
    _ tell: @escaping @Sendable (RouteChange) -> Void
  ) -> Broadcast<RouteChange>.Listener { device.observeRoutes(tell) }
}
