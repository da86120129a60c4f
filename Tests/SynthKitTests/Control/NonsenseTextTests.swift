import SynthKit
import SynthMIDI
import Testing

@Suite("Numbers that nothing has, in texts")
struct NonsenseTextTests {
  @Test("are told without a trap")
  func texts() {
    #expect("\(SongError.noSuchTrack(.max, count: 1))".hasSuffix(" is not in the song, which has one"))
    #expect("\(SongError.noSuchPlace(.nan, duration: .infinity))" == "nan is not in the song, which ends at inf")
    #expect(SongRoutes.Part.track(.max).text.hasPrefix("track:") && SongRoutes.Part.channel(255).text == "256")
    #expect("\(LearnedTrigger(.note(1), channel: 255))" == "note 1 on channel 256")
    #expect("\(ChannelAssignment(device: "hw:0", channel: .max, source: .min))".hasPrefix("hw:0#"))
  }
}
