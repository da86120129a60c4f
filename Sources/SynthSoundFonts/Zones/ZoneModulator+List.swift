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
    let local = level.local.filter { !$0.isLinked }
    let others = level.global.filter { other in !other.isLinked && !local.contains { $0.isIdentical(to: other) } }
    for modulator in (local + others).prefix(ZoneModulator.mostOfZone) {
      if let place = self[..<known].firstIndex(where: { $0.isIdentical(to: modulator) }) {
        join(&self[place], modulator)
      } else if count < ZoneModulator.mostOfVoice {
        append(modulator)
      }
    }
    addChains(of: level.local)
    addChains(of: level.global)
  }

  /// Adds the linked modulators of a zone, all of them or none; they come last there.
  private mutating func addChains(of zone: [ZoneModulator]) {
    guard let first = zone.firstIndex(where: \.isLinked), count + zone.count - first <= ZoneModulator.mostOfVoice else {
      return
    }
    let shift = Int8(count - first)
    for var modulator in zone[first...] {
      if modulator.link >= 0 { modulator.link += shift }
      append(modulator)
    }
  }
}
