import ALSA

/// `synth devices`: lists the outputs.
struct DevicesCommand {
  init(_ tokens: [String]) throws(UsageError) {
    if let word = try Arguments(tokens, allowed: []).operands.first { throw .unexpectedOperand(word) }
  }

  func run() {
    let hardware = PCMHardware.outputs()
    for output in hardware { print(describe(output)) }
    if hardware.isEmpty { print("No sound card is here, or none that you may open.") }
    print("\nOther names for --out, as alsa-lib has them:")
    let devices = PCMDevice.outputs()
    let width = min(devices.map(\.name.count).max() ?? 0, 32)
    for device in devices { print(row(device, nameWidth: width)) }
  }

  private func describe(_ output: PCMHardware) -> String {
    let title = "\(output.id)  (\(output.address))  \(output.cardName), \(output.deviceName)"
    switch output.capabilities {
    case .success(let can):
      let channels = span(can.channels) + (can.channels == 1...1 ? " channel" : " channels")
      let names = can.channelNames.map { "\n    \($0.joined(separator: " "))" }.joined()
      let formats = can.formats.map(\.description).joined(separator: " ")
      return "\(title)\n    \(channels), \(span(can.rates)) Hz, \(formats), period \(span(can.periods))\(names)"
    case .failure(let error):
      return "\(title)\n    \(error)"
    }
  }

  private func row(_ device: PCMDevice, nameWidth: Int) -> String {
    let padding = String(repeating: " ", count: max(0, nameWidth - device.name.count))
    return String("  \(device.name)\(padding)  \(device.summary)".prefix(79))
  }

  private func span(_ range: ClosedRange<Int>) -> String {
    range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound)–\(range.upperBound)"
  }
}
