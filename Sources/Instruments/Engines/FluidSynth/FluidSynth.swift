import CFluidSynth
import Glibc
import MIDI
import Realtime

/// A `fluid_synth_t` set up for the audio thread, and its settings. Freed on the control side.
final class FluidSynth: @unchecked Sendable {
  let handle: OpaquePointer
  private let settings: OpaquePointer
  /// The presets that stay loaded, where not all are.
  private(set) var pinned: Set<OpaquePointer> = []
  private let pool: SoundFontPool?
  /// The song's bank, of which single samples may be read later.
  private var bank: BankFile?
  /// What goes back to the pool.
  private var borrowed: [SoundFontPool.Font] = []

  /// FluidSynth 2.3 counts who uses a sample without a lock: one thread at a time reads or forgets samples.
  private static let sampleCache = CheckedMutex(())

  init(_ configuration: SamplerConfiguration, sampleRate: Double) throws(InstrumentError) {
    guard RackNode.sampleRates.contains(sampleRate) else { throw .sampleRateOutOfRange(sampleRate) }
    fluidsynth_install_log()
    guard let settings = new_fluid_settings() else { throw .outOfMemory }
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
    self.settings = settings
    self.handle = handle
    pool = configuration.pool
    if case .used = configuration.preload { fluidsynth_load_samples_singly(handle, settings) }
    for path in configuration.soundFonts { try add(path, configuration) }
    if let bank = configuration.bank { try load(bank) }
  }

  deinit {
    Self.sampleCache.withLock { _ in
      // Else each font that goes would have the next one's presets loaded.
      if !borrowed.isEmpty { unsetPrograms() }
      for font in borrowed { fluid_synth_remove_sfont(handle, font.handle) }
      delete_fluid_synth(handle)
    }
    delete_fluid_settings(settings)
    pool?.takeBack(borrowed)
  }

  private func add(_ path: String, _ configuration: SamplerConfiguration) throws(InstrumentError) {
    guard let pool else { return try load(path) }
    let font = try pool.font(path, configuration.preload)
    borrowed.append(font)
    Self.sampleCache.withLock { _ in _ = fluid_synth_add_sfont(handle, font.handle) }
  }

  private func load(_ bank: MIDIFile.Container.Bank) throws(InstrumentError) {
    let file = try BankFile(bank)
    do throws(InstrumentError) {
      try load(file.path)
    } catch .notASoundFont(_, let reason) {
      throw .songBank(reason: reason)
    }
    self.bank = file
  }

  /// Takes the presets from all channels.
  func unsetPrograms() {
    for channel in 0..<Int32(RackNode.channelCount) { fluid_synth_unset_program(handle, channel) }
  }

  /// Loads the preset a channel has, to stay. [control thread]
  func pinPreset(ofChannel channel: Int32) throws(InstrumentError) {
    if let preset = fluid_synth_get_channel_preset(handle, channel) { try pin(preset) }
  }

  /// Loads what a request will find, to stay. [control thread]
  func pin(_ request: PresetRequest) throws(InstrumentError) {
    let preset = fluidsynth_find_preset(handle, request.isDrum, request.bank, request.program)
    if let preset { try pin(preset) }
  }

  private func pin(_ preset: OpaquePointer) throws(InstrumentError) {
    guard pinned.insert(preset).inserted, let font = fluid_preset_get_sfont(preset) else { return }
    _ = fluidsynth_take_error()
    let status = Self.sampleCache.withLock { _ in
      fluid_synth_pin_preset(
        handle, fluid_sfont_get_id(font), fluid_preset_get_banknum(preset), fluid_preset_get_num(preset))
    }
    guard status != FLUID_FAILED else {
      throw .soundFontUnreadable(
        path: String(cString: fluid_sfont_get_name(font)), reason: String(cString: fluidsynth_take_error()))
    }
  }

  /// Reads a soundfont, in which presets are looked for first from now on. [control thread]
  func load(_ path: String) throws(InstrumentError) {
    // FluidSynth reports a missing file and a broken one alike.
    guard let file = fopen(path, "rb") else {
      throw .soundFontUnreadable(path: path, reason: String(cString: strerror(errno)).lowercased())
    }
    var status = stat()
    let isRegular = fstat(fileno(file), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    fclose(file)
    guard isRegular else { throw .soundFontUnreadable(path: path, reason: "not a regular file") }
    _ = fluidsynth_take_error()
    guard Self.sampleCache.withLock({ _ in fluid_synth_sfload(handle, path, 1) }) != FLUID_FAILED else {
      let reason = String(cString: fluidsynth_take_error())
      throw .notASoundFont(path: path, reason: reason.isEmpty ? "not a soundfont" : reason)
    }
  }
}
