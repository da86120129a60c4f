import CSynthEBUR128
import Glibc

/// Measures integrated loudness, loudness range and true peak by EBU R 128, with libebur128.
///
/// A programme is added in blocks of any size. Channels are weighted by their places (ITU-R BS.1770-4, table 3), in the
/// order of WAVE files: one, two or three channels, 4.0, 5.0, 5.1 and 7.1, of which the low-frequency channel is left
/// out. With any other number all count alike. A single channel counts once, so it is 3 LU below the same in stereo.
///
/// Memory: 8 bytes for each 100 ms and for each second. Used by one thread at a time. [control thread]
public final class LoudnessMeter {
  /// How many channels what is added has.
  public let channelCount: Int
  private var state: UnsafeMutablePointer<ebur128_state>?
  private var interleaved: [Float]

  /// Frames interleaved at a time.
  private static let chunk = 4096

  /// Nil where libebur128 does not measure: beyond 64 channels, and at less than 8 kHz or more than 2.8 MHz.
  /// (ebur128_init)
  public init?(channelCount: Int, sampleRate: Int) {
    guard (1...64).contains(channelCount), (8000...2_822_400).contains(sampleRate) else { return nil }
    let modes = [EBUR128_MODE_I, EBUR128_MODE_LRA, EBUR128_MODE_TRUE_PEAK].reduce(0) { $0 | $1.rawValue }
    guard let state = ebur128_init(UInt32(channelCount), UInt(sampleRate), Int32(modes)) else { return nil }
    self.channelCount = channelCount
    self.state = state
    interleaved = Array(repeating: 0, count: Self.chunk * channelCount)
    for (channel, place) in Self.places(channelCount).enumerated() {
      ebur128_set_channel(state, UInt32(channel), Int32(place.rawValue))
    }
  }

  deinit { ebur128_destroy(&state) }

  /// Adds `frameCount` frames of as many planar channels as the meter has. (ebur128_add_frames_float)
  public func add(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
    var done = 0
    while done < frameCount {
      let count = min(Self.chunk, frameCount - done)
      for channel in 0..<channelCount {
        let source = channels[channel] + done
        for frame in 0..<count { interleaved[frame * channelCount + channel] = source[frame] }
      }
      ebur128_add_frames_float(state, interleaved, count)
      done += count
    }
  }

  /// Adds the samples of as many channels as the meter has, all of one length.
  public func add(_ channels: [[Float]]) {
    precondition(channels.count == channelCount, "measuring \(channels.count) channels: give \(channelCount)")
    for start in stride(from: 0, to: channels[0].count, by: Self.chunk) {
      let count = min(Self.chunk, channels[0].count - start)
      for channel in 0..<channelCount {
        for frame in 0..<count { interleaved[frame * channelCount + channel] = channels[channel][start + frame] }
      }
      ebur128_add_frames_float(state, interleaved, count)
    }
  }

  /// Of all that was added. (ebur128_loudness_global, ebur128_loudness_range, ebur128_true_peak)
  public var loudness: Loudness {
    var (integrated, range) = (-Double.infinity, 0.0)
    ebur128_loudness_global(state, &integrated)
    ebur128_loudness_range(state, &range)
    let peak = (0..<channelCount).reduce(0.0) { highest, channel in
      var peak = 0.0
      ebur128_true_peak(state, UInt32(channel), &peak)
      return max(highest, peak)
    }
    return Loudness(integrated: LUFS(integrated), range: LU(range), truePeak: DBTP(amplitude: peak))
  }

  /// Surrounds of up to 120° count for 1.5 dB more, those behind do not.
  private static func places(_ channelCount: Int) -> [channel] {
    let front = [EBUR128_LEFT, EBUR128_RIGHT]
    let surrounds = [EBUR128_LEFT_SURROUND, EBUR128_RIGHT_SURROUND]
    return switch channelCount {
    case 4: front + surrounds
    case 5: front + [EBUR128_CENTER] + surrounds
    case 6: front + [EBUR128_CENTER, EBUR128_UNUSED] + surrounds
    case 8:
      front + [EBUR128_CENTER, EBUR128_UNUSED, EBUR128_Mp135, EBUR128_Mm135, EBUR128_Mp090, EBUR128_Mm090]
    default: Array(repeating: EBUR128_CENTER, count: channelCount)
    }
  }
}
