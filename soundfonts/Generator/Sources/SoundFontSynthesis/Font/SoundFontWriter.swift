// Presets written as a SoundFont 2.04 file (Creative Technology: SoundFont Technical Specification, 2006).

/// Collects samples, instruments and presets, and lays them out as the file wants them.
struct SoundFontWriter {
  private var waveData = ByteBuffer()
  private var sampleHeaders = ByteBuffer()
  private var sampleIndices: [String: Int] = [:]
  private var presetHeaders = ByteBuffer()
  private var presetBags = ByteBuffer()
  private var presetGenerators = ByteBuffer()
  private var instrumentHeaders = ByteBuffer()
  private var instrumentBags = ByteBuffer()
  private var instrumentModulators = ByteBuffer()
  private var instrumentGenerators = ByteBuffer()

  private static let bagSize = 4
  private static let generatorSize = 4
  private static let modulatorSize = 10
  private static let instrumentSize = 22
  /// Zeros behind every sample (SoundFont 2.04, 6.1).
  private static let silentFrames = 46

  /// The file's bytes. Presets are written in order of bank and program, as the standard wants them.
  static func file(_ presets: [Preset], name: String) -> [UInt8] {
    var writer = SoundFontWriter()
    for preset in presets.sorted(by: { ($0.bank, $0.program) < ($1.bank, $1.program) }) { writer.add(preset) }
    writer.terminate()
    return writer.assembled(name: name)
  }

  private mutating func add(_ preset: Preset) {
    presetHeaders.append(preset.name, width: 20)
    presetHeaders.append(UInt16(preset.program))
    presetHeaders.append(UInt16(preset.bank))
    presetHeaders.append(UInt16(presetBags.bytes.count / Self.bagSize))
    for _ in 0..<3 { presetHeaders.append(UInt32(0)) }
    for instrument in preset.instruments {
      presetBags.append(UInt16(presetGenerators.bytes.count / Self.generatorSize))
      presetBags.append(UInt16(0))
      presetGenerators.append(Generator.instrument.rawValue)
      presetGenerators.append(UInt16(instrumentHeaders.bytes.count / Self.instrumentSize))
      add(instrument, name: preset.name)
    }
  }

  private mutating func add(_ instrument: Instrument, name: String) {
    instrumentHeaders.append(name, width: 20)
    instrumentHeaders.append(UInt16(instrumentBags.bytes.count / Self.bagSize))
    if let common = instrument.articulation { addZone(common.generators, common.modulators) }
    for zone in instrument.zones {
      var list = [GeneratorValue(.keyRange, zone.keys)] + (zone.articulation?.generators ?? [])
      if let root = zone.rootKey { list.append(GeneratorValue(.overridingRootKey, root)) }
      if zone.sample.loop != nil { list.append(GeneratorValue(.sampleModes, 1)) }
      list.append(GeneratorValue(.sampleID, index(of: zone.sample)))
      addZone(list, zone.articulation?.modulators ?? [])
    }
  }

  private mutating func addZone(_ generators: [GeneratorValue], _ modulators: [Modulator]) {
    instrumentBags.append(UInt16(instrumentGenerators.bytes.count / Self.generatorSize))
    instrumentBags.append(UInt16(instrumentModulators.bytes.count / Self.modulatorSize))
    for value in generators {
      instrumentGenerators.append(value.generator.rawValue)
      instrumentGenerators.append(value.amount)
    }
    for modulator in modulators {
      instrumentModulators.append(modulator.source)
      instrumentModulators.append(modulator.destination.rawValue)
      instrumentModulators.append(UInt16(bitPattern: Int16(clamping: modulator.amount)))
      instrumentModulators.append(UInt16(0))
      instrumentModulators.append(UInt16(0))
    }
  }

  /// The sample's number; the first request writes it.
  private mutating func index(of sample: Sample) -> Int {
    if let known = sampleIndices[sample.name] { return known }
    let index = sampleIndices.count
    sampleIndices[sample.name] = index
    let start = waveData.bytes.count / 2
    for frame in sample.frames { waveData.append(UInt16(bitPattern: frame)) }
    for _ in 0..<Self.silentFrames { waveData.append(UInt16(0)) }
    let end = start + sample.frames.count
    let loop = sample.loop ?? 8..<sample.frames.count - 8
    sampleHeaders.append(sample.name, width: 20)
    for position in [start, end, start + loop.lowerBound, start + loop.upperBound, sample.rate] {
      sampleHeaders.append(UInt32(position))
    }
    sampleHeaders.append(UInt8(sample.key))
    sampleHeaders.append(UInt8(0))
    sampleHeaders.append(UInt16(0))
    sampleHeaders.append(UInt16(1))
    return index
  }

  /// Every table ends with a record that only marks its end.
  private mutating func terminate() {
    presetHeaders.append("EOP", width: 20)
    for value in [0, 0, presetBags.bytes.count / Self.bagSize] { presetHeaders.append(UInt16(value)) }
    for _ in 0..<3 { presetHeaders.append(UInt32(0)) }
    presetBags.append(UInt16(presetGenerators.bytes.count / Self.generatorSize))
    presetBags.append(UInt16(0))
    presetGenerators.append(UInt32(0))
    instrumentHeaders.append("EOI", width: 20)
    instrumentHeaders.append(UInt16(instrumentBags.bytes.count / Self.bagSize))
    instrumentBags.append(UInt16(instrumentGenerators.bytes.count / Self.generatorSize))
    instrumentBags.append(UInt16(instrumentModulators.bytes.count / Self.modulatorSize))
    instrumentGenerators.append(UInt32(0))
    for _ in 0..<5 { instrumentModulators.append(UInt16(0)) }
    sampleHeaders.append("EOS", width: 20)
    for _ in 0..<6 { sampleHeaders.append(UInt32(0)) }
    sampleHeaders.append(UInt16(0))
  }

  private func assembled(name: String) -> [UInt8] {
    var presetData = ByteBuffer()
    presetData.appendChunk("phdr", presetHeaders)
    presetData.appendChunk("pbag", presetBags)
    var noModulators = ByteBuffer()
    for _ in 0..<5 { noModulators.append(UInt16(0)) }
    presetData.appendChunk("pmod", noModulators)
    presetData.appendChunk("pgen", presetGenerators)
    presetData.appendChunk("inst", instrumentHeaders)
    presetData.appendChunk("ibag", instrumentBags)
    presetData.appendChunk("imod", instrumentModulators)
    presetData.appendChunk("igen", instrumentGenerators)
    presetData.appendChunk("shdr", sampleHeaders)

    var samples = ByteBuffer()
    samples.appendChunk("smpl", waveData)

    var content = ByteBuffer()
    content.appendList(type: "INFO", information(name: name))
    content.appendList(type: "sdta", samples)
    content.appendList(type: "pdta", presetData)
    var file = ByteBuffer()
    file.appendList("RIFF", type: "sfbk", content)
    return file.bytes
  }

  private func information(name: String) -> ByteBuffer {
    var version = ByteBuffer()
    version.append(UInt16(2))
    version.append(UInt16(4))
    var list = ByteBuffer()
    list.appendChunk("ifil", version)
    for (code, text) in [
      ("isng", "EMU8000"), ("INAM", name), ("IENG", "The synth project"),
      ("ICOP", "MIT licence, as the program that made it"), ("ICMT", "Synthesised; holds no recorded sound."),
      ("ISFT", "soundfont-builder"),
    ] {
      var content = ByteBuffer()
      content.append(text, width: text.utf8.count + (text.utf8.count % 2 == 0 ? 2 : 1))
      list.appendChunk(code, content)
    }
    return list
  }
}
