import CSynthFluidSynth
import SynthFiles
import SynthInstruments
import SynthRealtime
import SynthSoundFonts

/// A `fluid_synth_t` set up for the audio thread, and its settings. Freed on the control side.
final class FluidSynth: @unchecked Sendable {
  let handle: OpaquePointer
  private let settings: OpaquePointer
  /// The presets that stay loaded, where not all are.
  private(set) var pinned: Set<OpaquePointer> = []
  private var fonts: [Font] = []
  private let pool: PooledSamples?
  /// The song's, of which single samples may be read later.
  private let bank: BankFile?
  /// What samples make, by the paths of their folders or files.
  private let samples: [String: BankFile]

  /// A soundfont of the stack.
  private struct Font {
    let path: String
    /// Nil where all of it is loaded.
    let headers: SoundFontHeaders?
    /// Whether a pool does not keep it.
    var isInMemory = false
    var id: Int32 = 0
    var needed: Set<SoundFontPreset> = []
  }

  /// FluidSynth 2.3 counts who uses a sample without a lock: one thread at a time reads or forgets samples.
  private static let sampleCache = CheckedMutex(())

  init(_ configuration: SamplerConfiguration, sampleRate: Double) throws(InstrumentError) {
    guard RackNode.sampleRates.contains(sampleRate) else { throw .sampleRateOutOfRange(sampleRate) }
    bank = try configuration.bank.map { bank throws(InstrumentError) in try BankFile(bank) }
    var samples: [String: BankFile] = [:]
    for path in configuration.soundFonts { samples[path] = try Self.samples(at: path) }
    self.samples = samples
    guard let settings = new_fluid_settings() else {
      throw .notLoaded(instrument: "sampler", reason: String(cString: fluidsynth_take_error()))
    }
    fluid_settings_setnum(settings, "synth.sample-rate", sampleRate)
    fluid_settings_setnum(settings, "synth.gain", configuration.linearGain)
    fluid_settings_setint(settings, "synth.polyphony", Int32(clamping: configuration.polyphony))
    // One stereo pair per MIDI channel. `fluid_synth_process` refuses more pairs than audio channels, and groups are
    // what it mixes into them.
    fluid_settings_setint(settings, "synth.audio-channels", Int32(RackNode.channelCount))
    fluid_settings_setint(settings, "synth.audio-groups", Int32(RackNode.channelCount))
    // The audio thread alone touches the synth, so it needs no mutex; reverb and chorus allocate in every call.
    fluid_settings_setint(settings, "synth.threadsafe-api", 0)
    fluid_settings_setint(settings, "synth.reverb.active", 0)
    fluid_settings_setint(settings, "synth.chorus.active", 0)
    guard let handle = fluidsynth_create(settings) else {
      delete_fluid_settings(settings)
      throw .outOfMemory
    }
    for modulator in ZoneModulator.controllerDefaults {
      fluidsynth_add_modulator(
        handle, modulator.source.rawValue, modulator.amountSource.rawValue, Int32(modulator.destination),
        Double(modulator.amount))
    }
    fluidsynth_bend_fully(handle)
    fluidsynth_centre_voices(handle, Int32(clamping: configuration.polyphony))
    self.settings = settings
    self.handle = handle
    pool = configuration.pool?.store { PooledSamples() }
    guard case .used = configuration.preload else {
      for path in configuration.soundFonts { _ = try load(samples[path]?.path ?? path) }
      if let bank { _ = try load(bank.path) }
      return
    }
    fluidsynth_load_samples_singly(handle, settings)
    for path in configuration.soundFonts {
      if let file = samples[path] {
        fonts.append(Font(path: file.path, headers: SoundFontHeaders(path: file.path), isInMemory: true))
      } else {
        fonts.append(Font(path: path, headers: pool.map { $0.headers(path) } ?? SoundFontHeaders(path: path)))
      }
    }
    if let bank { fonts.append(Font(path: bank.path, headers: SoundFontHeaders(path: bank.path), isInMemory: true)) }
    try loadFonts()
  }

  deinit {
    Self.sampleCache.withLock { _ in delete_fluid_synth(handle) }
    delete_fluid_settings(settings)
  }

  /// Nil for a soundfont.
  private static func samples(at path: String) throws(InstrumentError) -> BankFile? {
    let font: SampleFont?
    do throws(SoundFontError) { font = try SampleFont(path: path) } catch { throw InstrumentError(error) }
    return try font.map { font throws(InstrumentError) in try BankFile(font) }
  }

  /// Takes the presets from all channels.
  func unsetPrograms() {
    for channel in 0..<Int32(RackNode.channelCount) { fluid_synth_unset_program(handle, channel) }
  }

  /// Has the preset of a channel loaded by `loadNeeded`. [control thread]
  func need(presetOfChannel channel: Int32) { need(fluid_synth_get_channel_preset(handle, channel)) }

  /// Has what a request will find loaded by `loadNeeded`. [control thread]
  func need(_ request: PresetRequest) {
    need(fluidsynth_find_preset(handle, request.isDrum, request.bank, request.fallbackBank, request.program))
  }

  private func need(_ preset: OpaquePointer?) {
    guard let preset, let font = fluid_preset_get_sfont(preset) else { return }
    guard let place = fonts.firstIndex(where: { $0.id == fluid_sfont_get_id(font) }) else { return }
    fonts[place].needed.insert(
      SoundFontPreset(bank: Int(fluid_preset_get_banknum(preset)), program: Int(fluid_preset_get_num(preset))))
  }

  /// Loads the presets that are needed, and their samples, to stay. Only now they have zones. [control thread]
  func loadNeeded() throws(InstrumentError) {
    guard fonts.contains(where: { !$0.needed.isEmpty }) else { return }
    Self.sampleCache.withLock { _ in
      for font in fonts.reversed() { fluid_synth_sfunload(handle, font.id, 0) }
    }
    try loadFonts()
    for font in fonts where !font.isInMemory { try pool?.keep(font.needed, of: font.path) }
  }

  /// Loads the soundfonts with the zones of what is needed.
  private func loadFonts() throws(InstrumentError) {
    for place in fonts.indices {
      let font = fonts[place]
      fonts[place].id = try load(font.path, font.headers, pinning: font.needed)
    }
    pinned = Set(
      fonts.flatMap { font in
        let handle = fluid_synth_get_sfont_by_id(handle, font.id)
        return font.needed.compactMap { fluid_sfont_get_preset(handle, Int32($0.bank), Int32($0.program)) }
      })
  }

  /// Reads a soundfont, in which presets are looked for first from now on. [control thread]
  ///
  /// - Parameters:
  ///   - headers: of which an excerpt is loaded, with the zones of `presets`; nil for the whole soundfont.
  ///   - presets: are loaded to stay, where samples are loaded singly.
  /// - Returns: the soundfont's number.
  func load(
    _ path: String, _ headers: SoundFontHeaders? = nil, pinning presets: Set<SoundFontPreset> = []
  ) throws(InstrumentError) -> Int32 {
    try Self.sampleCache.withLock { _ throws(InstrumentError) in
      guard let headers else { return try read(path, pinning: presets) }
      return try headers.withExcerpt(of: presets) { () throws(InstrumentError) in
        try read(path, pinning: presets)
      }
    }
  }

  private func read(_ path: String, pinning presets: Set<SoundFontPreset>) throws(InstrumentError) -> Int32 {
    // FluidSynth reports a missing file and a broken one alike, and would wait for a pipe.
    let header: [UInt8]
    do throws(FileProblem) {
      header = try OutsideFile(path: path).head(12)
    } catch {
      throw .soundFontUnreadable(path: path, reason: error.reason)
    }
    // libfluidsynth reads it through libinstpatch, where it may stay silent.
    guard !header.dropFirst(8).elementsEqual("DLS ".utf8) else {
      throw .notASoundFont(path: path, reason: "DLS is played from RMID files only")
    }
    // FluidSynth searches other files to their end, for ever in a file of the kernel or a hole of a terabyte.
    guard header.starts(with: "RIFF".utf8) else { throw .notASoundFont(path: path, reason: "it is not a SoundFont") }
    _ = fluidsynth_take_error()
    let font = fluid_synth_sfload(handle, path.cPath, 1)
    guard font != FLUID_FAILED else {
      let text = String(cString: fluidsynth_take_error())
      let reason = text.isEmpty ? "not a soundfont" : text
      throw path == bank?.path ? .songBank(reason: reason) : .notASoundFont(path: path, reason: reason)
    }
    _ = fluidsynth_take_error()
    for preset in presets {
      guard fluid_synth_pin_preset(handle, font, Int32(preset.bank), Int32(preset.program)) != FLUID_FAILED else {
        let reason = String(cString: fluidsynth_take_error())
        throw path == bank?.path ? .songBank(reason: reason) : .soundFontUnreadable(path: path, reason: reason)
      }
    }
    return font
  }
}
