import SynthDSP

// What a mixer's meters show, by name, for those who do not know the node: "input 3 level", "output peak".

extension MixerNode {
  /// For each input and the output: "level" (RMS), "peak" (held) and "clips" after the fader, "level before fader" and
  /// "peak before fader"; each has two values, left and right. Levels are in decibels, -120 for silence and for what is
  /// not measured.
  var meterProperties: [Property] {
    inputs.enumerated().flatMap { bus, input in
      properties(of: .input(bus), before: input.inputMeter, after: input.meter)
    } + properties(of: .output(0), before: mixMeter, after: outputMeter)
  }

  private func properties(of element: NodeElement, before: Meter, after: Meter) -> [Property] {
    let (isMetered, isMeteredBefore) = (isMetered, measuresBeforeFaders)
    let bus = element.scope == .input ? "\(element)" : "output"
    func levels(_ name: String, isBefore: Bool, _ amplitude: @escaping @Sendable (Meter, Int) -> Float) -> Property {
      Property(measured: name, at: element, name: "\(bus) \(name)", of: self, kind: Self.levels) {
        let isOn = isMetered.value != 0 && (!isBefore || isMeteredBefore.value != 0)
        let meter = isBefore ? before : after
        return .list((0..<2).map { .number(isOn ? Self.decibels(amplitude(meter, $0)) : -120) })
      }
    }
    return [
      levels("level", isBefore: false) { $0.rms($1) }, levels("peak", isBefore: false) { $0.heldPeak($1) },
      Property(measured: "clips", at: element, name: "\(bus) clips", of: self, kind: Self.clips) {
        .list((0..<2).map { .integer(after.clipCount($0)) })
      },
      levels("level before fader", isBefore: true) { $0.rms($1) },
      levels("peak before fader", isBefore: true) { $0.heldPeak($1) },
    ]
  }

  private static let levels = PropertyKind.list(of: .number(-120...120, unit: .decibels), count: 2...2)
  private static let clips = PropertyKind.list(of: .integer(0...Int.max), count: 2...2)

  /// With one decimal, which is more than a meter's reader sees.
  private static func decibels(_ amplitude: Float) -> Double {
    max(-120, (Decibels(amplitude: Double(amplitude)).value * 10).rounded() / 10)
  }
}
