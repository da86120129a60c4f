import Glibc
import TestSupport
import Testing

@testable import SynthSoundFonts

@Suite("Audio files as a font")
struct SampleFontTests {
  @Test(
    "tell key and velocity by their names",
    arguments: [
      ("Piano C#4 v80", 61, 80), ("60", 60, nil), ("060 vel127", 60, 127), ("A0v1", 21, 1), ("Bb-1", 10, nil),
      ("C-1", 0, nil), ("g9", 127, nil), ("G#9", nil, nil), ("Strings_F#3_long", 54, nil), ("A4 then B2", 47, nil),
      ("Kick 01", nil, nil), ("Cello", nil, nil), ("Dry4", nil, nil), ("v64", nil, 64), ("128", nil, nil),
      ("vibes v0 D5", 74, nil), ("Äb4", nil, nil), ("", nil, nil), ("01 Kick", nil, nil), ("C4.1", 60, nil),
    ] as [(String, UInt8?, UInt8?)])
  func names(_ name: String, _ key: UInt8?, _ velocity: UInt8?) {
    let found = SampleName(name)
    #expect(found.key == key && found.velocity == velocity, "\(found)")
  }

  private func map(_ names: String...) -> SampleMap {
    SampleMap(names.map { (SampleName($0), SampleMarkings()) })
  }

  @Test("share out keys and velocities between them")
  func map() {
    #expect(
      map("C4", "C5", "E4").zones == [
        .init(sample: 0, key: 60, keys: 0...62), .init(sample: 2, key: 64, keys: 63...68),
        .init(sample: 1, key: 72, keys: 69...127),
      ])
    #expect(
      map("C4 v64", "C4 v100", "C4 v30").zones.map {
        [$0.sample, Int($0.velocities.lowerBound), Int($0.velocities.upperBound)]
      }
        == [[2, 0, 30], [0, 31, 64], [1, 65, 127]])
    #expect(
      map("A0v1", "A0v2", "A0v3").zones.map(\.velocities) == [0...42, 43...84, 85...127], "layers of equal height")
    #expect(map("lead").zones == [.init(sample: 0, key: 60, keys: 0...127)])
    #expect(
      map("kick", "snare").zones == [
        .init(sample: 0, key: 36, keys: 36...36, isOneShot: true),
        .init(sample: 1, key: 37, keys: 37...37, isOneShot: true),
      ])
  }

  @Test("are left out where two have one place, or one of many has no key")
  func leftOut() throws {
    let wave = WaveBytes.sine(period: 100, count: 1000).bytes
    try WaveBytes.withFolder(["C4.wav": wave, "C4 b.wav": wave, "noise.wav": wave, "notes.txt": [1], ".D4.wav": [2]]) {
      let font = try SoundFont(path: $0)
      #expect(font.sampleCount == 1 && font.problems.count == 2)
      #expect(
        font.problems.first.map(\.description) == [
          "\($0)/noise.wav: neither its name nor the file says its key; it is left out",
          "\($0)/C4.wav: another has the same key and velocity; it is left out",
        ])
    }
  }

  @Test("have key, tuning, loop and ranges of their chunks, of 16 bits without loss")
  func chunks() throws {
    var marked = WaveBytes.sine(period: 100, count: 1000)
    marked.sampler = (key: 69, fraction: 0.25, loop: 100...299)
    marked.instrument = [69, 0, 0, 60, 80, 1, 99]
    var plain = WaveBytes([[1, 2, 3, 4], [5, 6, 7, 8]])
    plain.rate = 22050
    try WaveBytes.withFolder(["marked.wav": marked.bytes, "D2.wav": plain.bytes]) { folder in
      let font = try SoundFont(path: folder)
      #expect(font.problems.count == 0 && !font.is24Bit && font.presets.count == 1)
      let presets = PlayablePresets(font)
      let preset = try #require(presets.preset(bank: 0, program: 0)?.pointee)
      let zones = (0..<preset.zoneCount).map { preset.zones[$0] }
      let zone = try #require(zones.first { $0.sample.rootKey == 69 })
      #expect(zone.sample.correction == -25 && zone[.sampleModes] == 1)
      #expect(zone.sample.loopStart == zone.sample.start + 100 && zone.sample.loopEnd == zone.sample.start + 300)
      #expect((zone.lowestKey, zone.highestKey) == (60, 80) && (zone.lowestVelocity, zone.highestVelocity) == (1, 99))
      #expect((0..<1000).allSatisfy { zone.sample.words[zone.sample.start + $0] == marked.channels[0][$0] })
      let stereo = zones.filter { $0.sample.rootKey == 38 }
      #expect(Set(stereo.map { $0[.pan] }) == [-500, 500] && stereo.allSatisfy { $0.sample.sampleRate == 22050 })
      for side in stereo {
        let wave = (0..<4).map { side.sample.words[side.sample.start + $0] }
        #expect(wave == plain.channels[side[.pan] < 0 ? 0 : 1])
      }
    }
  }

  @Test("are refused with the file and the reason")
  func refusals() throws {
    let wave = WaveBytes.sine(period: 100, count: 1000).bytes
    WaveBytes.withFolder([:]) { folder in
      _ = #expect(throws: SoundFontError(.noSamples, path: folder)) { try SoundFont(path: folder) }
    }
    try WaveBytes.withFolder(["C4.wav": wave, "C5.wav": Array(wave.prefix(20))]) { folder in
      let error = try #require(throws: SoundFontError.self) { try SoundFont(path: folder) }
      #expect(error.path == "\(folder)/C5.wav" && error.isOfSamples)
      #expect("\(error)".hasSuffix(" — give a WAV, FLAC or AIFF file, mono or stereo"))
    }
    WaveBytes.withFolder(["C4.wav": WaveBytes([[1, 2], [3, 4], [5, 6]]).bytes]) { folder in
      _ = #expect(throws: SoundFontError(.notAudio(reason: "it has 3 channels"), path: "\(folder)/C4.wav")) {
        try SoundFont(path: "\(folder)/C4.wav")
      }
    }
  }
}
