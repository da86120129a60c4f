import AudioGraph
import SynthDSP
import SynthKit
import SynthMIDI
import TestSupport
import Testing

@Suite("The whole chain")
struct SynthesizerTests {
  private func synthesizer(preset: String = "flat", map: ChannelMap? = nil, channels: Int = 2) throws -> Synthesizer {
    try Synthesizer(
      SynthesizerConfiguration(
        soundFonts: [try TestFiles.soundFont], channelCount: channels, channelMap: map,
        curve: try EqualizerPresetLibrary.standard().preset(preset).curve))
  }

  private func realSong() throws -> Song { Song(try MIDIFile(path: try TestFiles.song("busy_schedule.mid"))) }

  @Test("offline output is the same, bit for bit, for every slice size")
  func sliceSizes() throws {
    let song = try realSong()
    let renderings = try [1, 7, 64, 100, 441, 512, 4096].map { sliceSize in
      let synthesizer = try synthesizer(preset: "rock")
      synthesizer.play(song)
      return synthesizer.samples(80000, sliceSize: sliceSize)
    }
    let isSounding = renderings[0][0].contains { abs($0) > 0.001 }
    #expect(isSounding)
    let areSame = renderings.allSatisfy { $0 == renderings[0] }
    #expect(areSame)
  }

  @Test("the channel map routes the mix, and moves nothing else")
  func channelMap() throws {
    let song = try song(strike(60, ticks: 480))
    let (straight, mapped) = (try synthesizer(), try synthesizer(map: ChannelMap([-1, 1, -1, 0]), channels: 4))
    straight.play(song)
    mapped.play(song)
    let (stereo, device) = (straight.samples(4096), mapped.samples(4096))
    let silence = [Float](repeating: 0, count: 4096)
    #expect(device == [silence, stereo[1], silence, stereo[0]])
    #expect(stereo[0] != silence)
  }

  @Test("each MIDI channel is a bus of the mixer")
  func channelBuses() throws {
    let song = try song(strike(60, channel: 0, ticks: 480), strike(72, channel: 5, ticks: 480))
    let (whole, soloed) = (try synthesizer(), try synthesizer())
    soloed.mixer.inputs[5].isSoloed.value = 1
    whole.play(song)
    soloed.play(song)
    _ = whole.samples(20000)
    let first = soloed.samples(20000)
    #expect(first[0].allSatisfy { $0 == 0 })
    #expect(whole.mixer.inputs[0].meter.takePeak(0) > 0.01)
    #expect(soloed.samples(20000)[0].contains { abs($0) > 0.01 })
  }

  @Test("a song played amid another begins after a fade of 256 frames, with a cleared synthesizer, and sounds the same")
  func again() throws {
    let first = try song([0, 0xC0, 48], [0, 0xB0, 7, 30], [0, 0x90, 60, 100])  // strings, soft, a note left on
    let second = try song(strike(64, ticks: 480))
    // The reverb of the last song may go on.
    let configuration = SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont], reverb: nil)
    let (fresh, used) = (try Synthesizer(configuration), try Synthesizer(configuration))
    used.play(first)
    _ = used.samples(4096)
    used.play(second)
    fresh.play(second)
    // What the limiter still held of the first song, and its fade.
    _ = (used.samples(used.latency + 256), fresh.samples(fresh.latency))
    let isSame = used.samples(8192) == fresh.samples(8192)
    #expect(isSame)
  }

  @Test("a preset that changes while a song plays fades in without a step")
  func presetChange() throws {
    let synthesizer = try synthesizer()
    synthesizer.play(try song(strike(48, ticks: 4800)))
    _ = synthesizer.samples(24000)
    let before = synthesizer.samples(24000)[0]
    synthesizer.equalizer.curve = try EqualizerPresetLibrary.standard().preset("bass-booster").curve
    let during = synthesizer.samples(9600)[0]
    func largestStep(_ samples: [Float]) -> Float { zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max() ?? 0 }
    #expect(largestStep(during) <= 1.5 * largestStep(before))
    #expect(synthesizer.equalizer.curve == (try EqualizerPresetLibrary.standard().preset("bass-booster").curve))
  }
}
