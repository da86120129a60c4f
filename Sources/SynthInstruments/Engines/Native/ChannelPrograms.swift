import SynthMIDI
import SynthRealtime
import SynthSoundFonts

/// Which presets the channels have. [audio thread]
struct ChannelPrograms: ~Copyable {
  private struct Program: BitwiseCopyable {
    /// The preset that was asked for last, by its place in the table, and the one that plays until it is loaded; −1
    /// for none.
    var asked = -1
    var playing = -1

    @_noLocks
    init() {}
  }

  /// Whether a channel may have got another preset.
  var hasNewPresets = true
  private let table: PresetTable
  private let programs: UnsafeMutablePointer<Program>
  private let requests: RingBuffer<PresetRequest>.Producer

  /// - Parameter requests: takes what is asked for and not loaded. It must outlive this.
  init(_ table: PresetTable, _ requests: RingBuffer<PresetRequest>) {
    self.table = table
    self.requests = requests.producer
    programs = .allocate(capacity: midiChannelCount)
    programs.initialize(repeating: Program(), count: midiChannelCount)
  }

  deinit { programs.deallocate() }

  /// The preset that a channel plays, by its place in the table; −1 for none.
  @_noLocks
  func playing(_ channel: Int) -> Int { programs[channel].playing }

  /// The one that it plays once it is loaded.
  @_noLocks
  func asked(_ channel: Int) -> Int { programs[channel].asked }

  /// What the notes of a channel play; nil for nothing.
  @_noLocks
  func preset(_ channel: Int) -> UnsafePointer<PlayablePreset>? { table[programs[channel].playing]?.preset }

  /// Returns to the initial presets.
  @_noLocks
  mutating func reset(_ performance: borrowing Performance) {
    for channel in 0..<midiChannelCount {
      programs[channel] = Program()
      select(channel, performance.presetRequest(UInt8(truncatingIfNeeded: channel)))
    }
  }

  /// Follows an event, which the performance has followed already.
  @_noLocks
  mutating func follow(_ event: EngineEvent) {
    let message = event.message
    let performance = event.performance
    switch (message.kind, event.systemExclusive) {
    case (.programChange, _): change(performance.pointee.zones.scope(of: message.channel), performance.pointee)
    case (.systemExclusive, .part(let setting)):
      if case .drums = setting.setting { change(setting.scope, performance.pointee) }
    default: break
    }
    // A zone was set up or given up: members play their master's preset.
    if case .endSound(let channels) = event.action, message.controller != .allSoundOff || message.kind != .controlChange
    {
      change(channels, performance.pointee)
    }
  }

  /// Goes on with what channels were told before.
  @_noLocks
  mutating func takeOver(_ performance: borrowing Performance) { change(.max, performance) }

  /// Selects the presets of channels, a bit each. One that is not loaded is asked for, and the channel has it after the
  /// exchange that brings it.
  @_noLocks
  private mutating func change(_ channels: UInt16, _ performance: borrowing Performance) {
    for channel in 0..<midiChannelCount where channels & (1 &<< UInt16(truncatingIfNeeded: channel)) != 0 {
      let request = performance.presetRequest(UInt8(truncatingIfNeeded: channel))
      select(channel, request)
      guard let entry = table[programs[channel].asked], !entry.isLoaded else { continue }
      // Where the ring is full, the next rack asks again.
      _ = requests.push(request)
    }
  }

  @_noLocks
  private mutating func select(_ channel: Int, _ request: PresetRequest) {
    hasNewPresets = true
    let asked = table.index(of: request) ?? -1
    programs[channel].asked = asked
    if table[asked]?.isLoaded ?? true { programs[channel].playing = asked }
  }
}
