/// How long portamento takes by controller 5 alone, as on instruments of GS and XG. Memory is allocated in `init`.
/// [audio thread]
///
/// Three octaves take 2.7 ms at 1, 0.3 s at 16, 2 s at 64 and 8 minutes at 127, and a smaller interval its part of
/// that.
/// Source: FluidSynth 2.6, `fluid_channel_portamentotime_with_mode`, after J. Novak's measurements of such instruments.
struct GlideTimes: ~Copyable {
  /// In milliseconds, for three octaves.
  private let times: UnsafeMutablePointer<Double>

  init() {
    times = .allocate(capacity: 128)
    let conversions = ConversionTables.shared.conversions
    for value in 0..<128 {
      let bend = conversions.concave(Double(value))
      let time = 600_000 * bend * conversions.concave(128 * bend) + 400 * conversions.convex(Double(value) / 4)
      (times + value).initialize(to: min(time, 480_000).rounded(.down))
    }
  }

  deinit { times.deallocate() }

  /// In whole milliseconds.
  ///
  /// - Parameters:
  ///   - value: of controller 5, 0 to 127; between two whole ones, a time between theirs.
  ///   - interval: in semitones.
  @_noLocks
  func time(_ value: Double, interval: Int32) -> Int32 {
    let index = Int(min(max(value, 0), 127))
    let next = min(index &+ 1, 127)
    let full = times[index] + (times[next] - times[index]) * (value - Double(index))
    return Int32(full * Double(abs(interval)) / 36 + 0.5)
  }
}
