import Foundation
import SynthInstruments
import TestSupport

@testable import SynthMIDI

/// Songs of openttd-openmsx, moved onto FluidSynth's grid of 64 frames, with fonts of Debian.
enum NullSong {
  static let fonts = ["TimGM6mb", "FluidR3_GM"]

  /// Thirty.
  static func names() throws -> [String] {
    let folder = URL(filePath: try TestFiles.song).deletingLastPathComponent().path
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".mid") }
    return files.sorted().prefix(30).map { String($0.dropLast(4)) }
  }

  static func compare(_ name: String, font: String) throws -> NullComparison {
    let song = try onGrid(Song(try MIDIFile(path: try TestFiles.song("\(name).mid"))))
    let reference = try player(font) { _ in }
    let native = try player(font) { $0.useNative() }
    for player in [reference, native] { player.rack.events.play(Timeline(song, sampleRate: 48000)) }
    var comparison = NullComparison()
    for _ in 0..<Int(song.duration) + 3 {
      let (expected, rendered) = (reference.renderStereo(48000), native.renderStereo(48000))
      comparison.add(reference: expected.left + expected.right, rendered: rendered.left + rendered.right)
    }
    return comparison
  }

  /// With room for all voices: which are taken for others is no matter of this.
  private static func player(_ font: String, _ configure: (inout SamplerConfiguration) -> Void) throws -> PlayedRack {
    var sampler = SamplerConfiguration(
      soundFonts: [try TestFiles.soundFont(font)], polyphony: 2048, linearGain: 0.2)
    sampler.engine = .fluidSynth
    configure(&sampler)
    return try PlayedRack(RackConfiguration(sampler: sampler))
  }

  private static func onGrid(_ song: Song) throws -> Song {
    var song = song
    song.events = song.events.map { event in
      Song.Event(
        seconds: (event.seconds * 750).rounded(.down) / 750, tick: event.tick, track: event.track,
        message: event.message, payload: event.payload)
    }
    return song
  }
}
