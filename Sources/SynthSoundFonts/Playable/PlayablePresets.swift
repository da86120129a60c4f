/// Presets of one font, made playable: everything a note needs, in flat memory. Immutable; an engine keeps those that
/// it plays. [any thread]
public final class PlayablePresets: @unchecked Sendable {
  /// Kept alive: the presets point into it.
  public let font: SoundFont
  /// What was left out.
  public let problems: SoundFontProblems
  /// Of samples that were touched, so that playing them waits for no disk.
  public let preloadedByteCount: Int

  private let presets: UnsafeMutableBufferPointer<PlayablePreset>
  private let zones: UnsafeMutableBufferPointer<PlayableZone>
  private let modulators: UnsafeMutableBufferPointer<ZoneModulator>

  /// What is touched beforehand.
  public enum Preload: Sendable {
    /// All of the samples of the presets.
    case samples
    /// Nothing: pages come in as notes use them, which may wait for a disk. For rendering to a file.
    case nothing
  }

  /// Makes presets playable. [control thread]
  ///
  /// - Parameter wanted: places in the font's `presets`; nil for all.
  public init(_ font: SoundFont, presets wanted: Set<Int>? = nil, preload: Preload = .samples) {
    self.font = font
    var compiler = PresetCompiler(font)
    for (index, header) in font.presets.enumerated() where wanted?.contains(index) ?? true {
      compiler.add(index, header)
    }
    problems = compiler.problems
    modulators = .allocate(capacity: compiler.modulators.count)
    _ = modulators.initialize(from: compiler.modulators)
    zones = .allocate(capacity: compiler.zones.count)
    for (index, zone) in compiler.zones.enumerated() {
      guard let sample = compiler.samples[zone.sample], let list = UnsafePointer(modulators.baseAddress) else {
        continue
      }
      zones.initializeElement(
        at: index,
        to: PlayableZone(
          lowestKey: zone.keys.lowest, highestKey: zone.keys.highest,
          lowestVelocity: zone.velocities.lowest, highestVelocity: zone.velocities.highest,
          generators: zone.generators, modulators: list + zone.modulators.lowerBound,
          modulatorCount: zone.modulators.count, modulated: compiler.modulated(zone.modulators), sample: sample))
    }
    // By bank and program, so that they are found fast.
    let sorted = compiler.presets.filter { !$0.zones.isEmpty }.sorted {
      ($0.header.bank, $0.header.program) < ($1.header.bank, $1.header.program)
    }
    self.presets = .allocate(capacity: sorted.count)
    for (index, preset) in sorted.enumerated() {
      guard let first = UnsafePointer(zones.baseAddress) else { continue }
      self.presets.initializeElement(
        at: index,
        to: PlayablePreset(
          bank: UInt16(preset.header.bank), program: UInt16(preset.header.program),
          zones: first + preset.zones.lowerBound, zoneCount: preset.zones.count))
    }
    preloadedByteCount = preload == .samples ? SamplePages(compiler.samples.values).touch() : 0
  }

  deinit {
    presets.deallocate()
    zones.deallocate()
    modulators.deallocate()
  }

  /// How many can be found.
  public var count: Int { presets.count }

  /// The first preset of a bank and a program, drums in bank 128; nil where the font has none, or only one without
  /// zones, or it was not asked for. [any thread]
  @_noLocks
  public func preset(bank: Int, program: Int) -> UnsafePointer<PlayablePreset>? {
    guard let all = presets.baseAddress else { return nil }
    var (low, high) = (0, presets.count)
    while low < high {
      let middle = (low + high) / 2
      let preset = all + middle
      let (thisBank, thisProgram) = (Int(preset.pointee.bank), Int(preset.pointee.program))
      if thisBank < bank || thisBank == bank && thisProgram < program { low = middle + 1 } else { high = middle }
    }
    guard low < presets.count, Int(all[low].bank) == bank, Int(all[low].program) == program else { return nil }
    return UnsafePointer(all + low)
  }
}
