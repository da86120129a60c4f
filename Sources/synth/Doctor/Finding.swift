import SynthText

/// What one check of `synth doctor` has found.
struct Finding: Equatable {
  enum State: String {
    case ok
    /// It plays, but not as well as it could, or not all that a person may expect.
    case warning
    /// Something does not work.
    case problem
  }

  /// What was looked at: "sound card".
  let name: String
  let state: State
  /// What was seen there, in words.
  let seen: String
  /// The command that mends it, for a shell; nil where nothing is to be mended.
  let remedy: String?

  static func ok(_ name: String, _ seen: String) -> Finding {
    Finding(name: name, state: .ok, seen: seen, remedy: nil)
  }

  static func warning(_ name: String, _ seen: String, _ remedy: String) -> Finding {
    Finding(name: name, state: .warning, seen: seen, remedy: remedy)
  }

  static func problem(_ name: String, _ seen: String, _ remedy: String) -> Finding {
    Finding(name: name, state: .problem, seen: seen, remedy: remedy)
  }

  var json: JSONValue {
    .object([
      ("name", .string(name)), ("state", .string(state.rawValue)), ("seen", .string(seen)),
      ("remedy", remedy.map(JSONValue.string) ?? .null),
    ])
  }
}

/// All findings, as a person or a program reads them.
struct DoctorReport {
  let findings: [Finding]

  private func count(_ state: Finding.State) -> Int { findings.count { $0.state == state } }

  var hasProblems: Bool { count(.problem) > 0 }

  /// In 80 columns; remedies stand unbroken on lines of their own, so that they can be copied.
  var text: String {
    let paragraphs = findings.map { finding in
      let start = padded(finding.state.rawValue, 9) + padded(finding.name, 13)
      let remedy = finding.remedy.map { "\n  \($0)" } ?? ""
      return wrapped(start + oneLine(finding.seen), 22) + remedy + "\n"
    }
    return paragraphs.joined() + "\n\(summary)\n"
  }

  private var summary: String {
    let counts = [(count(.problem), "problem"), (count(.warning), "warning")].filter { $0.0 > 0 }
    if counts.isEmpty { return "All is well." }
    return counts.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: ", ")
      + "; the command below each is what helps."
  }

  var json: JSONValue {
    .object([("problems", .number(count(.problem))), ("findings", .array(findings.map(\.json)))])
  }
}
