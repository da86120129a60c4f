import TestSupport

// The default modulators of 8.4, and modulators that fonts bring.

extension NullCase {
  typealias Modulator = SoundFontBytes.Modulator
  typealias Source = SoundFontBytes.Source

  static let modulators = defaults + replaced + curves + sources

  private static let vibrato: [(SoundFontBytes.Generator, Int)] = [(.freqVibLFO, -851)]

  private static let defaults = [
    velocities("velocity to attenuation", []),
    velocities("velocity to filter cutoff", [(.initialFilterFc, 7500)]),
    controlled("channel pressure to vibrato", vibrato) { $0.send(.channelPressure(channel: 0, value7: $1)) },
    controlled("controller 1 to vibrato", vibrato) { $0.control(1, $1) },
    controlled("controller 7 to attenuation") { $0.control(7, $1) },
    controlled("controller 8 to balance") { $0.control(8, $1) },
    controlled("controller 10 to pan") { $0.control(10, $1) },
    controlled("controller 11 to attenuation") { $0.control(11, $1) },
    controlled("controller 91 to reverb") { $0.control(91, $1) },
    controlled("controller 93 to chorus") { $0.control(93, $1) },
    controlled("pitch wheel to pitch") { $0.send(.pitchBend(channel: 0, bend14: UInt16($1) << 7 | 5)) },
    NullCase("default pitch wheel sensitivity to pitch", plain) { score in
      score.send(.pitchBend(channel: 0, bend14: 12_000))
      score.hold { score in
        for range in [0, 1, 7, 24] as [UInt8] {
          for (controller, value) in [(101, 0), (100, 0), (6, range)] as [(UInt8, UInt8)] {
            score.control(controller, value)
          }
          score.wait(40)
        }
      }
    },
  ]

  private static let concave7 = Source.controller(7).curve(.concave, falling: true)

  private static let replaced = [
    modulated("volume controller without effect", [Modulator(concave7, to: .initialAttenuation, amount: 0)], 7),
    modulated("volume controller with half its effect", [Modulator(concave7, to: .initialAttenuation, amount: 480)], 7),
    NullCase(
      "modulator volume controller with more effect by the preset",
      SoundFontBytes(
        .saw, [.of([])],
        preset: [.init(modulators: [Modulator(concave7, to: .initialAttenuation, amount: 300)], playing: 0)])
    ) { $0.sweep(7) },
    NullCase(
      "modulator in global zones, replaced in local ones",
      SoundFontBytes(
        .saw,
        [
          .global(modulators: [
            Modulator(.controller(20), to: .fineTune, amount: 90), Modulator(.controller(21), to: .pan, amount: 500),
          ]),
          .of([], modulators: [Modulator(.controller(20), to: .fineTune, amount: -40)]),
        ],
        preset: [
          .global(modulators: [Modulator(.controller(20), to: .fineTune, amount: 15)]), .init(playing: 0),
        ])
    ) { score in
      score.sweep(20)
      score.sweep(21)
    },
    velocities(
      "velocity without effect", [],
      [Modulator(Source.velocity.curve(.concave, falling: true), to: .initialAttenuation, amount: 0)]),
    modulated("sum of attenuations below 0", [Modulator(.controller(20), to: .initialAttenuation, amount: -400)], 20),
  ]

  /// A controller with each curve, direction and polarity.
  private static let curves = Source.Curve.allCases.flatMap { curve in
    [(false, false), (true, false), (false, true), (true, true)].map { falling, bipolar in
      let source = Source.controller(20).curve(curve, falling: falling, bipolar: bipolar)
      return modulated(
        "\(curve), \(falling ? "falling" : "rising"), \(bipolar ? "bipolar" : "unipolar")",
        [Modulator(source, to: .fineTune, amount: 90), Modulator(source, to: .initialAttenuation, amount: 200)], 20)
    }
  }

  private static let sources = [
    played("from the key", Modulator(.key, to: .initialFilterFc, amount: 5000)),
    played("from the velocity", Modulator(.velocity, to: .pan, amount: 500)),
    played("from no controller", Modulator(.none, to: .fineTune, amount: 50)),
    NullCase(
      "modulator from key pressure",
      font([Modulator(.keyPressure, to: .fineTune, amount: 99)])
    ) { score in
      score.hold { score in
        for value in [20, 90, 127] as [UInt8] {
          score.send(.polyPressure(channel: 0, note: 60, value7: value))
          score.wait(40)
        }
      }
    },
    NullCase(
      "modulator from channel pressure",
      font([Modulator(.channelPressure, to: .initialFilterFc, amount: 4000)], [(.initialFilterFc, 6000)])
    ) { score in
      score.hold { score in
        for value in [20, 90, 127] as [UInt8] {
          score.send(.channelPressure(channel: 0, value7: value))
          score.wait(40)
        }
      }
    },
    NullCase(
      "modulator from the pitch wheel",
      font([Modulator(Source.pitchWheel.curve(.linear, bipolar: true), to: .pan, amount: 500)])
    ) { score in
      score.hold { score in
        for value in [0, 4000, 8192, 16_383] as [UInt16] {
          score.send(.pitchBend(channel: 0, bend14: value))
          score.wait(40)
        }
      }
    },
    modulated(
      "with an amount by velocity", [Modulator(.controller(20), to: .fineTune, amount: 90, by: .velocity)], 20),
    modulated(
      "with an amount by a falling controller",
      [
        Modulator(
          .controller(20), to: .initialFilterFc, amount: -5000, by: Source.controller(21).curve(.concave, falling: true)
        )
      ], 20),
    modulated(
      "with the absolute value",
      [
        Modulator(
          Source.controller(20).curve(.linear, bipolar: true), to: .fineTune, amount: 90, transform: 2)
      ], 20),
    modulated(
      "linked to another",
      [
        Modulator(.controller(20), to: .pan, amount: 64).linked(to: 1), Modulator(.link, to: .fineTune, amount: 90),
      ], 20),
    modulated(
      "from controllers that are not to be sources", [Modulator(.controller(6), to: .fineTune, amount: 90)], 6),
    modulated(
      "twice the same",
      [Modulator(.controller(20), to: .fineTune, amount: 90), Modulator(.controller(20), to: .fineTune, amount: 30)],
      20),
  ]

  // MARK: - What they are played with

  static let plain = SoundFontBytes(.saw, [.of([])])

  static func font(
    _ modulators: [Modulator], _ generators: [(SoundFontBytes.Generator, Int)] = []
  ) -> SoundFontBytes {
    SoundFontBytes(.saw, [.of(generators, modulators: modulators)])
  }

  static func modulated(
    _ name: String, _ modulators: [Modulator], _ controller: UInt8
  ) -> NullCase {
    NullCase("modulator \(name)", font(modulators)) { $0.sweep(controller) }
  }

  private static func controlled(
    _ name: String, _ generators: [(SoundFontBytes.Generator, Int)] = [],
    _ change: (inout NullScore, UInt8) -> Void
  ) -> NullCase {
    NullCase("default \(name)", SoundFontBytes(.saw, [.of(generators)])) { score in
      score.hold { score in
        for value in [0, 30, 64, 101, 127] as [UInt8] {
          change(&score, value)
          score.wait(60)
        }
      }
      change(&score, 80)
      score.play()
    }
  }

  private static func velocities(
    _ name: String, _ generators: [(SoundFontBytes.Generator, Int)], _ modulators: [Modulator] = []
  ) -> NullCase {
    NullCase("default \(name)", font(modulators, generators)) { score in
      for velocity in [127, 90, 64, 63, 20, 1] as [UInt8] { score.play(velocity: velocity, for: 150) }
    }
  }

  private static func played(_ name: String, _ modulator: Modulator) -> NullCase {
    NullCase("modulator \(name)", font([modulator], [(.initialFilterFc, 6000)])) { score in
      for key in [36, 60, 84] as [UInt8] {
        for velocity in [20, 100] as [UInt8] { score.play(key, velocity: velocity, for: 100) }
      }
    }
  }
}

extension NullScore {
  /// A controller's values during a note, and before one.
  fileprivate mutating func sweep(_ controller: UInt8) {
    hold { score in
      for value in [0, 30, 64, 101, 127] as [UInt8] {
        score.control(controller, value)
        score.wait(60)
      }
    }
    control(controller, 80)
    play(for: 100)
  }
}
