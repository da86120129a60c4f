extension FontRecords {
  /// The modulators of a zone that can do something: of identical ones the last, and no more than a voice has room for.
  func modulators(_ level: Level, _ range: Range<Int>) -> [ZoneModulator] {
    var known: Set<Identity> = []
    var modulators: [ZoneModulator] = []
    for record in range.reversed() {
      guard let modulator = modulator(at: place(level.modulators, record)) else { continue }
      let identity = Identity(modulator)
      if known.insert(identity).inserted { modulators.append(modulator) }
    }
    return Array(modulators.reversed().prefix(ZoneModulator.mostOfZone))
  }

  private struct Identity: Hashable {
    let source: ModulatorSource
    let amountSource: ModulatorSource
    let destination: UInt8

    init(_ modulator: ZoneModulator) {
      (source, amountSource, destination) = (modulator.source, modulator.amountSource, modulator.destination)
    }
  }

  /// The modulator of a record; nil where it can have no output.
  private func modulator(at place: Int) -> ZoneModulator? {
    let destination = bytes.word(place + 2)
    guard destination < Generator.count,
      let generator = Generator(rawValue: UInt8(destination)),
      let source = self.source(bytes.word(place)), source.source.isController || source.source.index != 0,
      let amountSource = self.source(bytes.word(place + 6))
    else { return nil }
    let transform = bytes.word(place + 8)
    // What has an unknown curve or transform stays in the list: it may replace another one.
    let isKnown = source.isKnown && amountSource.isKnown && (transform == 0 || transform == 2)
    var modulator = ZoneModulator(
      source: source.source, amountSource: amountSource.source, destination: generator,
      amount: isKnown ? Float(Int16(bitPattern: bytes.word(place + 4))) : 0)
    modulator.isAbsolute = transform == 2
    return modulator
  }

  /// A source, and whether its curve is known; nil for one that the standard forbids (section 8.2.1).
  private func source(_ bits: UInt16) -> (source: ModulatorSource, isKnown: Bool)? {
    let isKnown = bits >> 10 <= 3
    var source = ModulatorSource(rawValue: isKnown ? bits : bits & 0x3FF)
    if source.isController {
      switch source.index {
      case 0, 6, 32, 38, 98...101, 120...127: return nil
      default: return (source, isKnown)
      }
    }
    switch source.index {
    // A constant has no second half.
    case 0: source.rawValue &= ~0x200
    case ModulatorSource.velocityIndex, ModulatorSource.keyIndex, ModulatorSource.keyPressureIndex,
      ModulatorSource.channelPressureIndex, ModulatorSource.pitchBendIndex, ModulatorSource.pitchBendRangeIndex:
      break
    default: return nil
    }
    return (source, isKnown)
  }
}
