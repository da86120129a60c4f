import SynthALSA
import SynthKit
import SynthRealtime
import SynthText

/// Tells a person what happens to a session and to its devices while it plays, each thing once.
final class SessionReporter {
  private let session: Session
  private let output: any ReportedOutput
  private let surface: ControlSurface
  /// Whether keyboards play.
  private let isLive: Bool
  private var devices: [DeviceReporter]
  private var microphone = MicrophoneReporter()
  private var latency: ClosedRange<Double>

  init(_ session: Session, _ output: any ReportedOutput, _ surface: ControlSurface, isLive: Bool) {
    self.session = session
    self.output = output
    self.surface = surface
    self.isLive = isLive
    devices = output.reports.map { _ in DeviceReporter() }
    latency = session.latency
  }

  /// To be called now and then.
  ///
  /// - Parameter withDevices: false while they are away on purpose.
  func tell(withDevices: Bool = true) {
    let events = session.takeEvents()
    for event in events {
      if case .routeChanged(let change) = event, let line = line(change.reason) { note(line) }
    }
    for (index, device) in output.reports.enumerated() where withDevices {
      devices[index].tell(of: device, isLive: isLive, isPaused: session.isSongPaused, note)
    }
    if let present = session.synthesizer.microphone { microphone.tell(of: present, note) }
    (output as? JACKOutput)?.tellLatency(of: session)
    if isLive, session.latency != latency {
      latency = session.latency
      note(Self.line(latency))
    }
    for event in events { if let line = line(event) { note(line) } }
  }

  /// Tells it to the person here, and to those who control from elsewhere.
  private func note(_ line: String) {
    Terminal.note(line)
    surface.note(line)
  }

  /// How the devices have kept up.
  func tellEnd() {
    for line in output.driftReport { Terminal.note(line) }
    let instruments = session.synthesizer.instruments
    if let line = VoiceShortage(stolen: instruments.stolenVoiceCount, lost: instruments.lostVoiceCount)?.line {
      Terminal.note(line)
    }
    let xruns = output.xruns
    guard xruns > 0 else { return }
    Terminal.note(
      "\(NumberFormatting.count(xruns, "xrun", "xruns")): the machine was too slow now and then; "
        + (output is JACKOutput ? "give the server a longer period: jack_bufsize 1024" : "try --latency safe"))
  }

  static func line(_ latency: ClosedRange<Double>) -> String { "latency    \(text(latency)) from key to sound" }

  /// "12.3 ms", or "11.0 to 12.3 ms".
  static func text(_ latency: ClosedRange<Double>) -> String {
    let (least, most) = (tenths(latency.lowerBound * 1000), tenths(latency.upperBound * 1000))
    return least == most ? "\(most) ms" : "\(least) to \(most) ms"
  }

  private func line(_ event: SessionEvent) -> String? {
    switch event {
    case .interruptionEnded(resumes: false) where session.isSongPaused: "the song is still paused: play goes on"
    case .joined(let port): "joined     \(port)"
    case .departed(let port): "left       \(port)"
    case .presetChanged(let channel, let preset) where isLive:
      "program    \(padded(ChannelName.text(channel), 2, atEnd: false)): \(preset.name)"
    case .loadingFailed(let error): "\(error)"
    case .eventsLost: "MIDI came faster than it could be kept; all that was held has been released"
    case .messagesDropped(let count):
      "MIDI came faster than it could be played; \(count) message\(count == 1 ? "" : "s") lost"
    case .presetChanged, .routeChanged, .interruptionBegan, .interruptionEnded, .songEnded, .ended: nil
    }
  }

  /// What no device tells by itself.
  private func line(_ reason: RouteChange.Reason) -> String? {
    switch reason {
    case .unplugged: "headphones unplugged\(session.isSongPaused ? "; the song is paused: play goes on" : "")"
    case .pluggedIn: "headphones plugged in"
    case .taken: "another program was given the device"
    case .woken: "the machine was suspended, and plays on"
    case .deviceAvailable, .deviceGone, .defaultChanged, .chosen: nil
    }
  }
}

/// Tells what happens to one output device.
private struct DeviceReporter {
  /// Asked for when the first device has begun to play: it takes a while, and is of no use where no time passes.
  private static let memory = MemoryLock.request()
  private var scheduling = ThreadScheduling.unpaced
  private var changes = 0
  private var hasChanged = false
  /// How many times in a row there was no device. Another one may take over between two looks: only the second tells.
  private var absences = 0
  private var hasToldRate = false
  private var name = ""

  /// - Parameters:
  ///   - isLive: whether the scheduling is told also if standard error is no terminal.
  ///   - isPaused: whether a song waits for the device.
  ///   - note: tells a line.
  mutating func tell(of device: OutputReport, isLive: Bool, isPaused: Bool, _ note: (String) -> Void) {
    if !hasToldRate, let asked = device.parameters.askedSampleRate {
      note("rate \(device.parameters.sampleRate) Hz instead of \(asked)")
    }
    hasToldRate = true
    let statistics = device.statistics
    if statistics.scheduling != scheduling, statistics.scheduling != .unpaced {
      scheduling = statistics.scheduling
      let line = "thread     \(scheduling); \(Self.memory)"
      if isLive { note(line) } else { Terminal.tell(line) }
    }
    if statistics.departures + statistics.moves > changes {
      changes = statistics.departures + statistics.moves
      hasChanged = true
    }
    switch device.present {
    case let present? where hasChanged:
      note("heard \(absences > 1 ? "again " : "")on \(present)")
      (hasChanged, absences, name) = (false, 0, present.device)
    case let present?: (absences, name) = (0, present.device)
    case nil:
      absences += 1
      let song = isPaused ? "the song waits" : "playing on, unheard,"
      if absences == 2 { note("\(name) has gone: \(song) until it is back") }
    }
  }
}

extension ReportedOutput {
  /// A line for each device; with several, which channels of the space are its own.
  var facts: String {
    let reports = reports
    guard reports.count > 1 else { return reports.map { "device     \($0.present ?? $0.parameters)" }.joined() }
    var first = 0
    return reports.map { report in
      defer { first += report.parameters.channelCount }
      let last = first + report.parameters.channelCount - 1
      let channels = first == last ? "channel \(first)" : "channels \(first) to \(last)"
      return "device     \(report.parameters.device), \(channels): \(report.parameters)"
    }.joined(separator: "\n")
  }

  /// For the progress line, once it means something: `+12.3 ppm  `.
  var driftMeter: String {
    drifts.filter { $0.memory > 10 }.map { "\($0.signedFigure) ppm  " }.joined()
  }

  /// A line for each device but the first, at the end.
  var driftReport: [String] {
    let leader = reports.first?.parameters.device ?? name
    // A device that has never found its place has no clock.
    return drifts.filter { $0.locks > 0 }.map { drift in
      let lateness = drift.delay < 0.0001 ? "in step with" : "\(tenths(drift.delay * 1000)) ms behind"
      let behind = "\(lateness) \(leader)"
      let late =
        drift.starvations > 0
        ? "; what it needed came too late \(NumberFormatting.count(drift.starvations, "time", "times"))" : ""
      guard drift.memory > 10 else { return "\(drift.device) played \(behind); its drift is not known yet\(late)" }
      return "\(drift.device) drifted by \(drift.signedFigure) ppm and was resampled, \(behind)\(late)"
    }
  }
}

extension PCMDrift {
  fileprivate var signedFigure: String { "\(partsPerMillion < 0 ? "" : "+")\(tenths(partsPerMillion))" }
}
