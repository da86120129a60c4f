import Glibc
import SynthMIDI
import TestSupport
import Testing

/// A soundfont and messages that two engines play: one generator, modulator or property of channels is swept.
struct NullCase: Sendable, CustomTestStringConvertible {
  let name: String
  var font: SoundFontBytes
  var score: NullScore
  /// Why the native engine may differ here from FluidSynth 2.3, and from the newest; nil where it may not.
  var exception: String? { NullExceptions.fluidSynth23[name] }
  var newestException: String? { NullExceptions.newest[name] }

  /// The exceptions for the table: from 2.3, then from the newest.
  var reasons: [String] {
    let older = exception.map { "2.3: " + $0 }
    let newest = newestException.map { "2.6: " + $0 }
    return older == nil && newest == nil ? [] : [[older, newest].compactMap(\.self).joined(separator: "; ")]
  }

  var testDescription: String { name }

  /// The cases whose notes are not all in the middle of the stereo image.
  private static let placed: Set<String> = [
    "generator pan", "default controller 8 to balance", "default controller 10 to pan", "controller to pan",
    "modulator in global zones, replaced in local ones", "modulator from the velocity", "sample in stereo",
    "zone keyRange at both levels", "zone velRange at both levels", "zone global at both levels",
    "channel sixteen channels",
  ]

  /// What is not compared: the first 64 frames of notes where FluidSynth begins them at the place of the voice before.
  var unlike: [Int] {
    Self.placed.contains(name) ? score.events.filter { $0.message.kind == .noteOn }.map(\.frame) : []
  }

  init(_ name: String, _ font: SoundFontBytes, _ write: (inout NullScore) -> Void) {
    self.name = name
    self.font = font
    score = NullScore()
    write(&score)
  }
}

/// Messages on the grid of 64 frames, on which FluidSynth plays them.
struct NullScore: Sendable {
  private(set) var events: [(frame: Int, message: MIDIMessage)] = []
  private(set) var frameCount = 0

  mutating func send(_ messages: MIDIMessage...) { events += messages.map { (frameCount, $0) } }

  mutating func control(_ controller: UInt8, _ value: UInt8) {
    send(.controlChange(channel: 0, Controller(rawValue: controller), value7: value))
  }

  mutating func begin(_ key: UInt8 = 60, velocity: UInt8 = 100) {
    send(.noteOn(channel: 0, note: key, velocity7: velocity))
  }

  mutating func end(_ key: UInt8 = 60) { send(.noteOff(channel: 0, note: key)) }

  /// A quantum is 64 frames, 1.33 ms.
  mutating func wait(_ quanta: Int) { frameCount += 64 * quanta }

  /// A note, and the time until it has died away.
  mutating func play(_ key: UInt8 = 60, velocity: UInt8 = 100, for quanta: Int = 300, rest: Int = 110) {
    begin(key, velocity: velocity)
    wait(quanta)
    end(key)
    wait(rest)
  }

  /// A note that is held while something changes.
  mutating func hold(_ key: UInt8 = 60, velocity: UInt8 = 100, _ write: (inout NullScore) -> Void) {
    begin(key, velocity: velocity)
    wait(40)
    write(&self)
    end(key)
    wait(110)
  }
}

extension SoundFontBytes.Sample {
  /// A sawtooth of 20 partials, 480 Hz as recorded at 48 kHz. Played at its root, each frame lies between two words.
  static let saw: SoundFontBytes.Sample = {
    let words = (0..<8000).map { index in
      let phase = 2 * Double.pi * Double(index % 100) / 100
      let sum = (1...20).reduce(0.0) { $0 + sin(Double($1) * phase) / Double($1) }
      return Int16((17_000 * sum).rounded())
    }
    var saw = SoundFontBytes.Sample(words)
    saw.loop = 1000..<7000
    saw.rate = 44_100
    return saw
  }()
}

extension SoundFontBytes {
  /// Generators of every zone that is swept, unless it has its own: looped, and released within an eighth of a second.
  static let common: [(Generator, Int)] = [(.releaseVolEnv, -3600), (.sampleModes, 1)]

  /// A font with a program for each value of a generator, and for each value at preset level, where it is added to
  /// the first one.
  static func sweeping(
    _ generator: Generator, _ values: [Int], preset presetValues: [Int], _ others: [(Generator, Int)], _ sample: Sample
  ) -> SoundFontBytes {
    var font = SoundFontBytes(samples: [sample])
    for value in values {
      let zone = Zone.of(others + [(generator, value)], playing: 0)
      font.instruments.append([zone])
      font.presets.append(Preset([Zone(playing: font.instruments.count - 1)], program: font.presets.count))
    }
    for value in presetValues {
      font.presets.append(Preset([.init([generator: value], playing: 0)], program: font.presets.count))
    }
    return font
  }
}

extension SoundFontBytes.Zone {
  /// The common generators, as far as others do not replace them.
  static func of(
    _ generators: [(SoundFontBytes.Generator, Int)], modulators: [SoundFontBytes.Modulator] = [],
    playing target: Int = 0
  ) -> SoundFontBytes.Zone {
    var zone = SoundFontBytes.Zone(modulators: modulators, playing: target)
    let numbers = Set(generators.map(\.0))
    for (number, amount) in SoundFontBytes.common.filter({ !numbers.contains($0.0) }) + generators {
      zone.generators.append((number, UInt16(truncatingIfNeeded: amount)))
    }
    return zone
  }
}

extension NullCase {
  static let all = generators + envelopes + modulators + routes + samples + zones + channels

  /// A generator at some values, at both levels.
  static func sweep(
    _ generator: SoundFontBytes.Generator, _ values: [Int], preset presetValues: [Int] = [],
    with others: [(SoundFontBytes.Generator, Int)] = [], keys: [UInt8] = [60], velocities: [UInt8] = [100],
    of sample: SoundFontBytes.Sample = .saw, for quanta: Int = 300, rest: Int = 110
  ) -> NullCase {
    let font = SoundFontBytes.sweeping(generator, values, preset: presetValues, others, sample)
    return NullCase("generator \(generator)", font) { score in
      for preset in font.presets {
        score.send(.programChange(channel: 0, program: UInt8(preset.program)))
        for key in keys {
          for velocity in velocities { score.play(key, velocity: velocity, for: quanta, rest: rest) }
        }
      }
    }
  }
}
