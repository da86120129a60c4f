import SynthMIDI
import TestSupport

// What channels are told beside the sources of modulators.

extension NullCase {
  private static let ringing = SoundFontBytes(.saw, [.of([(.releaseVolEnv, -1200)])])

  static let channels = [
    channel("sustain pedal") { score in
      score.control(64, 127)
      score.play(60, for: 60, rest: 60)
      score.play(64, for: 60, rest: 60)
      score.control(64, 0)
      score.wait(400)
    },
    channel("sostenuto pedal") { score in
      score.begin(60)
      score.wait(40)
      score.control(66, 127)
      score.begin(67)
      score.wait(40)
      score.end(60)
      score.end(67)
      score.wait(100)
      score.control(66, 0)
      score.wait(400)
    },
    channel("soft pedal") { score in
      score.control(67, 127)
      score.play()
    },
    channel("same key again and again") { score in
      for velocity in [100, 60, 120, 90] as [UInt8] {
        score.begin(60, velocity: velocity)
        score.wait(30)
      }
      for _ in 0..<3 {
        score.end(60)
        score.wait(30)
        score.begin(60)
        score.wait(10)
      }
      score.end(60)
      score.wait(400)
    },
    channel("all notes off") { score in
      score.begin(60)
      score.begin(67)
      score.wait(60)
      score.control(123, 0)
      score.wait(400)
    },
    channel("all sound off") { score in
      score.begin(60)
      score.wait(60)
      score.control(120, 0)
      score.wait(60)
      score.play()
    },
    channel("reset of all controllers") { score in
      score.control(7, 50)
      score.control(1, 100)
      score.control(11, 60)
      score.send(.pitchBend(channel: 0, bend14: 12_000), .channelPressure(channel: 0, value7: 80))
      score.hold { score in
        score.control(121, 0)
        score.wait(100)
      }
    },
    channel("coarse and fine tuning by parameters") { score in
      for (parameter, value, fine) in [(1, 80, 20), (2, 69, 0), (1, 64, 0), (2, 64, 0)] as [(UInt8, UInt8, UInt8)] {
        for (controller, value) in [(101, 0), (100, parameter), (6, value), (38, fine)] as [(UInt8, UInt8)] {
          score.control(controller, value)
        }
        score.play(for: 100)
      }
    },
    channel("generators by parameters") { score in
      score.hold { score in
        // Cutoff down, attenuation, vibrato's rate: SoundFont 2.04, 9.6.
        for (generator, value) in [(8, 6500), (48, 8300), (51, 8195), (17, 8400)] as [(UInt8, Int)] {
          score.control(99, 120)
          score.control(98, generator)
          score.control(38, UInt8(value & 0x7F))
          score.control(6, UInt8(value >> 7))
          score.wait(60)
        }
      }
      score.play()
    },
    channel("portamento") { score in
      score.control(5, 1)
      score.control(65, 127)
      score.play(60, for: 100, rest: 20)
      score.play(67, for: 200, rest: 20)
      score.control(84, 48)
      score.play(55, for: 200)
    },
    channel("legato on a mono channel") { score in
      score.control(126, 1)
      score.begin(60)
      score.wait(60)
      score.begin(64)
      score.wait(60)
      score.end(64)
      score.wait(60)
      score.end(60)
      score.wait(400)
      score.control(127, 0)
      score.play()
    },
    channel("all keys together") { score in
      for key in stride(from: 36, through: 96, by: 5) { score.begin(UInt8(key), velocity: 30) }
      score.wait(200)
      for key in stride(from: 36, through: 96, by: 5) { score.end(UInt8(key)) }
      score.wait(400)
    },
    channel("sixteen channels") { score in
      for channel in 0..<16 as Range<UInt8> {
        score.send(
          .controlChange(channel: channel, .pan, value7: channel * 8),
          .noteOn(channel: channel, note: 40 + 3 * channel, velocity7: 40))
        score.wait(10)
      }
      for channel in 0..<16 as Range<UInt8> { score.send(.noteOff(channel: channel, note: 40 + 3 * channel)) }
      score.wait(400)
    },
  ]

  private static func channel(
    _ name: String, _ write: (inout NullScore) -> Void
  ) -> NullCase {
    NullCase("channel \(name)", ringing, write)
  }
}
