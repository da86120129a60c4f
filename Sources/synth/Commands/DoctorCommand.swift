import SynthALSA
import SynthText

/// `synth doctor`: looks at all that a sound needs, plays two seconds of silence, and names a command for each thing
/// that is amiss.
struct DoctorCommand: Command {
  static let options: [Option] = [.json, .device, .config]

  private let isJSON: Bool
  private let device: String

  init(_ tokens: [String]) throws(UsageError) {
    let arguments = try Arguments(tokens, allowed: Self.options).configured([.device])
    if let word = arguments.operands.first { throw .unexpectedOperand(word) }
    isJSON = arguments.has(.json)
    device = arguments.last(.device) ?? "default"
  }

  func run() throws {
    let report = DoctorReport(findings: Checkup.findings(of: SystemFacts(device: device)))
    if isJSON { print(report.json) } else { StandardOutput.show(report.text, terminator: "") }
    try StandardOutput.finish()
    if report.hasProblems { throw ToldAlready() }
  }
}
