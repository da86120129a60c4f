import CSynthRealtime
import Glibc
import SynthRealtime

/// The thread behind a JACK output: when the server has gone it asks for audio by a timer, so that the stream moves on
/// unheard, until a server runs again. [control thread]
struct JACKSupervisor {
  let core: JACKCore

  /// How often a server is looked for, in nanoseconds.
  private static let pause: Int64 = 500_000_000

  func run() {
    let exchange = core.exchange.pointer
    while !exchange.pointee.isEnding.load(ordering: .acquiring) {
      if exchange.pointee.isServerGone.load(ordering: .acquiring) { outlast() }
      // Here, where no other thread closes the client meanwhile.
      if exchange.pointee.isLatencyNew.exchange(false, ordering: .acquiring) { core.client?.recomputeLatencies() }
      core.wake.wait(nanoseconds: Self.pause)
    }
    core.end()
  }

  /// From the server's end until there is one again, or the output ends.
  private func outlast() {
    // Before anything is rendered unheard: a song is to wait where it was last heard.
    core.news(.gone(core.parameters(of: core.client)))
    core.exchange.pointer.pointee.departures.add(1, ordering: .relaxed)
    core.end()
    let count = core.exchange.pointer.pointee.period.load(ordering: .relaxed)
    let duration = UInt64(Double(count) / Double(core.sampleRate) * 1e9)
    let buffer = SilentBuffer(channelCount: core.request.channelCount, frameCount: count)
    var due = HostClock.now
    var nextAttempt = due + UInt64(Self.pause)
    flushingDenormals {
      while !core.exchange.pointer.pointee.isEnding.load(ordering: .acquiring) {
        if due >= nextAttempt {
          if reopen() { return }
          // Opening may have taken longer than a period; what was to be rendered meanwhile is left out.
          due = HostClock.now
          nextAttempt = due + UInt64(Self.pause)
        }
        core.cycle.pointer.pointee.render(count, due, buffer.channels)
        due += duration
        let now = HostClock.now
        if due > now { core.wake.wait(nanoseconds: Int64(due - now)) }
      }
    }
  }

  /// Whether a server runs at the stream's rate.
  private func reopen() -> Bool {
    guard let client = try? JACKClient(core.request) else { return false }
    guard client.sampleRate == core.sampleRate else {
      client.close()
      return false
    }
    guard (try? core.begin(client)) != nil else { return false }
    core.news(.back(core.parameters(of: client)))
    return true
  }
}

/// Where a timer renders unheard.
private final class SilentBuffer {
  let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let samples: UnsafeMutablePointer<Float>

  init(channelCount: Int, frameCount: Int) {
    samples = .allocate(capacity: channelCount * frameCount)
    channels = .allocate(capacity: channelCount)
    for channel in 0..<channelCount { (channels + channel).initialize(to: samples + channel * frameCount) }
  }

  deinit {
    channels.deallocate()
    samples.deallocate()
  }
}
