import SynthDSP
import SynthText

/// Loudness relative to full scale, in LUFS (EBU R 128), which ITU-R BS.1770 calls LKFS. Silence is −∞ LUFS.
public struct LUFS: Sendable, Hashable, Comparable {
  /// The bare figure, in LUFS.
  public var value: Double

  /// A value of so many LUFS.
  public init(_ value: Double) { self.value = value }

  public static func < (a: LUFS, b: LUFS) -> Bool { a.value < b.value }

  /// How much louder `a` is than `b`.
  public static func - (a: LUFS, b: LUFS) -> LU { LU(a.value - b.value) }
}

/// A difference of two loudnesses, in loudness units: a gain of 1 dB makes one.
public struct LU: Sendable, Hashable, Comparable {
  /// The bare figure, in loudness units.
  public var value: Double

  /// A value of so many loudness units.
  public init(_ value: Double) { self.value = value }

  public static func < (a: LU, b: LU) -> Bool { a.value < b.value }
}

/// A true peak relative to full scale, in dBTP: the highest value of the waveform, also between two samples.
public struct DBTP: Sendable, Hashable, Comparable {
  /// The bare figure, in dBTP.
  public var value: Double

  /// A value of so many dBTP.
  public init(_ value: Double) { self.value = value }

  /// Of an absolute value; 1 is full scale.
  public init(amplitude: Double) { value = Decibels(amplitude: amplitude).value }

  public static func < (a: DBTP, b: DBTP) -> Bool { a.value < b.value }

  /// The gain from `b` to `a`.
  public static func - (a: DBTP, b: DBTP) -> Decibels { Decibels(a.value - b.value) }
}

extension LUFS: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, CustomStringConvertible {
  public init(floatLiteral value: Double) { self.init(value) }

  public init(integerLiteral value: Int) { self.init(Double(value)) }

  /// "−23.0 LUFS".
  public var description: String { "\(NumberFormatting.text(value, decimals: 1, keepingZeros: true)) LUFS" }
}

extension LU: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, CustomStringConvertible {
  public init(floatLiteral value: Double) { self.init(value) }

  public init(integerLiteral value: Int) { self.init(Double(value)) }

  /// "6.5 LU".
  public var description: String { "\(NumberFormatting.text(value, decimals: 1, keepingZeros: true)) LU" }
}

extension DBTP: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, CustomStringConvertible {
  public init(floatLiteral value: Double) { self.init(value) }

  public init(integerLiteral value: Int) { self.init(Double(value)) }

  /// "−1.0 dBTP".
  public var description: String { "\(NumberFormatting.text(value, decimals: 1, keepingZeros: true)) dBTP" }
}
