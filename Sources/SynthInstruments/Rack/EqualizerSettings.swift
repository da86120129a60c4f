import SynthDSP

/// What the equalizers of GS and XG are set to: two shelves for the parts that GS has switched on, two shelves of each
/// XG part, and five bands of all XG parts. [audio thread]
///
/// Sources: SC-88Pro owner's manual, 40 02 00 to 03 and 40 4x 20; XG Specifications 2.0, 02 40 xx, 08 nn 72 to 77 and
/// assignable parameters 01 30 to 35.
struct EqualizerSettings: BitwiseCopyable {
  /// Of a channel: GS low and high, XG bass and treble, and XG's five.
  static var bandCount: Int { @_noLocks get { 9 } }
  private static var firstMultiBand: Int { @_noLocks get { 4 } }

  /// A gain about 64, in decibels, the frequency by its place in the table, and ten times Q.
  private typealias Band = SIMD4<UInt8>

  private let sampleRate: Float
  private var gsLow: Band
  private var gsHigh: Band
  /// The parts whose switch is on, a bit each.
  private var gsParts: UInt16
  private var bass: InlineArray<16, Band>
  private var treble: InlineArray<16, Band>
  private var multi: InlineArray<5, Band>
  /// Whether the lowest and the highest of the five are peaks, and no shelves.
  private var hasLowPeak = false
  private var hasHighPeak = false

  init(sampleRate: Double) {
    self.sampleRate = Float(sampleRate)
    (gsLow, gsHigh, gsParts) = (Band(64, 0, 0, 0), Band(64, 0, 0, 0), .max)
    (bass, treble) = (InlineArray(repeating: Self.bass), InlineArray(repeating: Self.treble))
    multi = Self.multi(type: 0)
  }

  @_noLocks
  mutating func reset() {
    (gsLow, gsHigh, gsParts) = (Band(64, 0, 0, 0), Band(64, 0, 0, 0), .max)
    for channel in 0..<16 { (bass[channel], treble[channel]) = (Self.bass, Self.treble) }
    setMulti(type: 0)
  }

  // MARK: - Messages

  /// - Returns: the channels that a parameter concerns, a bit each.
  @_noLocks
  mutating func set(_ model: ParameterData.Model, _ address: UInt32, _ value: UInt8) -> UInt16 {
    switch (model, address >> 8) {
    case (.gs, 0x40_02): setGS(address & 0xFF, value) ? .max : 0
    case (.gs, 0x40_40...0x40_4F) where address & 0xFF == 0x20: setGSSwitch(UInt8(address >> 8 & 0xFF), value)
    case (.xg, 0x02_40): setMulti(address & 0xFF, value) ? .max : 0
    case (.xg, 0x08_00...0x08_0F): setPart(Int(address >> 8 & 0x0F), address & 0xFF, value)
    default: 0
    }
  }

  /// Frequencies 0 and 1 are 200 and 400 Hz, 3 and 6 kHz.
  @_noLocks
  private mutating func setGS(_ address: UInt32, _ value: UInt8) -> Bool {
    switch address {
    case 0: gsLow.y = value
    case 1: gsLow.x = value
    case 2: gsHigh.y = value
    case 3: gsHigh.x = value
    default: return false
    }
    return true
  }

  @_noLocks
  private mutating func setGSSwitch(_ block: UInt8, _ value: UInt8) -> UInt16 {
    let bit: UInt16 = 1 &<< UInt16(PartMessage.channel(ofGSPart: block))
    gsParts = value == 0 ? gsParts & ~bit : gsParts | bit
    return bit
  }

  /// - Parameter address: the lowest byte.
  @_noLocks
  mutating func setPart(_ channel: Int, _ address: UInt32, _ value: UInt8) -> UInt16 {
    switch address {
    case 0x72: bass[channel].x = value
    case 0x73: treble[channel].x = value
    case 0x76: bass[channel].y = value
    case 0x77: treble[channel].y = value
    default: return 0
    }
    return 1 &<< UInt16(truncatingIfNeeded: channel)
  }

  /// The address of an XG part, 08 nn xx, that an assignable parameter is the same as. Source: XG Specifications 2.0.
  @_noLocks
  static func partAddress(ofAssignable parameter: UInt16) -> UInt32? {
    switch parameter {
    case 0x01 << 7 | 0x30: 0x72
    case 0x01 << 7 | 0x31: 0x73
    case 0x01 << 7 | 0x34: 0x76
    case 0x01 << 7 | 0x35: 0x77
    default: nil
    }
  }

  /// 00 is a type; then gain, frequency, Q and, of the first and the last band, shape follow for each.
  @_noLocks
  private mutating func setMulti(_ address: UInt32, _ value: UInt8) -> Bool {
    guard address > 0 else {
      setMulti(type: value)
      return true
    }
    let band = Int(address &- 1) / 4
    guard band < 5 else { return false }
    switch (address &- 1) & 3 {
    case 0: multi[band].x = value
    case 1: multi[band].y = value
    case 2: multi[band].z = value
    default:
      if band == 0 { hasLowPeak = value != 0 }
      if band == 4 { hasHighPeak = value != 0 }
    }
    return true
  }

  @_noLocks
  private mutating func setMulti(type: UInt8) {
    multi = Self.multi(type: type)
    (hasLowPeak, hasHighPeak) = (false, false)
  }

  // MARK: - Initial values

  private static var bass: Band { @_noLocks get { Band(64, 0x0C, 7, 0) } }
  private static var treble: Band { @_noLocks get { Band(64, 0x36, 7, 0) } }

  /// Flat, jazz, pops, rock and concert.
  @_noLocks
  private static func multi(type: UInt8) -> InlineArray<5, Band> {
    switch type {
    case 1: [Band(58, 8, 7, 0), Band(66, 16, 3, 0), Band(68, 33, 3, 0), Band(60, 44, 5, 0), Band(58, 50, 7, 0)]
    case 2: [Band(68, 16, 7, 0), Band(60, 24, 20, 0), Band(67, 34, 7, 0), Band(60, 40, 20, 0), Band(70, 48, 7, 0)]
    case 3: [Band(71, 16, 7, 0), Band(68, 20, 7, 0), Band(60, 36, 5, 0), Band(68, 41, 10, 0), Band(66, 50, 7, 0)]
    case 4: [Band(67, 12, 7, 0), Band(68, 24, 7, 0), Band(64, 34, 5, 0), Band(66, 50, 7, 0), Band(61, 52, 7, 0)]
    default: [Band(64, 12, 7, 0), Band(64, 28, 7, 0), Band(64, 34, 7, 0), Band(64, 46, 7, 0), Band(64, 52, 7, 0)]
    }
  }

  // MARK: - Filters

  /// What a band of a channel is to be.
  @_noLocks
  func coefficients(_ band: Int, _ channel: Int) -> ParametricCoefficients {
    let isOn = gsParts & (1 &<< UInt16(truncatingIfNeeded: channel)) != 0
    switch band {
    case 0: return shelf(.lowShelf, isOn ? decibels(gsLow.x) : 0, gsLow.y == 0 ? 200 : 400)
    case 1: return shelf(.highShelf, isOn ? decibels(gsHigh.x) : 0, gsHigh.y == 0 ? 3000 : 6000)
    case 2: return shelf(.lowShelf, partDecibels(bass[channel].x), Self.frequency(bass[channel].y))
    case 3: return shelf(.highShelf, partDecibels(treble[channel].x), Self.frequency(treble[channel].y))
    default: break
    }
    let number = band &- Self.firstMultiBand
    let (setting, frequency) = (multi[number], Self.frequency(multi[number].y))
    if number == 0, !hasLowPeak { return shelf(.lowShelf, decibels(setting.x), frequency) }
    if number == 4, !hasHighPeak { return shelf(.highShelf, decibels(setting.x), frequency) }
    let quality = Float(min(max(setting.z, 1), 120)) / 10
    return ParametricCoefficients(
      .peak, frequency: frequency / sampleRate, quality: quality, amplitude: amplitude(decibels(setting.x)))
  }

  /// At its frequency it has half of the decibels.
  @_noLocks
  private func shelf(_ shape: ParametricShape, _ decibels: Float, _ frequency: Float) -> ParametricCoefficients {
    ParametricCoefficients(
      shape, frequency: frequency / sampleRate, quality: 0.707_106_8, amplitude: amplitude(decibels))
  }

  /// −12 to 12, for 34h to 4Ch.
  @_noLocks
  private func decibels(_ value: UInt8) -> Float { Float(min(max(Int32(value) &- 64, -12), 12)) }

  /// −12 to 12, for 0 to 127.
  @_noLocks
  private func partDecibels(_ value: UInt8) -> Float {
    let offset = Float(Int32(value) &- 64)
    return offset * (offset < 0 ? 12 / 64 : 12 / 63)
  }

  @_noLocks
  private func amplitude(_ decibels: Float) -> Float { decibels == 0 ? 1 : exponential2(decibels / 6.020_6) }

  /// In hertz: 20 steps a decade from 20 Hz on. XG rounds these to two or three digits.
  @_noLocks
  static func frequency(_ value: UInt8) -> Float { 20 * exponential2(Float(min(value, 60)) * 0.166_096_4) }
}
