/// A waveform in tables of ever more harmonics, four tables to the octave: what an oscillator reads.
///
/// A table has every harmonic that stays below half the sample rate at the highest pitch it serves, so at its lowest
/// all those below 0.42 of the rate are there: 20.2 kHz at 48 kHz. What lies above is there or not, depending on the
/// pitch. Tables depend on the ratio of pitch to sample rate alone, and so serve every rate. The last has 3444
/// harmonics and serves all pitches down to 0 Hz.
///
/// Made on first use, off the audio thread, and kept for as long as the process lives: 1 MB for each waveform but the
/// sine (4 KB).
public struct WaveTables: @unchecked Sendable {
  /// One for each quarter of an octave, from the highest pitch down.
  @usableFromInline let levels: UnsafeMutablePointer<WaveTable>

  /// The lowest quarter octave ends at 0.5 · 2⁻¹² of the rate, 5.9 Hz at 48 kHz.
  static let levelCount = 48

  /// The tables of a waveform; nil for noise. [control thread]
  public init?(of waveform: Waveform) {
    switch waveform {
    case .sine: self = Self.sine
    case .sawtooth: self = Self.sawtooth
    case .square: self = Self.square
    case .triangle: self = Self.triangle
    case .noise: return nil
    }
  }

  private static let sine = WaveTables(making: .sine)
  private static let sawtooth = WaveTables(making: .sawtooth)
  private static let square = WaveTables(making: .square)
  private static let triangle = WaveTables(making: .triangle)

  @_noLocks
  init(levels: UnsafeMutablePointer<WaveTable>) { self.levels = levels }

  /// The tables at an `address`, for which they crossed to the audio thread as an atomic; nil for 0.
  @_noLocks
  public init?(address: UInt) {
    guard let levels = UnsafeMutablePointer<WaveTable>(bitPattern: address) else { return nil }
    self.levels = levels
  }

  /// Where the tables are, for as long as the process lives; never 0.
  public var address: UInt { UInt(bitPattern: levels) }

  private init(making waveform: Waveform) {
    levels = .allocate(capacity: Self.levelCount)
    var made: [Int: WaveTable] = [:]
    for level in 0..<Self.levelCount {
      let harmonicCount = waveform == .sine ? 1 : Self.harmonicCount(atLevel: level)
      let table = made[harmonicCount] ?? WaveTable(waveform, harmonicCount: harmonicCount)
      made[harmonicCount] = table
      (levels + level).initialize(to: table)
    }
  }

  /// Which table serves a pitch, given by what the phase advances by with each frame. [audio thread]
  @_noLocks
  public func level(forIncrement increment: UInt64) -> Int {
    guard increment > 0 else { return Self.levelCount &- 1 }
    // An octave begins just above a power of two and ends on the next.
    let octave = min((increment &- 1).leadingZeroBitCount &- 1, 63)
    guard octave >= 0 else { return 0 }
    let inOctave = (increment &- 1) &<< UInt64(octave)
    var quarter = 0
    if inOctave < 0x6BA2_7E65_6B4E_B57A { quarter = 1 }  // 2⁶³ · 2^(−1/4)
    if inOctave < 0x5A82_7999_FCEF_3242 { quarter = 2 }  // 2⁶³ · 2^(−1/2)
    if inOctave < 0x4C1B_F828_C6DC_54B7 { quarter = 3 }  // 2⁶³ · 2^(−3/4)
    return min(4 &* octave &+ quarter, Self.levelCount &- 1)
  }

  /// [audio thread]
  @_noLocks
  @inlinable public subscript(level: Int) -> WaveTable { levels[level] }

  /// As many as stay at or below half the rate at the highest pitch of the level: 2^(level / 4).
  private static func harmonicCount(atLevel level: Int) -> Int {
    let quarters = [1, 1.189_207_115_002_721, 1.414_213_562_373_095, 1.681_792_830_507_429]
    return Int(quarters[level % 4] * Double(1 << (level / 4)))
  }
}
