import CResamplers
import SynthDSP

/// A resampler of a whole stereo signal.
struct Contender: Sendable {
  let name: String
  /// Converts interleaved frames, with a step that deviates by a part of it: how many frames came out.
  let convert: @Sendable (_ input: [Float], _ output: inout [Float], _ step: Double, _ deviation: Double) -> Int

  /// Output frames for each call: few where the step changes with each.
  static func blockLength(_ deviation: Double) -> Int { deviation == 0 ? 1024 : 64 }

  static let ours = Contender(name: "StreamResampler") { input, output, step, deviation in
    guard var resampler = try? StreamResampler(channelCount: 2, step: step) else { return 0 }
    let (frames, room, block) = (input.count / 2, output.count / 2, blockLength(deviation))
    return input.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        guard let source = input.baseAddress, let target = output.baseAddress else { return 0 }
        var (consumed, produced, number) = (0, 0, 0)
        while produced + block <= room {
          let (went, came) = resampler.process(
            source + consumed * 2, inputCount: frames - consumed, into: target + produced * 2, outputCount: block,
            step: block_step(step, deviation, number))
          consumed += went
          produced += came
          number += 1
          if came < block { break }
        }
        return produced
      }
    }
  }

  static func samplerate(_ name: String, _ quality: Int) -> Contender {
    Contender(name: name) { input, output, step, deviation in
      convert_by_samplerate(
        Int32(quality), input, input.count / 2, &output, output.count / 2, step, deviation, blockLength(deviation))
    }
  }

  static func soxr(_ name: String, _ quality: Int) -> Contender {
    Contender(name: name) { input, output, step, deviation in
      convert_by_soxr(
        UInt(quality), input, input.count / 2, &output, output.count / 2, step, deviation, blockLength(deviation))
    }
  }

  /// The second is what others are compared with.
  static let all = [
    ours, samplerate("libsamplerate medium", SAMPLERATE_MEDIUM), samplerate("libsamplerate best", SAMPLERATE_BEST),
    soxr("libsoxr HQ", SOXR_HIGH), soxr("libsoxr VHQ", SOXR_VERY_HIGH),
  ]
}
