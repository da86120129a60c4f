import TestSupport

// Where samples begin, loop and end, their rates, and how far they are transposed.

extension NullCase {
  typealias Sample = SoundFontBytes.Sample

  /// More than 32768 words, which the coarse offsets count in.
  private static let long = Sample.noise(count: 80_000)
  private static let once: [(SoundFontBytes.Generator, Int)] = [(.sampleModes, 0)]

  static let samples = [
    sweep(.startAddrsOffset, [0, 700, 7900], preset: [500], with: once),
    sweep(.endAddrsOffset, [0, -500, -7900], preset: [-500], with: once),
    sweep(.startloopAddrsOffset, [0, 250, -100, 5990], preset: [100]),
    sweep(.endloopAddrsOffset, [0, -250, -77, -5990], preset: [-100]),
    sweep(.startAddrsCoarseOffset, [0, 1, 2], with: once, of: long),
    sweep(.endAddrsCoarseOffset, [0, -1, -2], with: once, of: long, for: 900),
    sweep(.startloopAddrsCoarseOffset, [0, 1], of: long, for: 900),
    sweep(.endloopAddrsCoarseOffset, [0, -1], of: long, for: 900),
    sweep(.sampleModes, [0, 1, 3], preset: [1], rest: 300),
    NullCase("sample mode 2, which loops nothing", SoundFontBytes(.saw, [.of([(.sampleModes, 2)])])) { $0.play() },
    rates,
    corrections,
    keyless,
    loops("of one period", 2000..<2100),
    loops("of three words", 2000..<2003),
    loops("of one word, which is none", 2000..<2001),
    loops("from the first word to the last", 0..<8000),
    transposed("of a loop", [.of([])]),
    transposed("to the end", [.of(once)]),
    transposed("of noise through the filter", [.of([(.initialFilterFc, 9000)])], .noise()),
    lowBytes,
    unpadded,
    stereo,
  ]

  private static let rates: NullCase = {
    var font = SoundFontBytes()
    for rate in [8000, 22_050, 48_000, 96_000] {
      var sample = Sample.saw
      sample.rate = rate
      font.samples.append(sample)
      font.instruments.append([.of([], playing: font.samples.count - 1)])
      font.presets.append(.init([.init(playing: font.instruments.count - 1)], program: font.presets.count))
    }
    return NullCase("sample rates", font) { $0.playPrograms(4) }
  }()

  private static let corrections: NullCase = {
    var font = SoundFontBytes()
    for (key, correction) in [(60, 0), (60, 50), (55, -99), (127, 20)] {
      var sample = Sample.saw
      sample.key = key
      sample.correction = correction
      font.samples.append(sample)
      font.instruments.append([.of([], playing: font.samples.count - 1)])
      font.presets.append(.init([.init(playing: font.instruments.count - 1)], program: font.presets.count))
    }
    return NullCase("sample keys and corrections", font) { $0.playPrograms(4) }
  }()

  private static let keyless: NullCase = {
    var sample = Sample.saw
    sample.key = 255
    return NullCase("sample of no key", SoundFontBytes(sample, [.of([])])) { $0.play() }
  }()

  private static func loops(_ name: String, _ loop: Range<Int>) -> NullCase {
    var sample = Sample.saw
    sample.loop = loop
    return NullCase("loop \(name)", SoundFontBytes(sample, [.of([])])) { score in
      for key in [48, 60, 79] as [UInt8] { score.play(key) }
    }
  }

  private static func transposed(
    _ name: String, _ zones: [SoundFontBytes.Zone], _ sample: Sample = .saw
  ) -> NullCase {
    NullCase("transposition \(name)", SoundFontBytes(sample, zones)) { score in
      for key in [24, 41, 60, 66, 83, 108, 120] as [UInt8] { score.play(key, for: 100) }
    }
  }

  private static let lowBytes: NullCase = {
    var sample = Sample.saw
    sample.words = sample.words.map { $0 / 64 }
    sample.lowBytes = sample.words.indices.map { UInt8(truncatingIfNeeded: $0 * 37) }
    return NullCase("sample of 24 bits", SoundFontBytes(sample, [.of([])])) { $0.play() }
  }()

  private static let unpadded: NullCase = {
    var sample = Sample.saw
    sample.padding = 0
    return NullCase("sample without words behind it", SoundFontBytes(sample, [.of(once)])) { $0.play() }
  }()

  private static let stereo: NullCase = {
    var (left, right) = (Sample.saw, Sample.noise(count: 8000, amplitude: 0.3))
    (left.kind, right.kind) = (.left, .right)
    (left.link, right.link) = (1, 0)
    right.loop = 1000..<7000
    var font = SoundFontBytes(samples: [left, right])
    font.instruments = [[.of([(.pan, -500)], playing: 0), .of([(.pan, 500)], playing: 1)]]
    font.presets = [.init([.init(playing: 0)])]
    return NullCase("sample in stereo", font) { score in
      for key in [55, 64] as [UInt8] { score.play(key) }
    }
  }()
}

extension NullScore {
  fileprivate mutating func playPrograms(_ count: UInt8) {
    for program in 0..<count {
      send(.programChange(channel: 0, program: program))
      for key in [57, 60, 64] as [UInt8] { play(key, for: 100) }
    }
  }
}
