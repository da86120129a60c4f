import SynthMIDI
import SynthRealtime
import SynthSoundFonts

/// Which presets the channels have, as FluidSynth chooses them. [audio thread]
struct ChannelPrograms: ~Copyable {
  private struct Program: BitwiseCopyable {
    /// 0 to 127; drums have one of their own.
    var bank: Int32 = 0
    var program: Int32 = 0
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
      select(channel, performance)
    }
  }

  /// Follows an event, which the performance has followed already.
  @_noLocks
  mutating func follow(_ event: EngineEvent) {
    let message = event.message
    let performance = event.performance
    switch message.kind {
    case .programChange:
      forScope(of: event) { programs, channel in
        if let bank = message.bank {
          programs.selectBank(channel, high: UInt8(bank >> 7), low: nil, performance.pointee)
          programs.selectBank(channel, high: nil, low: UInt8(bank & 127), performance.pointee)
        }
        programs.change(channel, to: Int32(message.program), performance.pointee)
      }
    case .controlChange where message.controller == .bankSelect:
      forScope(of: event) { $0.selectBank($1, high: message.value7, low: nil, performance.pointee) }
    case .controlChange where message.controller == .bankSelectLSB:
      forScope(of: event) { $0.selectBank($1, high: nil, low: message.value7, performance.pointee) }
    case .systemExclusive:
      if case (.partMode(let channel, _), .gs) = (event.systemExclusive, performance.pointee.bankStyle) {
        change(Int(channel), to: 0, performance.pointee)
      }
    default: break
    }
    // A zone was set up or given up: members play their master's preset.
    if case .endSound(let channels) = event.action, message.controller != .allSoundOff || message.kind != .controlChange
    {
      for channel in 0..<midiChannelCount where channels & (1 &<< UInt16(truncatingIfNeeded: channel)) != 0 {
        let master = Int(performance.pointee.zones.master(of: UInt8(truncatingIfNeeded: channel)))
        programs[channel].bank = programs[master].bank
        change(channel, to: programs[master].program, performance.pointee)
      }
    }
  }

  /// Goes on with what the channels of another engine have.
  @_noLocks
  mutating func takeOver(_ old: borrowing ChannelPrograms, _ performance: borrowing Performance) {
    for channel in 0..<midiChannelCount {
      programs[channel].bank = old.programs[channel].bank
      change(channel, to: old.programs[channel].program, performance)
    }
  }

  /// Goes on with what channels were told before.
  @_noLocks
  mutating func takeOver(_ performance: borrowing Performance) {
    for channel in 0..<midiChannelCount {
      let master = performance.zones.master(of: UInt8(truncatingIfNeeded: channel))
      let state = performance.channels[Int(master)]
      switch performance.bankStyle {
      case .gm: programs[channel].bank = 0
      case .gs: programs[channel].bank = Int32(state.bank >> 7)
      case .xg: programs[channel].bank = Int32(state.bank & 127)
      }
      change(channel, to: Int32(state.program), performance)
    }
  }

  @_noLocks
  private mutating func forScope(
    of event: EngineEvent, _ body: (inout ChannelPrograms, Int) -> Void
  ) {
    let scope = event.performance.pointee.zones.scope(of: event.message.channel)
    for channel in 0..<midiChannelCount where scope & (1 &<< UInt16(truncatingIfNeeded: channel)) != 0 {
      body(&self, channel)
    }
  }

  @_noLocks
  private func selectBank(_ channel: Int, high: UInt8?, low: UInt8?, _ performance: borrowing Performance) {
    switch performance.bankStyle {
    case .gm: break
    case .gs: if let high, !isDrum(channel, performance) { programs[channel].bank = Int32(high) }
    case .xg: if let low { programs[channel].bank = Int32(low) }
    }
  }

  /// Selects a program if it is loaded; else asks for it, and the channel has it after the exchange that brings it.
  @_noLocks
  private mutating func change(_ channel: Int, to program: Int32, _ performance: borrowing Performance) {
    programs[channel].program = program
    select(channel, performance)
    guard let entry = table[programs[channel].asked], !entry.isLoaded else { return }
    // Where the ring is full, the next rack asks again.
    _ = requests.push(request(channel, performance))
  }

  @_noLocks
  private mutating func select(_ channel: Int, _ performance: borrowing Performance) {
    hasNewPresets = true
    let asked = table.index(of: request(channel, performance)) ?? -1
    programs[channel].asked = asked
    if table[asked]?.isLoaded ?? true { programs[channel].playing = asked }
  }

  @_noLocks
  private func request(_ channel: Int, _ performance: borrowing Performance) -> PresetRequest {
    PresetRequest(
      isDrum: isDrum(channel, performance), bank: programs[channel].bank, program: programs[channel].program)
  }

  /// Whether a channel plays drums; a member of an MPE zone does not.
  @_noLocks
  private func isDrum(_ channel: Int, _ performance: borrowing Performance) -> Bool {
    performance.isDrum(UInt8(truncatingIfNeeded: channel))
  }
}
