/// Writes a SoundFont 2.01 of instruments that have a preset each. Source: "SoundFont Technical Specification 2.04",
/// E-mu Systems, chapters 4 to 8.
struct SoundFontFile {
  /// The numbers of chapter 8.1.3.
  enum Generator: UInt16 {
    case modulationToPitch = 5, vibratoToPitch, envelopeToPitch, filterCutoff, filterQ, modulationToFilter,
      envelopeToFilter
    case modulationToVolume = 13
    case chorusSend = 15, reverbSend, pan
    case modulationDelay = 21, modulationFrequency, vibratoDelay, vibratoFrequency, modulationEnvelopeDelay,
      modulationAttack, modulationHold, modulationDecay, modulationSustain, modulationRelease, keyToModulationHold,
      keyToModulationDecay, volumeDelay, volumeAttack, volumeHold, volumeDecay, volumeSustain, volumeRelease,
      keyToVolumeHold, keyToVolumeDecay, instrument
    case keyRange = 43, velocityRange
    case attenuation = 48
    case coarseTuning = 51, fineTuning, sample, sampleModes
    case scaleTuning = 56, exclusiveClass
  }

  struct Modulator {
    /// As chapter 8.2 packs it.
    let source: UInt16
    let destination: Generator
    let amount: Double
  }

  private var presets = Records()
  private var presetBags = Records()
  private var presetGenerators = Records()
  private var instruments = Records()
  private var bags = Records()
  private var modulators = Records()
  private var generators = Records()
  private var headers = Records()
  private var samples: [UInt8] = []

  /// Adds the samples of a wave, and the 46 zeros that follow them.
  ///
  /// - Returns: where they are, in samples.
  mutating func add(_ wave: [Int16]) -> Range<Int> {
    let start = samples.count / 2
    for sample in wave {
      samples.append(UInt8(truncatingIfNeeded: sample))
      samples.append(UInt8(truncatingIfNeeded: sample >> 8))
    }
    samples += [UInt8](repeating: 0, count: 92)
    return start..<start + wave.count
  }

  /// Begins an instrument, and the preset that plays it.
  mutating func begin(name: String, bank: UInt16, program: UInt16) {
    presets.add(name, [program, bank, UInt16(clamping: presetBags.count), 0, 0, 0, 0, 0, 0])
    presetBags.add([UInt16(clamping: presetGenerators.count), 0])
    presetGenerators.add([Generator.instrument.rawValue, UInt16(clamping: instruments.count)])
    instruments.add(name, [UInt16(clamping: bags.count)])
  }

  /// Adds a zone to the instrument: ranges of keys and velocities come first, the sample last.
  mutating func add(
    keys: ClosedRange<UInt8>, velocities: ClosedRange<UInt8>, _ values: [Generator: Double],
    _ zoneModulators: [Modulator], rate: UInt32, at place: Range<Int>, loop: Range<Int>, key: UInt8
  ) {
    bags.add([UInt16(clamping: generators.count), UInt16(clamping: modulators.count)])
    generators.add([Generator.keyRange.rawValue, UInt16(keys.lowerBound) | UInt16(keys.upperBound) << 8])
    generators.add([
      Generator.velocityRange.rawValue, UInt16(velocities.lowerBound) | UInt16(velocities.upperBound) << 8,
    ])
    for (generator, value) in values.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      generators.add([generator.rawValue, generator.amount(value)])
    }
    generators.add([Generator.sample.rawValue, UInt16(clamping: headers.count)])
    for modulator in zoneModulators {
      modulators.add([
        modulator.source, modulator.destination.rawValue, modulator.destination.amount(modulator.amount), 0, 0,
      ])
    }
    var header = Records()
    for number in [place.lowerBound, place.upperBound, loop.lowerBound, loop.upperBound, Int(rate)] {
      header.add([UInt16(truncatingIfNeeded: number), UInt16(truncatingIfNeeded: number >> 16)])
    }
    // The key, no correction, no partner, and that it is a mono sample.
    header.add([UInt16(key), 0, 1])
    headers.add("wave", header.bytes)
  }

  /// The file, whose lists end with a record each.
  var bytes: [UInt8] {
    var end = self
    end.presets.add("EOP", [0, 0, UInt16(clamping: presetBags.count), 0, 0, 0, 0, 0, 0])
    end.presetBags.add([UInt16(clamping: presetGenerators.count), 0])
    end.presetGenerators.add([0, 0])
    end.instruments.add("EOI", [UInt16(clamping: bags.count)])
    end.bags.add([UInt16(clamping: generators.count), UInt16(clamping: modulators.count)])
    end.modulators.add([0, 0, 0, 0, 0])
    end.generators.add([0, 0])
    end.headers.add("EOS", [UInt8](repeating: 0, count: 26))
    let information = chunk("ifil", [2, 0, 1, 0]) + chunk("isng", Array("EMU8000\0".utf8)) + chunk("INAM", [0x44, 0])
    let tables =
      chunk("phdr", end.presets.bytes) + chunk("pbag", end.presetBags.bytes)
      + chunk("pmod", [UInt8](repeating: 0, count: 10)) + chunk("pgen", end.presetGenerators.bytes)
      + chunk("inst", end.instruments.bytes) + chunk("ibag", end.bags.bytes) + chunk("imod", end.modulators.bytes)
      + chunk("igen", end.generators.bytes) + chunk("shdr", end.headers.bytes)
    return chunk(
      "RIFF",
      Array("sfbk".utf8) + chunk("LIST", Array("INFO".utf8) + information)
        + chunk("LIST", Array("sdta".utf8) + chunk("smpl", samples)) + chunk("LIST", Array("pdta".utf8) + tables))
  }

  private func chunk(_ tag: String, _ data: [UInt8]) -> [UInt8] {
    let length = (0..<4).map { UInt8(truncatingIfNeeded: data.count >> (8 * $0)) }
    return Array(tag.utf8) + length + data + (data.count % 2 == 1 ? [0] : [])
  }
}

extension SoundFontFile.Generator {
  /// Within what the standard and libfluidsynth take.
  fileprivate func amount(_ value: Double) -> UInt16 {
    let range: ClosedRange<Double> =
      switch self {
      case .volumeDelay, .volumeHold, .modulationEnvelopeDelay, .modulationHold, .modulationDelay, .vibratoDelay:
        -12000...5000
      case .volumeAttack, .volumeDecay, .volumeRelease, .modulationAttack, .modulationDecay, .modulationRelease:
        -12000...8000
      case .volumeSustain, .attenuation: 0...1440
      case .modulationSustain, .chorusSend, .reverbSend: 0...1000
      case .pan: -500...500
      case .filterCutoff: 1500...13500
      case .filterQ, .modulationToVolume: -960...960
      case .modulationFrequency, .vibratoFrequency: -16000...4500
      default: -12000...12000
      }
    return UInt16(bitPattern: Int16(min(max(value, range.lowerBound), range.upperBound).rounded()))
  }
}

/// Records of one kind.
private struct Records {
  private(set) var bytes: [UInt8] = []
  private(set) var count = 0

  mutating func add(_ words: [UInt16]) {
    for word in words { bytes += [UInt8(truncatingIfNeeded: word), UInt8(truncatingIfNeeded: word >> 8)] }
    count += 1
  }

  /// A record that begins with a name of 20 bytes.
  mutating func add(_ name: String, _ rest: [UInt8]) {
    let letters = Array(name.utf8.prefix(19))
    bytes += letters + [UInt8](repeating: 0, count: 20 - letters.count) + rest
    count += 1
  }

  mutating func add(_ name: String, _ words: [UInt16]) {
    add(name, words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
  }
}
