/// Keys or velocities; none where the file has them the wrong way round.
struct Reach {
  var lowest: UInt8 = 0
  var highest: UInt8 = 127

  /// What both have; nil for nothing.
  func intersection(_ other: Reach) -> Reach? {
    let both = Reach(lowest: max(lowest, other.lowest), highest: min(highest, other.highest, 127))
    return both.lowest <= both.highest ? both : nil
  }
}

/// A zone of a preset or an instrument, as its records say, after FluidSynth's rules of what counts.
struct Zone {
  var keys = Reach()
  var velocities = Reach()
  /// Each generator once, in the order in which they first appear.
  var values: [(generator: Generator, value: Float)] = []
  var modulators: [ZoneModulator] = []
  /// The instrument or the sample; nil for the zone that holds for all others.
  var reference: Int?

  func value(of generator: Generator) -> Float? { values.first { $0.generator == generator }?.value }
}

extension FontRecords {
  /// Reads a zone; nil where its records are not all there. It has the ranges of the one that holds for all others of
  /// its list, `global`, unless it says otherwise.
  ///
  /// The range of keys counts only as the first generator, that of velocities only as the first or behind keys, what
  /// follows the reference does not count, and of several equal generators the last one does (section 8.1.2, and
  /// FluidSynth's reading).
  func zone(_ level: Level, _ index: Int, global: Zone? = nil) -> Zone? {
    guard let generators = generators(level, ofZone: index), let modulators = modulators(level, ofZone: index) else {
      return nil
    }
    var zone = Zone()
    if let global { (zone.keys, zone.velocities) = (global.keys, global.velocities) }
    var places = [Int8](repeating: -1, count: Generator.count)
    var position = 0
    for record in generators {
      let place = place(level.generators, record)
      guard let generator = UInt8(exactly: bytes.word(place)).flatMap(Generator.init) else {
        position = 2
        continue
      }
      let amount = bytes.word(place + 2)
      switch generator {
      case .keyRange:
        if position == 0 { (zone.keys, position) = (reach(amount), 1) }
      case .velocityRange:
        if position <= 1 { (zone.velocities, position) = (reach(amount), 2) }
      case level.reference:
        zone.reference = Int(amount)
      default:
        position = 2
        guard level.reference == .instrument ? generator.isForPresets : generator.isForInstruments else { continue }
        // As E-mu's hardware does, 0.4 of the attenuation is taken.
        let value = Float(Int16(bitPattern: amount)) * (generator == .attenuation ? 0.4 : 1)
        let known = Int(places[Int(generator.rawValue)])
        if known >= 0 {
          zone.values[known].value = value
        } else {
          places[Int(generator.rawValue)] = Int8(zone.values.count)
          zone.values.append((generator, value))
        }
      }
      if zone.reference != nil { break }
    }
    zone.modulators = self.modulators(level, modulators)
    return zone
  }

  private func reach(_ amount: UInt16) -> Reach {
    Reach(lowest: UInt8(truncatingIfNeeded: amount), highest: UInt8(truncatingIfNeeded: amount >> 8))
  }
}
