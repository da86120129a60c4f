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
    // FluidSynth begins notes at the place in the stereo image that the voice before had.
    let begins = Timeline(song, sampleRate: 48000).events.filter { $0.message.kind == .noteOn }.map { Int($0.time) }
    for second in 0..<Int(song.duration) + 3 {
      let (expected, rendered) = (reference.renderStereo(48000), native.renderStereo(48000))
      let unlike = begins.map { $0 - second * 48000 }.filter { 0..<48000 ~= $0 }
      for (expected, rendered) in [(expected.left, rendered.left), (expected.right, rendered.right)] {
        comparison.add(reference: expected.silenced(at: unlike), rendered: rendered.silenced(at: unlike))
      }
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
