import AudioGraph
import SynthALSA
import SynthDSP
import SynthRealtime

/// Looks at levels 60 times a second while any client wants them, and shows each client as many as it asked for.
///
/// It runs on a thread for itself: what the owner waits for keeps no meter waiting.
final class MeterFeed: Sendable {
  private let session: Session
  private let monitor: MIDIMonitor?
  private let desk: SurfaceDesk
  private let housekeeper = Housekeeper(named: "meters")
  private let state = CheckedMutex(State())

  private struct State: Sendable {
    var job: Housekeeper.Job?
    var rates: [Int: Rate] = [:]
  }

  /// What clients of one rate are shown.
  private struct Rate: Sendable {
    /// Left and right of each channel, then of all.
    var peaks: [Float]
    var load: Double
    var due: UInt64
  }

  init(_ session: Session, _ monitor: MIDIMonitor?, _ desk: SurfaceDesk) {
    (self.session, self.monitor, self.desk) = (session, monitor, desk)
  }

  /// Begins or ends as clients have come and gone. [control thread]
  func follow() {
    let isWanted = desk.clients.contains { $0.subscription.meterRate > 0 }
    guard isWanted else { return stop() }
    state.withLock { state in
      // Where there is no thread, there are no meters.
      if state.job == nil { state.job = try? housekeeper.add(every: 16) { [weak self] in self?.look() } }
    }
  }

  func stop() {
    state.withLock { state in
      if let job = state.job { housekeeper.remove(job) }
      state = State()
    }
  }

  private func look() {
    let wanted = desk.clients.map { ($0, $0.subscription.meterRate) }.filter { $1 > 0 }
    let (peaks, load) = (takePeaks(), (session.output as? any ReportedOutput)?.takeLoad() ?? 0)
    let now = HostClock.now
    var meters: [Int: SurfaceMeters] = [:]
    state.withLock { state in
      state.rates = state.rates.filter { rate in wanted.contains { $1 == rate.key } }
      for rate in Set(wanted.map(\.1)) {
        var entry = state.rates[rate] ?? Rate(peaks: peaks, load: load, due: now)
        // A port has come.
        if entry.peaks.count != peaks.count { entry.peaks = peaks }
        for index in peaks.indices { entry.peaks[index] = max(entry.peaks[index], peaks[index]) }
        entry.load = max(entry.load, load)
        if entry.due <= now {
          meters[rate] = self.meters(entry.peaks, load: entry.load)
          (entry.peaks, entry.load) = ([Float](repeating: 0, count: peaks.count), 0)
          entry.due = max(entry.due + 1_000_000_000 / UInt64(rate), now)
        }
        state.rates[rate] = entry
      }
    }
    for (client, rate) in wanted { if let meters = meters[rate] { client.show(meters) } }
  }

  private var strips: [MixerInput] { session.synthesizer.channelInputs }
  private var main: Meter { session.synthesizer.mainMixer.outputMeter }

  private func takePeaks() -> [Float] { (strips.map(\.meter) + [main]).flatMap { [$0.takePeak(0), $0.takePeak(1)] } }

  private func meters(_ peaks: [Float], load: Double) -> SurfaceMeters {
    let channels = peaks.count / 2 - 1
    func pair(_ place: Int) -> SIMD2<Double> { SIMD2(Self.level(peaks[2 * place]), Self.level(peaks[2 * place + 1])) }
    func held(_ meter: Meter) -> SIMD2<Double> { SIMD2(Self.level(meter.heldPeak(0)), Self.level(meter.heldPeak(1))) }
    return SurfaceMeters(
      time: desk.time, position: session.surfacePosition, voices: session.synthesizer.instruments.activeVoiceCount,
      load: load, xruns: session.xruns, main: pair(channels), channels: (0..<channels).map(pair), mainHeld: held(main),
      held: strips.prefix(channels).map { held($0.meter) }, clips: main.clipCount(0) + main.clipCount(1),
      messageCounts: Array(monitor?.counts.prefix(channels) ?? []), lastMessage: monitor?.last)
  }

  /// In decibels with one decimal.
  private static func level(_ amplitude: Float) -> Double {
    max(-120, (Decibels(amplitude: Double(amplitude)).value * 10).rounded() / 10)
  }
}

extension Session {
  /// Where the song is; nil without one.
  var surfacePosition: Double? { duration.map { min(position, $0) } }

  var xruns: Int { (output as? any ReportedOutput)?.xruns ?? 0 }
}
