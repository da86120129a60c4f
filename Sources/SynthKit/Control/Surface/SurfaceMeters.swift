import AudioGraph
import SynthALSA
import SynthDSP
import SynthRealtime
import SynthText

/// Looks at levels 60 times a second while any client wants them, and shows each client as many as it asked for.
///
/// It runs on a thread for itself: what the owner waits for keeps no meter waiting.
final class SurfaceMeters: Sendable {
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
    let (peaks, load) = (takePeaks(), (session.output as? DeviceOutput)?.device.outputs.first?.takeLoad() ?? 0)
    let now = HostClock.now
    var lines: [Int: String] = [:]
    state.withLock { state in
      state.rates = state.rates.filter { rate in wanted.contains { $1 == rate.key } }
      for rate in Set(wanted.map(\.1)) {
        var entry = state.rates[rate] ?? Rate(peaks: peaks, load: load, due: now)
        // A port has come.
        if entry.peaks.count != peaks.count { entry.peaks = peaks }
        for index in peaks.indices { entry.peaks[index] = max(entry.peaks[index], peaks[index]) }
        entry.load = max(entry.load, load)
        if entry.due <= now {
          lines[rate] = line(entry.peaks, load: entry.load)
          (entry.peaks, entry.load) = ([Float](repeating: 0, count: peaks.count), 0)
          entry.due = max(entry.due + 1_000_000_000 / UInt64(rate), now)
        }
        state.rates[rate] = entry
      }
    }
    for (client, rate) in wanted { if let line = lines[rate] { client.show(meters: line) } }
  }

  private var strips: [MixerInput] { session.synthesizer.channelInputs }
  private var main: Meter { session.synthesizer.mainMixer.outputMeter }

  private func takePeaks() -> [Float] {
    (strips.map(\.meter) + [main]).flatMap { [$0.takePeak(0), $0.takePeak(1)] }
  }

  private func line(_ peaks: [Float], load: Double) -> String {
    func pair(_ left: Float, _ right: Float) -> JSONValue { .array([Self.level(left), Self.level(right)]) }
    let channels = peaks.count / 2 - 1
    let held = strips.prefix(channels).map { pair($0.meter.heldPeak(0), $0.meter.heldPeak(1)) }
    let last = monitor?.last.map { last in
      JSONValue.object([
        ("number", .number(last.number)), ("channel", last.channel.map { .number(Int($0) + 1) } ?? .null),
        ("text", .string(last.text)), ("port", .string(last.port)),
      ])
    }
    let meters: [JSONValue.Field] = [
      ("time", .number((desk.time * 1000).rounded() / 1000)), ("position", session.surfacePosition),
      ("voices", .number(session.synthesizer.instruments.activeVoiceCount)),
      ("load", .number((load * 1000).rounded() / 1000)), ("xruns", .number(session.xruns)),
      ("main", pair(peaks[2 * channels], peaks[2 * channels + 1])),
      ("mainHeld", pair(main.heldPeak(0), main.heldPeak(1))), ("clips", .number(main.clipCount(0) + main.clipCount(1))),
      ("channels", .array((0..<channels).map { pair(peaks[2 * $0], peaks[2 * $0 + 1]) })), ("held", .array(held)),
      ("midi", .array((monitor?.counts.prefix(channels) ?? []).map { .number($0) })), ("last", last ?? .null),
    ]
    return JSONValue.object([("meters", .object(meters))]).description
  }

  /// In decibels with one decimal.
  private static func level(_ amplitude: Float) -> JSONValue {
    .number(max(-120, (Decibels(amplitude: Double(amplitude)).value * 10).rounded() / 10))
  }
}

extension Session {
  /// Where the song is; null without one.
  var surfacePosition: JSONValue {
    duration.map { .number((min(position, $0) * 1000).rounded() / 1000) } ?? .null
  }

  var xruns: Int { (output as? DeviceOutput)?.device.xruns ?? 0 }
}
