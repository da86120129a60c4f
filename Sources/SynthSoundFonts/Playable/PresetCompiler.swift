/// Makes zones of presets playable, as FluidSynth's notes find them. Used once.
struct PresetCompiler {
  private(set) var presets: [(header: SoundFontPresetHeader, zones: Range<Int>)] = []
  private(set) var zones: [CompiledZone] = []
  private(set) var modulators: [ZoneModulator] = []
  /// The samples of all zones, by their numbers.
  private(set) var samples: [Int: PlayableSample] = [:]
  private(set) var problems = SoundFontProblems()

  /// A zone whose modulators are not in their place yet.
  struct CompiledZone {
    var keys: Reach
    var velocities: Reach
    var generators: InlineArray<61, Float>
    var modulators: Range<Int>
    var sample: Int
  }

  private struct Instrument {
    var global: Zone?
    var zones: [Zone] = []
  }

  private let records: FontRecords
  private let memory: SampleMemory
  private var instruments: [Int: Instrument] = [:]
  private var lists: [[ZoneModulator]: Range<Int>] = [:]
  private var silent: Set<Int> = []
  /// The presets by bank and program.
  private var places: [[Int]: String] = [:]
  /// How many pairs of zones may be looked at still: every preset could refer to every zone.
  private var pairsLeft: Int

  init(_ font: SoundFont) {
    records = font.records
    memory = SampleMemory(font: font)
    pairsLeft = 4096 + font.byteCount / MemoryLayout<PlayableZone>.stride
  }

  /// The generators that the modulators of a zone move, a bit each: those of the sound controllers, and all others.
  func modulated(_ list: Range<Int>) -> (always: UInt64, byControllers: UInt64) {
    var (always, byControllers): (UInt64, UInt64) = (0, 0)
    for (place, modulator) in modulators[list].enumerated() where modulator.link < 0 {
      let bit: UInt64 = 1 << UInt64(modulator.destination & 63)
      if ZoneModulator.controllerPlaces.contains(place) { byControllers |= bit } else { always |= bit }
    }
    return (always, byControllers)
  }

  /// Adds the zones of a preset.
  mutating func add(_ index: Int, _ header: SoundFontPresetHeader) {
    if let other = places[[header.bank, header.program]] {
      return problems.add(
        "preset \(index) (\(header.name))", "it is never played: \(other) has the same bank and program", chunk: "phdr",
        offset: records.place(.presets, index))
    }
    places[[header.bank, header.program]] = header.name
    let first = zones.count
    let numbers = zoneNumbers(.presets, of: index, header.name)
    var global = numbers.first.flatMap { records.zone(.presets, $0) }
    if global?.reference != nil { global = nil }
    // Both levels run backwards, as in FluidSynth.
    for number in numbers.reversed() {
      guard let zone = zone(.presets, number, global, of: header.name) else { continue }
      if let reference = zone.reference {
        guard let instrument = instrument(reference, number) else { continue }
        zones += combined(zone, global, instrument, index, header)
      } else if number != numbers.lowerBound {
        note(.presetZones, number, header.name, "it has no instrument")
      }
    }
    presets.append((header, first..<zones.count))
  }

  private mutating func zoneNumbers(_ level: FontRecords.Level, of item: Int, _ name: String) -> Range<Int> {
    if let zones = records.zones(level, of: item) { return zones }
    problems.add(
      "\(level.items == .presets ? "preset" : "instrument") \(item) (\(name))", "its zones are not there; it is silent",
      chunk: level.items.rawValue, offset: records.place(level.items, item))
    return 0..<0
  }

  private mutating func zone(
    _ level: FontRecords.Level, _ number: Int, _ global: Zone?, of name: String
  ) -> Zone? {
    let zone = records.zone(level, number, global: global)
    if zone == nil { note(level.zones, number, name, "its generators or modulators are not there") }
    return zone
  }

  private mutating func note(_ table: FontChunks.Table, _ number: Int, _ name: String, _ reason: String) {
    problems.add(
      "zone \(number) of \(name)", reason + "; it is left out", chunk: table.rawValue,
      offset: records.place(table, number))
  }

  /// An instrument with the zones that can be played; nil where it is not there.
  private mutating func instrument(_ index: Int, _ presetZone: Int) -> Instrument? {
    if let known = instruments[index] { return known }
    guard index < records.count(.instruments) - 1 else {
      note(.presetZones, presetZone, "a preset", "its instrument \(index) is not there")
      return nil
    }
    let name = records.instrumentName(index)
    var instrument = Instrument()
    for (position, number) in zoneNumbers(.instruments, of: index, name).enumerated() {
      guard let zone = zone(.instruments, number, instrument.global, of: name) else { continue }
      if let sample = zone.reference {
        if isPlayable(sample, number, name) { instrument.zones.append(zone) }
      } else if position == 0 {
        instrument.global = zone
      } else {
        note(.instrumentZones, number, name, "it has no sample")
      }
    }
    instruments[index] = instrument
    return instrument
  }

  private mutating func isPlayable(_ index: Int, _ zone: Int, _ name: String) -> Bool {
    if samples[index] != nil { return true }
    guard index < records.count(.samples) - 1 else {
      note(.instrumentZones, zone, name, "its sample \(index) is not there")
      return false
    }
    guard silent.insert(index).inserted else { return false }
    let header = records.sample(index)
    do {
      samples[index] = try memory.sample(header)
      silent.remove(index)
      if header.sampleRate == 0 {
        problems.add(
          "sample \(index) (\(header.name))", "it has no rate; it sounds alike on all keys", chunk: "shdr",
          offset: records.place(.samples, index))
      }
      return true
    } catch {
      problems.add(
        "sample \(index) (\(header.name))", error.description + "; it is silent", chunk: "shdr",
        offset: records.place(.samples, index))
      return false
    }
  }

  /// Where a list is, which many zones have alike.
  private mutating func place(of list: [ZoneModulator]) -> Range<Int> {
    if let known = lists[list] { return known }
    let place = modulators.count..<modulators.count + list.count
    modulators += list
    lists[list] = place
    return place
  }

  /// The zones of an instrument within one of a preset, the last first.
  private mutating func combined(
    _ zone: Zone, _ global: Zone?, _ instrument: Instrument, _ index: Int, _ header: SoundFontPresetHeader
  ) -> [CompiledZone] {
    guard instrument.zones.count <= pairsLeft else {
      pairsLeft = 0
      problems.add(
        "preset \(index) (\(header.name))",
        "there are more zones than the file can be meant to have; some are left out",
        chunk: "phdr", offset: records.place(.presets, index))
      return []
    }
    pairsLeft -= instrument.zones.count
    return instrument.zones.reversed().compactMap { inner in
      guard let sample = inner.reference, let keys = zone.keys.intersection(inner.keys),
        let velocities = zone.velocities.intersection(inner.velocities)
      else { return nil }
      var generators = InlineArray<61, Float>(repeating: 0)
      for generator in Generator.allCases { generators[Int(generator.rawValue)] = generator.standard }
      for level in [instrument.global, inner].compactMap(\.self) {
        for (generator, value) in level.values { generators[Int(generator.rawValue)] = value }
      }
      for (generator, value) in zone.values { generators[Int(generator.rawValue)] += value }
      for (generator, value) in global?.values ?? [] where zone.value(of: generator) == nil {
        generators[Int(generator.rawValue)] += value
      }
      let list = ZoneModulator.list(
        instrument: (instrument.global?.modulators ?? [], inner.modulators),
        preset: (global?.modulators ?? [], zone.modulators))
      return CompiledZone(
        keys: keys, velocities: velocities, generators: generators, modulators: place(of: list),
        sample: sample)
    }
  }
}
