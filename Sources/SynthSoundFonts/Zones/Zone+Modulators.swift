extension FontRecords {
  /// The modulators of a zone that can do something: of identical ones the last, and no more than a voice has room for.
  ///
  /// Those that are linked come last, each before the one that it leads to; `link` is its place in this list.
  func modulators(_ level: Level, _ range: Range<Int>) -> [ZoneModulator] {
    var known: Set<Identity> = []
    var modulators: [ZoneModulator] = []
    var chains = ModulatorChains()
    for record in range.reversed() {
      let place = place(level.modulators, record)
      guard let modulator = modulator(at: place) else { continue }
      let destination = bytes.word(place + 2)
      if destination & 0x8000 != 0 || modulator.source.isLink {
        let target = destination & 0x8000 == 0 ? nil : Int(destination & 0x7FFF)
        chains.add(modulator, number: record - range.lowerBound, target: target)
      } else if known.insert(Identity(modulator)).inserted {
        modulators.append(modulator)
      }
    }
    modulators = Array(modulators.reversed().prefix(ZoneModulator.mostOfZone))
    return modulators + chains.list(from: modulators.count)
  }

  private struct Identity: Hashable {
    let source: ModulatorSource
    let amountSource: ModulatorSource
    let destination: UInt8

    init(_ modulator: ZoneModulator) {
      (source, amountSource, destination) = (modulator.source, modulator.amountSource, modulator.destination)
    }
  }

  /// The modulator of a record; nil for one whose sources or destination do not exist.
  private func modulator(at place: Int) -> ZoneModulator? {
    let destination = bytes.word(place + 2)
    // A link leads to no generator; any will do.
    let generator = destination & 0x8000 != 0 ? .startOffset : UInt8(exactly: destination).flatMap(Generator.init)
    guard let generator, let source = self.source(at: place), let amountSource = self.source(at: place + 6),
      !amountSource.kind.isLink
    else { return nil }
    let transform = bytes.word(place + 8)
    // What has an unknown curve or transform stays in the list: it may replace another one.
    let isKnown = source.isKnown && amountSource.isKnown && (transform == 0 || transform == 2)
    var modulator = ZoneModulator(
      source: source.kind, amountSource: amountSource.kind, destination: generator,
      amount: isKnown ? Float(Int16(bitPattern: bytes.word(place + 4))) : 0)
    modulator.isAbsolute = transform == 2
    return modulator
  }

  /// A source, and whether its curve is known; nil for one that the standard forbids (section 8.2.1).
  private func source(at place: Int) -> (kind: ModulatorSource, isKnown: Bool)? {
    let bits = bytes.word(place)
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
      ModulatorSource.channelPressureIndex, ModulatorSource.pitchBendIndex, ModulatorSource.pitchBendRangeIndex,
      ModulatorSource.linkIndex:
      break
    default: return nil
    }
    return (source, isKnown)
  }
}
