import SynthMIDI
import SynthSoundFonts

/// What a sampler was set to, besides notes and controllers.
struct SamplerSettings: Sendable {
  var path: String?
  var presets: [ChannelPreset] = []
  /// Of all channels; nil for General MIDI's: program 1, and drums on channel 10.
  var preset: (bank: Int, program: Int)?
  /// In cents.
  var tuning = 0.0
  /// The channels that were told to play drums, a bit each.
  var drums = gmDrums

  static let gmDrums: UInt16 = 1 << 9
  /// Of a soundfont.
  static let drumBank = 128
}

extension SamplerNode {
  /// Loads a soundfont, an audio file or a folder of audio files, to be played as General MIDI has it: program changes
  /// choose presets, and channel 10 plays drums. [control thread]
  ///
  /// It plays from the next quantum on. Notes that sound are finished with what was loaded before.
  ///
  /// - Throws: `InstrumentError`, with the file and the reason; what was loaded before then stays.
  public func load(_ path: String) throws(InstrumentError) { try load(path, nil) }

  /// Loads a soundfont, and gives all channels one of its presets. [control thread]
  ///
  /// - Parameters:
  ///   - bank: 0 to 127, or 128 for drums.
  ///   - program: 0 to 127.
  /// - Throws: `InstrumentError`, also where the preset is not there; what was loaded before then stays.
  public func load(_ path: String, bank: Int = 0, program: Int) throws(InstrumentError) {
    try load(path, (bank, program))
  }

  private func load(_ path: String, _ preset: (bank: Int, program: Int)?) throws(InstrumentError) {
    try told.withLock { told throws(InstrumentError) in
      // It keeps the font, so that it is read once.
      let pool = SoundFontPool()
      let presets = try pool.font(path).presets.map {
        ChannelPreset(name: $0.name, bank: $0.bank, program: $0.program)
      }
      if let preset, !presets.contains(where: { $0.bank == preset.bank && $0.program == preset.program }) {
        throw .presetMissing(path: path, bank: preset.bank, program: preset.program)
      }
      var configuration = rack.configuration
      configuration.sampler.soundFonts = [path]
      configuration.sampler.pool = engine == .native ? pool : nil
      try rack.exchange(configuration)
      (told.path, told.presets, told.preset) = (path, presets, preset)
      sendPreset(&told)
    }
  }

  /// The file or folder that was loaded last; nil before. [any thread]
  public var path: String? { told.withLock { $0.path } }

  /// All presets of what is loaded, in the order of the file. [any thread]
  public var presets: [ChannelPreset] { told.withLock { $0.presets } }

  /// What a channel, 0 to 15, plays; nil for nothing. It follows programs as they are rendered. [any thread]
  public func preset(ofChannel channel: Int = 0) -> ChannelPreset? { rack.preset(ofChannel: channel) }

  /// How much higher than 440 Hz it is tuned, in cents, -2400 to 2400, to which it is clamped; NaN is ignored. From the
  /// next quantum on, for notes that sound too. [any thread]
  public var tuning: Double {
    get { told.withLock { $0.tuning } }
    set {
      guard !newValue.isNaN else { return }
      told.withLock { told in
        told.tuning = min(max(-2400, newValue), 2400)
        sendTuning(told)
      }
    }
  }

  /// Tells instruments that start over what they were told.
  func restore() {
    told.withLock { told in
      told.drums = SamplerSettings.gmDrums
      if told.preset != nil { sendPreset(&told) }
      if told.tuning != 0 { sendTuning(told) }
    }
  }

  private func sendPreset(_ told: inout SamplerSettings) {
    let (bank, program) = told.preset ?? (0, 0)
    let drums = told.preset == nil ? SamplerSettings.gmDrums : bank == SamplerSettings.drumBank ? 0xFFFF : 0
    for channel in 0..<UInt8(RackNode.channelCount) {
      let bit: UInt16 = 1 << UInt16(channel)
      if (told.drums ^ drums) & bit != 0 { sendPartMode(channel, isDrum: drums & bit != 0) }
      send(.programChange(channel: channel, program: UInt8(program), bank: UInt16(drums & bit == 0 ? bank : 0) << 7))
    }
    told.drums = drums
  }

  /// GS's "use for rhythm part".
  private func sendPartMode(_ channel: UInt8, isDrum: Bool) {
    let part = channel == 9 ? 0 : channel < 9 ? channel + 1 : channel
    let body: [UInt8] = [0x40, 0x10 | part, 0x15, isDrum ? 1 : 0]
    let sum = body.reduce(0) { $0 + Int($1) }
    send(systemExclusive: [0x41, 0x10, 0x42, 0x12] + body + [UInt8((128 - sum % 128) % 128)])
  }

  /// Coarse and fine tuning, registered parameters 2 and 1.
  private func sendTuning(_ told: SamplerSettings) {
    let semitones = (told.tuning / 100).rounded()
    let fine = min(8192 + ((told.tuning - 100 * semitones) * 81.92).rounded(), 16383)
    for channel in 0..<UInt8(RackNode.channelCount) {
      send(.registeredController(channel: channel, parameter: 2, value32: UInt32(64 + semitones) << 25))
      send(.registeredController(channel: channel, parameter: 1, value32: UInt32(fine) << 18))
    }
  }
}
