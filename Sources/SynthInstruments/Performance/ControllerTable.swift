import SynthMIDI

/// What all controllers and pressures of the 16 channels were set to last, 32 bits wide, and what SoundFont NRPNs add
/// to generators. Memory is allocated in `init`. [audio thread]
struct ControllerTable: ~Copyable {
  /// 128 controllers of each channel.
  private let values: UnsafeMutablePointer<UInt32>
  /// Of 128 keys of each channel.
  private let keyPressures: UnsafeMutablePointer<UInt32>
  private let channelPressures: UnsafeMutablePointer<UInt32>
  /// 64 generators of each channel.
  private let generatorOffsets: UnsafeMutablePointer<Float>
  private let selections: UnsafeMutablePointer<GeneratorSelection>
  /// The channels of which a sound controller is out of its middle, or the soft pedal down, a bit each.
  private(set) var shapedChannels: UInt16 = 0

  init() {
    values = .allocate(capacity: midiChannelCount * 128)
    keyPressures = .allocate(capacity: midiChannelCount * 128)
    channelPressures = .allocate(capacity: midiChannelCount)
    generatorOffsets = .allocate(capacity: midiChannelCount * 64)
    selections = .allocate(capacity: midiChannelCount)
    reset()
  }

  deinit {
    values.deallocate()
    keyPressures.deallocate()
    channelPressures.deallocate()
    generatorOffsets.deallocate()
    selections.deallocate()
  }

  @_noLocks
  func value(_ controller: UInt8, _ channel: UInt8) -> UInt32 {
    values[Int(channel) &* 128 &+ Int(controller & 127)]
  }

  @_noLocks
  func keyPressure(_ key: UInt8, _ channel: UInt8) -> UInt32 {
    keyPressures[Int(channel) &* 128 &+ Int(key & 127)]
  }

  @_noLocks
  func channelPressure(_ channel: UInt8) -> UInt32 { channelPressures[Int(channel)] }

  @_noLocks
  func generatorOffset(_ generator: Int, _ channel: UInt8) -> Float {
    generatorOffsets[Int(channel) &* 64 &+ generator & 63]
  }

  /// Follows a message.
  ///
  /// - Parameter scope: the channels it is for, a bit each: its own, and the members of the zone it is master of.
  @_noLocks
  mutating func follow(_ message: MIDIMessage, scope: UInt16) {
    for channel in 0..<midiChannelCount where scope & (1 &<< UInt16(truncatingIfNeeded: channel)) != 0 {
      switch message.kind {
      case .controlChange:
        values[channel &* 128 &+ Int(message.controller.rawValue)] = message.value32
        if message.controller.isSoundController { findShape(channel) }
      case .channelPressure: channelPressures[channel] = message.value32
      default: break
      }
    }
    let channel = Int(message.channel)
    switch message.kind {
    case .polyPressure: keyPressures[channel &* 128 &+ Int(message.note)] = message.value32
    case .controlChange: select(message, channel)
    case .assignableController where message.parameter >> 7 == GeneratorSelection.bank:
      offset(UInt16(message.parameter & 127), by: message.value32 >> 18, channel)
    default: break
    }
  }

  /// Whether an assignable parameter is a generator of SoundFonts.
  static func isGenerator(_ assignable: UInt16) -> Bool { assignable >> 7 == GeneratorSelection.bank }

  /// Source: SoundFont 2.04, section 9.6.
  @_noLocks
  private func select(_ message: MIDIMessage, _ channel: Int) {
    let selection = selections + channel
    switch message.controller {
    case .assignableParameter: selection.pointee = GeneratorSelection(bank: UInt16(message.value7))
    case .assignableParameterLSB: selection.pointee.add(UInt16(message.value7))
    case .registeredParameter, .registeredParameterLSB: selection.pointee.isActive = false
    case .dataEntry:
      guard selection.pointee.isActive, selection.pointee.bank == GeneratorSelection.bank else { return }
      let low = values[channel &* 128 &+ Int(Controller.dataEntryLSB.rawValue)] >> 25
      offset(selection.pointee.generator, by: UInt32(message.value7) << 7 | low, channel)
      selection.pointee.generator = 0
    default: break
    }
  }

  /// - Parameter value: 14 bits.
  @_noLocks
  private func offset(_ generator: UInt16, by value: UInt32, _ channel: Int) {
    guard generator < 64 else { return }
    generatorOffsets[channel &* 64 &+ Int(generator)] = Float(Int32(value) &- 8192) * scale(generator)
  }

  /// What a step of a value adds to a generator. Source: section 9.6.3, as FluidSynth reads it.
  @_noLocks
  private func scale(_ generator: UInt16) -> Float {
    switch generator {
    case 5...8, 10, 11, 21, 23, 25...28, 30, 33...36, 38: 2
    case 22, 24: 4
    case 0...4, 9, 12, 13, 15...17, 29, 31, 32, 37, 39, 40, 45, 47, 48, 50...52, 56: 1
    default: 0
    }
  }

  @_noLocks
  private mutating func findShape(_ channel: Int) {
    let bit: UInt16 = 1 &<< UInt16(truncatingIfNeeded: channel)
    shapedChannels &= ~bit
    let values = values + channel &* 128
    if isOn(values[67]) { shapedChannels |= bit }
    for number in 71...78 where values[number] != 0x8000_0000 { shapedChannels |= bit }
  }

  /// Returns everything to its initial state.
  @_noLocks
  mutating func reset() {
    shapedChannels = 0
    for channel in 0..<midiChannelCount {
      for number in UInt8(0)..<128 { values[channel &* 128 &+ Int(number)] = initial(number) }
      resetPressures(channel)
    }
  }

  @_noLocks
  private func initial(_ number: UInt8) -> UInt32 {
    switch number {
    // Volume is 100 of 127.
    case 7: MIDIMessage.controlChange(channel: 0, .volume, value7: 100).value32
    case 8, 10, 70...79: 0x8000_0000
    case 11, 43, 98...101: .max
    default: 0
    }
  }

  /// Resets what Reset All Controllers applies to. Source: RP-015; all controllers that it does not mention are reset
  /// too, as by FluidSynth.
  @_noLocks
  mutating func resetControllers(_ channel: Int) {
    for number in UInt8(0)..<120 {
      switch number {
      case 0, 32, 7, 39, 8, 40, 10, 42, 70...79, 91...95: break
      case 11, 43, 98...101: values[channel &* 128 &+ Int(number)] = .max
      default: values[channel &* 128 &+ Int(number)] = 0
      }
    }
    findShape(channel)
    resetPressures(channel)
  }

  @_noLocks
  private func resetPressures(_ channel: Int) {
    channelPressures[channel] = 0
    for key in 0..<128 { keyPressures[channel &* 128 &+ key] = 0 }
    for generator in 0..<64 { generatorOffsets[channel &* 64 &+ generator] = 0 }
    selections[channel] = GeneratorSelection(bank: 127)
    selections[channel].isActive = false
  }
}

extension Controller {
  /// Whether it is one of those that `ZoneModulator.controllerDefaults` follow: the soft pedal, and 71 to 78.
  var isSoundController: Bool {
    @_noLocks get { rawValue == 67 || rawValue >= 71 && rawValue <= 78 }
  }
}

/// Which generator data entry is for, after NRPN 120.
private struct GeneratorSelection: BitwiseCopyable {
  static var bank: UInt16 {
    @_noLocks get { 120 }
  }

  let bank: UInt16
  var generator: UInt16 = 0
  var isActive = true

  @_noLocks
  init(bank: UInt16) { self.bank = bank }

  /// Takes a fine number: from 100 on it is counted in hundreds, thousands and ten thousands.
  @_noLocks
  mutating func add(_ number: UInt16) {
    isActive = true
    switch number {
    case ..<100: generator = min(generator &+ number, 20000)
    case 100: generator = min(generator &+ 100, 20000)
    case 101: generator = min(generator &+ 1000, 20000)
    case 102: generator = min(generator &+ 10000, 20000)
    default: break
    }
  }
}
