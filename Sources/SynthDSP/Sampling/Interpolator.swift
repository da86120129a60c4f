@preconcurrency import Glibc

/// How a wave is read between its words.
public enum Interpolation: Sendable, CaseIterable {
  /// Four words, as FluidSynth reads them: a cubic at one of 256 places.
  case cubic
  /// A windowed sinc over so many words, more of them where the pitch is raised, up to an octave and a half.
  ///
  /// Images of what is below 0.15, 0.25 and 0.31 of the lower of both rates are below −90 dB, and so are aliases of
  /// what is above 0.91, 0.80 and 0.74 of it.
  case sinc8, sinc12, sinc16

  /// How many words a frame is made of at the wave's own pitch.
  public var pointCount: Int {
    switch self {
    case .cubic: 4
    case .sinc8: 8
    case .sinc12: 12
    case .sinc16: 16
    }
  }
}

/// Tables for an `Interpolation`, which are never freed: plain memory for the audio thread.
public struct Interpolator: BitwiseCopyable, @unchecked Sendable {
  // Unchecked because of the pointer, to memory that does not change.
  private let tables: UnsafePointer<InterpolationTable>
  private let tableCount: Int

  /// Makes the tables, once for each kind. [control thread]
  public init(_ interpolation: Interpolation) {
    switch interpolation {
    case .cubic: self = Self.cubic
    case .sinc8: self = Self.sinc8
    case .sinc12: self = Self.sinc12
    case .sinc16: self = Self.sinc16
    }
  }

  private init(_ tables: [InterpolationTable]) {
    let memory = UnsafeMutablePointer<InterpolationTable>.allocate(capacity: tables.count)
    for (index, table) in tables.enumerated() { (memory + index).initialize(to: table) }
    self.tables = UnsafePointer(memory)
    tableCount = tables.count
  }

  private static let cubic = Interpolator([InterpolationTable.cubic()])
  private static let sinc8 = Interpolator(sincTables(8))
  private static let sinc12 = Interpolator(sincTables(12))
  private static let sinc16 = Interpolator(sincTables(16))

  /// One for every two semitones up to an octave and a half.
  private static func sincTables(_ pointCount: Int) -> [InterpolationTable] {
    (0...9).map { InterpolationTable.sinc(pointCount: pointCount, ratio: exp2(Double($0) / 6)) }
  }

  /// The table for a pitch: the sinc whose cutoff is nearest to half the lower of both rates.
  @_noLocks
  func table(increment: UInt64) -> InterpolationTable {
    var index = 0
    while index < tableCount &- 1, increment > tables[index].longestIncrement { index &+= 1 }
    return tables[index]
  }
}
