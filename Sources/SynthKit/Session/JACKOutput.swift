import AudioGraph
import SynthALSA
import SynthJACK
import SynthRealtime

/// A JACK server as the output unit of an engine, with a port for each channel.
///
///     let output = try JACKOutput()
///     let session = try Session(Synthesizer(configuration.adapted(to: output)), output: output)
///
/// The engine takes the server's sample rate. While no server runs, a session's song waits.
public final class JACKOutput: OutputUnit, RoutedOutput {
  /// The client itself: its ports, its transport, and how it is doing.
  public let stream: JACKStream
  private let request: JACKRequest
  private let changes = Broadcast<RouteChange>()

  /// Becomes a client of the server that runs. [control thread]
  ///
  /// - Throws: `JACKError`.
  public init(_ request: JACKRequest = JACKRequest()) throws(JACKError) {
    stream = try JACKStream(request) { [changes] news in
      switch news {
      case .gone(let last):
        changes.send(RouteChange(.deviceGone, from: Self.route(last, request), to: nil, deviceCount: 0))
      case .back(let present):
        changes.send(RouteChange(.deviceAvailable, from: nil, to: Self.route(present, request), deviceCount: 1))
      }
    }
    self.request = request
  }

  public var name: String { stream.name }
  public var sampleRate: Double { stream.sampleRate }
  public var channelCount: Int { stream.channelCount }
  public var latency: OutputLatency { stream.latency }
  public var isRunning: Bool { stream.isRunning }

  /// - Throws: `JACKError`.
  public func start(_ callback: @escaping RenderFunction, context: UnsafeMutableRawPointer) throws {
    try stream.start(callback, context: context)
  }

  /// Never throws: a server that ends is waited for.
  public func stop() { stream.stop() }

  public var routeChanges: AsyncStream<RouteChange> { changes.stream() }

  public func observeRoutes(
    _ tell: @escaping @Sendable (RouteChange) -> Void
  ) -> Broadcast<RouteChange>.Listener { changes.listen(tell) }

  /// Tells the graph how long a session takes from a key to its sound. [control thread]
  public func tellLatency(of session: Session) {
    let whole = Int((session.latency.upperBound * sampleRate).rounded())
    stream.tellLatency(max(0, whole - stream.latency.buffer + stream.latency.period))
  }

  private static func route(_ granted: JACKParameters, _ request: JACKRequest) -> Route {
    Route(parameters: parameters(granted, request), hardware: "jack")
  }

  private static func parameters(_ granted: JACKParameters, _ request: JACKRequest) -> PCMParameters {
    PCMParameters(
      device: "jack:\(granted.clientName)", format: .float32, sampleRate: granted.sampleRate,
      askedSampleRate: request.sampleRate == granted.sampleRate ? nil : request.sampleRate,
      channelCount: request.channelCount, period: granted.period, buffer: granted.period + granted.playbackLatency,
      channelNames: [])
  }
}

extension JACKOutput: FrameTimedOutput {}

extension JACKOutput: ReportedOutput {
  package var reports: [OutputReport] {
    let statistics = stream.statistics
    return [
      OutputReport(
        parameters: Self.parameters(stream.parameters, request),
        present: stream.present.map { Self.parameters($0, request) },
        statistics: PCMStatistics(
          framesWritten: statistics.framesGiven, xruns: statistics.xruns, departures: statistics.departures))
    ]
  }
  package var drifts: [PCMDrift] { [] }

  package func takeLoad() -> Double { stream.takeLoad() }
}
