import ALSA

// What is told of several devices that play as one.

extension PCMAggregate {
  /// A line for each device; with several, which channels of the space are its own.
  var facts: String {
    guard outputs.count > 1 else { return "device     \(parameters)" }
    var first = 0
    return outputs.map { output in
      defer { first += output.parameters.channels }
      let last = first + output.parameters.channels - 1
      let channels = first == last ? "channel \(first)" : "channels \(first) to \(last)"
      return "device     \(output.parameters.device), \(channels): \(output.parameters)"
    }.joined(separator: "\n")
  }

  /// For the progress line, once it means something: `+12.3 ppm  `.
  var driftMeter: String {
    drifts.filter { $0.memory > 10 }.map { "\($0.signedFigure) ppm  " }.joined()
  }

  /// A line for each device but the first, at the end.
  var driftReport: [String] {
    // A device that has never found its place has no clock.
    drifts.filter { $0.locks > 0 }.map { drift in
      let lateness = drift.delay < 0.0001 ? "in step with" : "\(tenths(drift.delay * 1000)) ms behind"
      let behind = "\(lateness) \(parameters.device)"
      let late = drift.starvations > 0 ? "; what it needed came too late \(drift.starvations) times" : ""
      guard drift.memory > 10 else { return "\(drift.device) played \(behind); its drift is not known yet\(late)" }
      return "\(drift.device) drifted by \(drift.signedFigure) ppm and was resampled, \(behind)\(late)"
    }
  }
}

extension PCMDrift {
  fileprivate var signedFigure: String { "\(partsPerMillion < 0 ? "" : "+")\(tenths(partsPerMillion))" }
}
