import SynthDSP
import SynthKit
import SynthMIDI
import SynthRealtime

/// What our graph adds to FluidSynth's own cost, song by song.
struct SongTable {
  let font: String
  let songs: [String]

  private static let passes = 5
  /// A second of audio: long enough for the caches, short enough that all contenders meet the same load.
  private static let chunk = 750
  /// Seconds of each song.
  private static let longest = 60.0
  private static let widths = [21, 7, 12, 10, 9, 9, 12]

  func measure() throws {
    print(row(["", "voices", "FluidSynth", "16 pairs", "+ flat", "+ pop", "difference"], widths: Self.widths))
    for path in songs { print(row(try cells(path), widths: Self.widths)) }
  }

  private func cells(_ path: String) throws -> [String] {
    let song = Song(try MIDIFile(path: path))
    let timeline = Timeline(song, sampleRate: Work.sampleRate)
    let stereo = try BareSong(font: font, timeline: timeline, pairCount: 1)
    let apart = try BareSong(font: font, timeline: timeline, pairCount: 16)
    let flat = try ChainSong(font: font, song: song, curve: .flat)
    let pop = try ChainSong(font: font, song: song, curve: try EqualizerPresetLibrary.standard().preset("pop").curve)

    let chunkCount = Int(min(song.duration, Self.longest))
    let (difference, voices) = compare(apart, flat, chunkCount: chunkCount)
    let times = time([stereo, apart, flat, pop], chunkCount: chunkCount)
    func median(_ value: ([Double]) -> Double) -> Double { Distribution(times.map(value)).median }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return [
      String(name.prefix(20)), fixed(voices, 0), fixed(median { $0[0] }, 0),
      "+" + percent(median { $0[1] / $0[0] - 1 }, 1),
      percent(median { ($0[2] - $0[1]) / $0[1] }, 1), percent(median { ($0[3] - $0[1]) / $0[1] }, 1),
      difference == 0 ? "none" : "\(difference)",
    ]
  }

  /// Nanoseconds a quantum of each contender, pass by pass. They take turns, each being the first as often as any.
  private func time(_ contenders: [any Contender], chunkCount: Int) -> [[Double]] {
    (0..<Self.passes).map { _ in
      for contender in contenders { contender.start() }
      var sums = contenders.map { _ in 0.0 }
      for chunk in 0..<chunkCount {
        for turn in contenders.indices {
          let index = (chunk + turn) % contenders.count
          let start = ThreadClock.now
          contenders[index].render(Self.chunk)
          sums[index] += ThreadClock.now - start
        }
      }
      return sums.map { $0 / Double(chunkCount * Self.chunk) }
    }
  }

  /// That both play the same: the largest difference of two samples; and how many voices sounded on average.
  private func compare(_ bare: BareSong, _ chain: ChainSong, chunkCount: Int) -> (difference: Float, voices: Double) {
    bare.start()
    chain.start()
    var difference: Float = 0
    var voices = 0
    for _ in 0..<chunkCount * Self.chunk {
      bare.render(1)
      chain.render(1)
      voices += bare.activeVoiceCount
      for channel in 0..<2 {
        for frame in 0..<renderQuantum {
          difference = max(
            difference, abs(bare.sample(channel: channel, frame: frame) - chain.sample(channel: channel, frame: frame)))
        }
      }
    }
    return (difference, Double(voices) / Double(chunkCount * Self.chunk))
  }
}
