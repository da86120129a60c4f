extension DownloadableSounds {
  /// The same instruments as a SoundFont; nil where there are none. As many regions are taken as a SoundFont can count.
  func soundFont(bankOffset: Int) -> [UInt8]? {
    guard !instruments.isEmpty else { return nil }
    // What says its own bank is where the song looks for it.
    let offset = instruments.contains { $0.bank == 0 } ? bankOffset : 0
    var file = SoundFontFile()
    let places = waves.map { file.add($0.samples) }
    var zoneCount = 0
    for instrument in instruments where zoneCount + instrument.regions.count <= Self.mostZones {
      zoneCount += instrument.regions.count
      let bank = Int(instrument.bank) + offset
      file.begin(
        name: instrument.name,
        bank: instrument.bank == Self.drumBank ? Self.drumBank : bank > 127 ? 0 : UInt16(bank),
        program: instrument.program)
      for region in instrument.regions { add(region, to: &file, places[region.wave]) }
    }
    return file.bytes
  }

  /// Each has up to 40 generators, which words count.
  private static let mostZones = 1600

  private func add(_ region: Region, to file: inout SoundFontFile, _ place: Range<Int>) {
    let (playing, articulation) = (region.playing, region.articulation)
    var values = articulation.generators
    let decibels = -(Double(playing.gain) / 65536 + articulation.gain) / 10
    // libfluidsynth takes 0.4 of what is asked for, as E-mu's hardware does.
    values[.attenuation] = max(0, decibels * 10 / 0.4)
    let cents = Double(playing.tuning) + articulation.tuning
    values[.coarseTuning] = (cents / 100).rounded(.towardZero)
    values[.fineTuning] = cents.truncatingRemainder(dividingBy: 100)
    if region.keyGroup > 0 { values[.exclusiveClass] = Double(region.keyGroup & 127) }
    let loop = playing.loop.map { $0.clamped(to: 0..<place.count) } ?? 0..<0
    if loop.count > 1 { values[.sampleModes] = playing.endsAtRelease ? 3 : 1 }
    file.add(
      keys: region.keys, velocities: region.velocities, values, articulation.modulators,
      rate: waves[region.wave].rate, at: place,
      loop: place.lowerBound + loop.lowerBound..<place.lowerBound + loop.upperBound, key: playing.key)
  }
}
