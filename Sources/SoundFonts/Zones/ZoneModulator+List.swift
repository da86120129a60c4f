extension ZoneModulator {
  /// The modulators of a voice: the defaults, those of the instrument, and those of the preset (section 9.5).
  ///
  /// A zone's own replace identical ones of its level's first zone. The instrument's replace the amounts of the
  /// defaults; the preset's are added to what is there.
  static func list(
    instrument: (global: [ZoneModulator], local: [ZoneModulator]),
    preset: (global: [ZoneModulator], local: [ZoneModulator])
  ) -> [ZoneModulator] {
    var list = defaults
    list.add(instrument) { $0.amount = $1.amount }
    list.add(preset) { $0.amount += $1.amount }
    return list
  }
}

extension [ZoneModulator] {
  fileprivate mutating func add(
    _ level: (global: [ZoneModulator], local: [ZoneModulator]),
    _ join: (inout ZoneModulator, ZoneModulator) -> Void
  ) {
    let known = count
    let others = level.global.filter { other in !level.local.contains { $0.isIdentical(to: other) } }
    for modulator in (level.local + others).prefix(ZoneModulator.mostOfZone) {
      if let place = self[..<known].firstIndex(where: { $0.isIdentical(to: modulator) }) {
        join(&self[place], modulator)
      } else if count < ZoneModulator.mostOfZone {
        append(modulator)
      }
    }
  }
}
