/// What connections of Downloadable Sounds set, as generators and modulators of SoundFont 2.01. A later connection of
/// the same kind replaces an earlier one.
struct DLSArticulation {
  /// What a connection leads from and to. Source: the tables of sources and destinations in "Level 1" and "Level 2.2".
  private struct Connection: Hashable {
    let source: UInt16
    let control: UInt16
    let destination: UInt16
  }

  /// In 65536ths of a unit.
  private var scales: [Connection: Int32] = [:]

  mutating func read(_ parts: [RIFFReader.Chunk], of file: RIFFReader) {
    for list in file.lists("lart", among: parts) + file.lists("lar2", among: parts) {
      for chunk in list where file.hasTag("art1", chunk) || file.hasTag("art2", chunk) { read(chunk.data, of: file) }
    }
  }

  private mutating func read(_ data: Range<Int>, of file: RIFFReader) {
    guard let size = file.long(data.lowerBound), let count = file.long(data.lowerBound + 4) else { return }
    let start = data.lowerBound + Int(size)
    for index in 0..<min(Int(count), max(0, data.upperBound - start) / 12) {
      let place = start + 12 * index
      guard let source = file.word(place), let control = file.word(place + 2),
        let destination = file.word(place + 4), let scale = file.long(place + 8)
      else { return }
      scales[Connection(source: source, control: control, destination: destination)] = Int32(bitPattern: scale)
    }
  }

  /// What a source and a control add to a destination; nil where nothing says so.
  private func scale(_ source: UInt16, _ destination: UInt16, control: UInt16 = 0) -> Double? {
    scales[Connection(source: source, control: control, destination: destination)].map { Double($0) / 65536 }
  }

  /// In tenths of a decibel.
  var gain: Double { scale(Source.none, 0x0001) ?? 0 }
  /// In cents.
  var tuning: Double { scale(Source.none, 0x0003) ?? 0 }

  private enum Source {
    static let none: UInt16 = 0
    static let lfo: UInt16 = 1
    static let key: UInt16 = 3
    static let modulationEnvelope: UInt16 = 5
    static let vibrato: UInt16 = 9
  }

  /// All but level and tuning, which the wave has a part in.
  var generators: [SoundFontFile.Generator: Double] {
    var generators: [SoundFontFile.Generator: Double] = [
      .modulationFrequency: -851, .modulationDelay: -7973, .vibratoFrequency: -851, .vibratoDelay: -7973,
    ]
    for (generator, source, destination) in Self.direct {
      if let scale = scale(source, destination) { generators[generator] = scale }
    }
    // Absolute cents of a frequency are those of SoundFont; the level that is held is there what is lost.
    if let level = scale(Source.none, 0x020A) {
      generators[.volumeSustain] = 960 * (1 - min(max(level, 0), 1000) / 1000)
    }
    if let level = scale(Source.none, 0x030E) { generators[.modulationSustain] = 1000 - min(max(level, 0), 1000) }
    if let perKeyboard = scale(Source.key, 0x0003) { generators[.scaleTuning] = perKeyboard / 128 }
    for (generator, time, destination) in Self.keyed {
      guard let perKeyboard = scale(Source.key, destination) else { continue }
      // There the time is that of key 0, and here that of key 60.
      generators[time, default: -12000] += perKeyboard * 60 / 128
      generators[generator] = -perKeyboard / 128
    }
    return generators
  }

  private static let direct: [(SoundFontFile.Generator, UInt16, UInt16)] = [
    (.pan, Source.none, 0x0004), (.chorusSend, Source.none, 0x0080), (.reverbSend, Source.none, 0x0081),
    (.modulationFrequency, Source.none, 0x0104), (.modulationDelay, Source.none, 0x0105),
    (.vibratoFrequency, Source.none, 0x0114), (.vibratoDelay, Source.none, 0x0115),
    (.volumeAttack, Source.none, 0x0206), (.volumeDecay, Source.none, 0x0207),
    (.volumeRelease, Source.none, 0x0209), (.volumeDelay, Source.none, 0x020B), (.volumeHold, Source.none, 0x020C),
    (.modulationAttack, Source.none, 0x030A), (.modulationDecay, Source.none, 0x030B),
    (.modulationRelease, Source.none, 0x030D), (.modulationEnvelopeDelay, Source.none, 0x030F),
    (.modulationHold, Source.none, 0x0310), (.filterCutoff, Source.none, 0x0500), (.filterQ, Source.none, 0x0501),
    (.modulationToPitch, Source.lfo, 0x0003), (.modulationToVolume, Source.lfo, 0x0001),
    (.modulationToFilter, Source.lfo, 0x0500), (.vibratoToPitch, Source.vibrato, 0x0003),
    (.envelopeToPitch, Source.modulationEnvelope, 0x0003), (.envelopeToFilter, Source.modulationEnvelope, 0x0500),
  ]

  private static let keyed: [(SoundFontFile.Generator, time: SoundFontFile.Generator, UInt16)] = [
    (.keyToVolumeHold, .volumeHold, 0x020C), (.keyToVolumeDecay, .volumeDecay, 0x0207),
    (.keyToModulationHold, .modulationHold, 0x0310), (.keyToModulationDecay, .modulationDecay, 0x030B),
  ]

  /// What modulation wheel and channel pressure do. A SoundFont's vibrato follows them unless it says otherwise; here
  /// nothing follows what is not connected.
  var modulators: [SoundFontFile.Modulator] {
    [(UInt16(0x81), UInt16(0x0081)), (0x08, 0x000D)].flatMap { control, source in
      [
        (SoundFontFile.Generator.vibratoToPitch, Source.vibrato, UInt16(0x0003)),
        (.modulationToPitch, Source.lfo, 0x0003), (.modulationToVolume, Source.lfo, 0x0001),
      ].compactMap { generator, oscillator, destination in
        let amount = scale(oscillator, destination, control: control)
        guard amount != nil || generator == .vibratoToPitch else { return nil }
        return SoundFontFile.Modulator(source: source, destination: generator, amount: amount ?? 0)
      }
    }
  }
}
