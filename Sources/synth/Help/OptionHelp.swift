/// What an option does, for the help pages.
struct OptionHelp {
  let option: Option
  /// As it is written: "--soundfont FILE".
  let form: String
  /// What is written for its value: "FILE"; empty without one.
  let value: String
  let text: String

  init(_ option: Option, _ value: String, _ text: String) {
    (self.option, self.value) = (option, value)
    form = "\(option.spellings.joined(separator: ", ")) \(value)"
    self.text = text
  }

  /// An option without a value.
  init(_ option: Option, _ text: String) {
    (self.option, value) = (option, "")
    form = option.spellings.joined(separator: ", ")
    self.text = text
  }

  /// In lines of at most 80 columns, the explanation beside the form, or after a long one.
  var lines: String { wrapped("  " + padded(form, 20) + (form.count < 20 ? " " : "   ") + text, 23) }
}

/// Options that belong together, under a title.
struct OptionGroup {
  let title: String
  let options: [OptionHelp]

  /// Those of a command; nothing if it has none of them.
  func text(for allowed: [Option]) -> String? {
    let lines = options.filter { allowed.contains($0.option) }.map(\.lines)
    return lines.isEmpty ? nil : title + "\n" + lines.joined(separator: "\n")
  }
}
