import AudioGraph
import SynthALSA
import SynthRealtime

/// An output unit whose devices come, go and change while it plays.
public protocol RoutedOutput: OutputUnit {
  /// What changes from now on, at once and with the reason; it ends with the unit. [any thread]
  ///
  ///     for await change in output.routeChanges { print(change.reason, change.present?.parameters.device ?? "none") }
  var routeChanges: AsyncStream<RouteChange> { get }

  /// Calls `tell` with each change until what is returned is released. It may lock and allocate, but must not wait.
  /// [any thread]
  func observeRoutes(_ tell: @escaping @Sendable (RouteChange) -> Void) -> Broadcast<RouteChange>.Listener
}

extension DeviceOutput: RoutedOutput {
  public var routeChanges: AsyncStream<RouteChange> { device.routeChanges }

  public func observeRoutes(
    _ tell: @escaping @Sendable (RouteChange) -> Void
  ) -> Broadcast<RouteChange>.Listener { device.observeRoutes(tell) }
}
