import SynthALSA

/// An output that tells people of the devices that it is heard on: ALSA's, or a sound server as one of them.
package protocol ReportedOutput: RoutedOutput {
  /// One for each device; the first is the clock.
  var reports: [OutputReport] { get }
  /// How the other devices keep up with the first, in order. [any thread]
  var drifts: [PCMDrift] { get }

  /// How much of a period the longest rendering since the last call has taken. One caller may ask. [any thread]
  func takeLoad() -> Double
}

/// What one device of an output has granted, and how it is doing.
package struct OutputReport: Sendable {
  /// What the first device in its place has granted.
  package let parameters: PCMParameters
  /// What the device that plays now has granted; nil without one.
  package let present: PCMParameters?
  /// Figures since the output was opened.
  package let statistics: PCMStatistics
}

extension ReportedOutput {
  /// Times the buffer of any device ran empty. [any thread]
  package var xruns: Int { reports.reduce(0) { $0 + $1.statistics.xruns } }
}

extension DeviceOutput: ReportedOutput {
  package var reports: [OutputReport] {
    device.outputs.map { OutputReport(parameters: $0.parameters, present: $0.present, statistics: $0.statistics) }
  }
  package var drifts: [PCMDrift] { device.drifts }

  package func takeLoad() -> Double { device.outputs.first?.takeLoad() ?? 0 }
}
