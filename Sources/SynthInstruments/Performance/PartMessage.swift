/// A System Exclusive message that sets parts, read in place: each data byte sets the next address. [any thread]
public struct PartMessage {
  enum Form: BitwiseCopyable {
    /// Model 42, addresses 40 00 xx, 40 1x xx and 40 2x xx.
    case gs
    /// Model 4C, addresses 00 00 xx and 08 nn xx.
    case xg
    /// Real-time, device control: master tunings. Source: MMA CA-025.
    case masterTuning
    /// Real-time, controller destinations: pairs of a target and its range. Source: MMA CA-022.
    case destinations
  }

  /// What the data at an address say, and how many bytes that takes.
  struct Reading {
    let setting: PartChange.Setting?
    let size: Int

    @_noLocks
    init(_ setting: PartChange.Setting?, size: Int = 1) {
      self.setting = setting
      self.size = size
    }
  }

  /// Everything that a message of GS or XG sets: other parts of the synthesizer follow it, too. Nil for those of MIDI.
  let data: ParameterData?
  private let form: Form
  /// From the manufacturer's number on.
  private let bytes: UnsafePointer<UInt8>
  private let start: Int
  private let end: Int
  /// The next byte that is read.
  private var index: Int

  /// - Parameter bytes: without F0 and F7.
  /// - Returns: nil if the message sets no part. A GS message with a wrong checksum sets nothing.
  @_noLocks
  init?(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    guard let form = Self.form(bytes, count) else { return nil }
    data = ParameterData(bytes, count)
    if form == .gs, data == nil { return nil }
    self.form = form
    self.bytes = bytes
    switch form {
    case .gs: (start, end) = (7, count &- 1)
    case .xg: (start, end) = (6, count)
    case .masterTuning: (start, end) = (4, count)
    case .destinations: (start, end) = (bytes[3] == 3 ? 6 : 5, count)
    }
    index = start
  }

  @_noLocks
  private static func form(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Form? {
    guard count > 5 else { return nil }
    switch bytes[0] {
    case 0x41:
      guard count > 8, bytes[2] == 0x42, bytes[3] == 0x12, bytes[4] == 0x40 else { return nil }
      return bytes[5] == 0 || bytes[5] >> 4 == 1 || bytes[5] >> 4 == 2 ? .gs : nil
    case 0x43:
      guard count > 6, bytes[1] & 0xF0 == 0x10, bytes[2] == 0x4C else { return nil }
      return bytes[3] == 8 && bytes[4] < 16 || bytes[3] | bytes[4] == 0 ? .xg : nil
    case 0x7F:
      if bytes[2] == 4, bytes[3] == 3 || bytes[3] == 4, count == 6 { return .masterTuning }
      return bytes[2] == 9 && (1...3).contains(bytes[3]) ? .destinations : nil
    default: return nil
    }
  }

  /// The next setting; nil at the end.
  @_noLocks
  mutating func next() -> PartChange? {
    while let (reading, part, _) = nextReading() {
      if let setting = reading.setting { return PartChange(setting, part: part) }
    }
    return nil
  }

  /// What the next data say, whether they set anything or not, and where they stand; nil at the end.
  @_noLocks
  mutating func nextReading() -> (reading: Reading, part: UInt8, place: Int)? {
    guard index < end else { return nil }
    let (data, left) = (bytes + index, end &- index)
    let place = index &- start
    let offset = UInt8(truncatingIfNeeded: place)
    var part: UInt8 = 0
    let reading: Reading
    switch form {
    case .gs:
      part = Self.channel(ofGSPart: bytes[5])
      reading = PartSettings.gs(block: bytes[5] >> 4, bytes[6] &+ offset, data, left)
    case .xg:
      part = bytes[4]
      reading = PartSettings.xg(isPart: bytes[3] == 8, bytes[5] &+ offset, data, left)
    case .masterTuning: reading = PartSettings.masterTuning(isCoarse: bytes[3] == 4, data, left)
    case .destinations:
      part = bytes[4]
      reading = nextDestination(data, left)
    }
    index &+= reading.size
    return (reading, part, place)
  }

  /// The controller of a 09 03 message becomes the first assignable source, unless it is the modulation wheel.
  @_noLocks
  private mutating func nextDestination(_ data: UnsafePointer<UInt8>, _ left: Int) -> Reading {
    let source: ControllerRoutes.Source
    switch bytes[3] {
    case 1: source = .channelPressure
    case 2: source = .keyPressure
    default: source = bytes[5] == 1 ? .modulation : .first
    }
    if bytes[3] == 3, bytes[5] != 1, !isAssigned {
      isAssigned = true
      return Reading(.assign(.first, bytes[5]), size: 0)
    }
    return PartSettings.destination(source, data, left)
  }

  private var isAssigned = false

  /// Part 0 is channel 10, parts 1 to 9 are channels 1 to 9.
  @_noLocks
  static func channel(ofGSPart block: UInt8) -> UInt8 {
    let part = block & 15
    return part >= 10 ? part : part == 0 ? 9 : part &- 1
  }
}
