/// A waveform in tables of ever more harmonics, eight tables to the octave: what an oscillator reads.
///
/// A table has every harmonic that stays below half the sample rate at the highest pitch it serves. Up to 15 harmonics
/// each number of them has a table, so at high pitches, or at low rates, none is missing. With more, all those below
/// 0.444 of the rate are there: 21.3 kHz at 48 kHz; what lies above is there or not, depending on the pitch. Tables
/// depend on the ratio of pitch to sample rate alone, and so serve every rate. The last has 3840 harmonics and serves
/// all pitches down to 0 Hz.
///
/// Made on first use, off the audio thread, and kept for as long as the process lives: 2 MB for each waveform but the
/// sine (4 KB).
public struct WaveTables: @unchecked Sendable {
  /// From the highest pitch down.
  @usableFromInline let levels: UnsafeMutablePointer<WaveTable>

  /// One for each number below 16, and eight for each of the eight octaves from 16 to 4095.
  static let levelCount = 15 + 8 * 8

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
    // How many harmonics stay at or below half the rate.
    let count = (1 &<< 63) / increment
    guard count >= 16 else { return max(0, Int(count) &- 1) }
    // The octave of the number, and the three bits below its first.
    let octave = 63 &- count.leadingZeroBitCount
    let step = Int(truncatingIfNeeded: count &>> UInt64(truncatingIfNeeded: octave &- 3)) & 7
    return min(15 &+ 8 &* (octave &- 4) &+ step, Self.levelCount &- 1)
  }

  /// [audio thread]
  @_noLocks
  @inlinable public subscript(level: Int) -> WaveTable { levels[level] }

  /// As many as stay at or below half the rate at the highest pitch of the level.
  private static func harmonicCount(atLevel level: Int) -> Int {
    level < 15 ? level + 1 : (8 + (level - 15) % 8) << (1 + (level - 15) / 8)
  }
}
