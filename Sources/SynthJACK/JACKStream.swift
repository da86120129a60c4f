import AudioGraph
import CSynthJACK
import Glibc
import Synchronization
import SynthRealtime

/// A client of a JACK server as an output unit: the server asks for audio, cycle by cycle.
///
/// The client and its ports exist as long as this object; before `start` and after `stop` it is silent, so that
/// connections stay. If the server ends, a timer asks for audio in its place until one runs again.
public final class JACKStream: OutputUnit {
  /// What the server granted at first.
  public let parameters: JACKParameters
  public let channelCount: Int
  /// What comes to the MIDI port; nil unless it was asked for.
  public let midi: JACKMIDISource?
  let core: JACKCore
  private let supervisor: WorkerThread

  /// Opens the client. [control thread]
  ///
  /// - Parameter news: is told when the server goes and returns; it may lock and allocate, but must not wait.
  package init(_ request: JACKRequest, news: @escaping @Sendable (JACKNews) -> Void) throws(JACKError) {
    let core = try JACKCore(request, news: news)
    self.core = core
    parameters = core.parameters(of: core.client)
    channelCount = request.channelCount
    midi =
      request.hasMIDI
      ? JACKMIDISource(parameters.clientName, core.midi) { [exchange = core.exchange] in
        exchange.pointer.pointee.midiLosses.load(ordering: .relaxed)
      } : nil
    do throws(WorkerThreadError) {
      supervisor = try WorkerThread(named: "jack", stackSize: WorkerThread.smallStack) {
        JACKSupervisor(core: core).run()
      }
    } catch {
      core.end()
      throw JACKError("opening", request.clientName, .refused("cannot create a thread, \(error); end other programs"))
    }
  }

  /// Opens the client. [control thread]
  public convenience init(_ request: JACKRequest = JACKRequest()) throws(JACKError) { try self.init(request) { _ in } }

  deinit {
    stop()
    exchange.pointee.isEnding.store(true, ordering: .releasing)
    core.wake.signal()
    supervisor.join()
  }

  var exchange: UnsafeMutablePointer<JACKExchange> { core.exchange.pointer }

  public var name: String { "jack:\(parameters.clientName)" }
  public var sampleRate: Double { Double(parameters.sampleRate) }
  public var isRunning: Bool { exchange.pointee.gate.load(ordering: .acquiring) != JACKExchange.closed }

  public var latency: OutputLatency {
    let period = exchange.pointee.period.load(ordering: .relaxed)
    // Counted from the start of a cycle, which is when its slice is asked for.
    return OutputLatency(period: period, buffer: period + exchange.pointee.playbackLatency.load(ordering: .relaxed))
  }

  /// What the server grants now; nil while there is none. [any thread]
  public var present: JACKParameters? {
    core.client.map { core.parameters(of: $0) }
  }

  /// - Throws: `JACKError` if it runs already.
  public func start(_ callback: @escaping RenderFunction, context: UnsafeMutableRawPointer) throws {
    guard !isRunning else { throw JACKError("starting", parameters.clientName, .invalid("it is running already")) }
    core.cycle.pointer.pointee.setSource(callback, context)
    exchange.pointee.gate.store(JACKExchange.open, ordering: .releasing)
  }

  /// Never throws: a server that ends is waited for.
  public func stop() { exchange.pointee.close { usleep(100) } }

  /// Figures since the client was opened. [any thread]
  public var statistics: JACKStatistics {
    JACKStatistics(
      framesGiven: exchange.pointee.framesGiven.load(ordering: .relaxed),
      xruns: exchange.pointee.xruns.load(ordering: .relaxed),
      departures: exchange.pointee.departures.load(ordering: .relaxed),
      isFreewheeling: exchange.pointee.isFreewheeling.load(ordering: .relaxed))
  }

  /// How much of a cycle its longest rendering since the last call has taken: at 1 there is an xrun. One caller may
  /// ask. [any thread]
  public func takeLoad() -> Double { Double(bitPattern: exchange.pointee.load.exchange(0, ordering: .relaxed)) }

  /// Tells the graph how many frames an event of the MIDI port sounds later, the graph's own latency aside. [control
  /// thread]
  public func tellLatency(_ frames: Int) {
    guard exchange.pointee.ownLatency.exchange(frames, ordering: .relaxed) != frames else { return }
    exchange.pointee.isLatencyNew.store(true, ordering: .releasing)
    core.wake.signal()
  }
}

/// Figures of a JACK output's operation.
public struct JACKStatistics: Sendable, Equatable {
  /// Frames that were asked for and rendered.
  public let framesGiven: Int
  /// Cycles that came too late, of any client of the server.
  public let xruns: Int
  /// Times the server ended.
  public let departures: Int
  /// Whether the server runs as fast as it can, for a file.
  public let isFreewheeling: Bool
}
