/// A modulator: two sources, the product of which moves a generator. Source: "SoundFont Technical Specification 2.04",
/// sections 8.2 to 8.4 and 9.5.
public struct ZoneModulator: BitwiseCopyable, Sendable, Hashable {
  /// What moves the generator, scaled by `amount`. `.none` counts as 1.
  public var source: ModulatorSource
  /// `.none` counts as 1.
  public var amountSource: ModulatorSource
  /// The number of the generator that is moved; below `Generator.count`, and meaningless where there is a link.
  public var destination: UInt8
  /// The place, later in the zone's list, of the modulator that has this one's output as its source; −1 for none.
  public var link: Int8 = -1
  /// In the generator's unit, for sources at 1.
  public var amount: Float
  /// Whether the absolute value of the product counts (transform 2).
  public var isAbsolute = false

  public init(
    source: ModulatorSource, amountSource: ModulatorSource = .none, destination: Generator, amount: Float
  ) {
    (self.source, self.amountSource, self.amount) = (source, amountSource, amount)
    self.destination = destination.rawValue
  }

  /// Whether it leads to another modulator, or another leads to it.
  var isLinked: Bool { link >= 0 || source.isLink }

  /// Whether two are the same but for their amounts and transforms (section 9.5.1).
  func isIdentical(to other: ZoneModulator) -> Bool {
    source == other.source && amountSource == other.amountSource && destination == other.destination
  }
}

/// What a modulator follows, and on which curve, as section 8.2 packs it into 16 bits.
public struct ModulatorSource: RawRepresentable, BitwiseCopyable, Sendable, Hashable {
  public var rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// How the output follows the source, section 9.5.3.
  public enum Curve: UInt8, BitwiseCopyable, Sendable {
    /// A straight line, a curve that rises late, one that rises early, a jump in the middle.
    case linear, concave, convex, `switch`
  }

  public init(
    _ index: UInt8, isController: Bool = false, curve: Curve = .linear, isBipolar: Bool = false,
    isNegative: Bool = false
  ) {
    rawValue =
      UInt16(index & 127) | (isController ? 0x80 : 0) | (isNegative ? 0x100 : 0) | (isBipolar ? 0x200 : 0)
      | UInt16(curve.rawValue) << 10
  }

  var isLink: Bool { !isController && index == Self.linkIndex }

  /// The number of a controller (bit 7 set), or of one of the constants below.
  @inlinable public var index: UInt8 { UInt8(truncatingIfNeeded: rawValue & 127) }
  /// Whether `index` is the number of a controller.
  @inlinable public var isController: Bool { rawValue & 0x80 != 0 }
  /// From 1 down to 0 instead of up.
  @inlinable public var isNegative: Bool { rawValue & 0x100 != 0 }
  /// From −1 to 1 instead of from 0.
  @inlinable public var isBipolar: Bool { rawValue & 0x200 != 0 }
  /// How the output follows the source.
  @inlinable public var curve: Curve { Curve(rawValue: UInt8(truncatingIfNeeded: rawValue >> 10) & 3) ?? .linear }

  /// No controller: its value is 1 (section 8.2.1).
  public static let none = ModulatorSource(0)
  /// The velocity of the note.
  public static let velocityIndex: UInt8 = 2
  /// The key of the note.
  public static let keyIndex: UInt8 = 3
  /// The pressure of the note's key.
  public static let keyPressureIndex: UInt8 = 10
  /// The channel's pressure.
  public static let channelPressureIndex: UInt8 = 13
  /// The channel's pitch bend.
  public static let pitchBendIndex: UInt8 = 14
  /// The range of the pitch bend, RPN 0.
  public static let pitchBendRangeIndex: UInt8 = 16
  /// The output of the modulators that are linked to this one.
  public static let linkIndex: UInt8 = 127
}
