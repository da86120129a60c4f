import TestSupport

// Ranges, global zones, layers, exclusive classes, and which preset plays.

extension NullCase {
  private typealias Zone = SoundFontBytes.Zone

  static let zones = [
    NullCase("zone keyRange at both levels", ranges(keys: true)) { score in
      for key in [20, 47, 48, 60, 61, 100] as [UInt8] { score.play(key, for: 60) }
    },
    NullCase("zone velRange at both levels", ranges(keys: false)) { score in
      for velocity in [20, 47, 48, 60, 61, 100] as [UInt8] { score.play(velocity: velocity, for: 60) }
    },
    NullCase(
      "zone global at both levels",
      SoundFontBytes(
        .saw,
        [
          .global([.pan: -300, .fineTune: 40, .releaseVolEnv: -3600]), .of([(.pan, 200)]), .of([(.coarseTune, 7)]),
        ],
        preset: [
          .global([.initialAttenuation: 60, .fineTune: -20]), .init([.fineTune: 10], playing: 0),
          .init([.coarseTune: 12], playing: 0),
        ])
    ) { $0.play() },
    NullCase("zone without a sample after the first is no zone", withoutSamples) { $0.play() },
    NullCase("zone layers of five", SoundFontBytes(.saw, (0..<5).map { .of([(.coarseTune, 5 * $0)]) })) { score in
      for key in [40, 45, 52] as [UInt8] { score.begin(key) }
      score.wait(200)
      for key in [40, 45, 52] as [UInt8] { score.end(key) }
      score.wait(110)
    },
    NullCase("zone exclusiveClass", exclusive) { score in
      for key in [60, 62, 61, 64, 60, 60] as [UInt8] {
        score.begin(key)
        score.wait(50)
      }
      for key in [60, 61, 62, 64] as [UInt8] { score.end(key) }
      score.wait(300)
    },
    NullCase("preset of banks and drums, and what stands in", banks) { score in
      for (bank, program) in [(0, 0), (8, 0), (8, 5), (0, 5), (3, 5), (0, 99)] as [(UInt8, UInt8)] {
        score.control(0, bank)
        score.send(.programChange(channel: 0, program: program))
        score.play(for: 60)
      }
      for program in [0, 5] as [UInt8] {
        score.send(.programChange(channel: 9, program: program), .noteOn(channel: 9, note: 60, velocity7: 90))
        score.wait(60)
        score.send(.noteOff(channel: 9, note: 60))
        score.wait(110)
      }
    },
  ]

  private static func ranges(keys: Bool) -> SoundFontBytes {
    func zone(_ range: ClosedRange<Int>, _ generators: [(SoundFontBytes.Generator, Int)]) -> Zone {
      var zone = Zone.of(generators)
      let bytes = UInt16(range.lowerBound | range.upperBound << 8)
      zone.generators.insert((keys ? .keyRange : .velRange, bytes), at: 0)
      return zone
    }
    let presetZones = [(0...60, 0), (48...127, 12)].map { range, tune in
      keys
        ? Zone(keys: range, [.coarseTune: tune], playing: 0)
        : Zone(velocities: range, [.coarseTune: tune], playing: 0)
    }
    return SoundFontBytes(
      .saw, [zone(0...47, [(.pan, -400)]), zone(40...61, []), zone(61...127, [(.pan, 400)])], preset: presetZones)
  }

  private static let withoutSamples: SoundFontBytes = {
    var idle = Zone.of([(.coarseTune, 5)])
    idle.target = nil
    return SoundFontBytes(.saw, [.of([]), idle, .of([(.coarseTune, 12)])])
  }()

  /// Keys 60 to 63 end one another, 64 does not.
  private static let exclusive: SoundFontBytes = {
    var closed = Zone.of([(.exclusiveClass, 3), (.releaseVolEnv, -1200)])
    closed.generators.insert((.keyRange, 60 | 63 << 8), at: 0)
    var open = Zone.of([(.releaseVolEnv, -1200)])
    open.generators.insert((.keyRange, 64 | 64 << 8), at: 0)
    return SoundFontBytes(.saw, [closed, open])
  }()

  private static let banks: SoundFontBytes = {
    var font = SoundFontBytes(samples: [.saw])
    for (bank, program) in [(0, 0), (0, 5), (8, 5), (128, 0)] {
      font.instruments.append([.of([(.coarseTune, 3 * font.instruments.count)])])
      font.presets.append(.init([.init(playing: font.instruments.count - 1)], bank: bank, program: program))
    }
    return font
  }()
}
