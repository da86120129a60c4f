import AudioGraph
import SynthDSP
import TestSupport
import Testing

@testable import SynthKit

@Suite("Commands in words")
struct SynthesizerCommandTests {
  @Test(
    "mean what they say",
    arguments: [
      ("preset pop", .preset("pop")), ("  preset\tpop  ", .preset("pop")), ("preset next", .nextPreset),
      ("preset previous", .previousPreset), ("preset my own/scene.json", .preset("my own/scene.json")),
      ("preset bands:1,2,3,4,5,6,7,8,9,10", .preset("bands:1,2,3,4,5,6,7,8,9,10")),
      ("reverb plate", .set(path: "/reverb", to: "plate")), ("chorus off", .set(path: "/chorus", to: "off")),
      ("gain +3.5dB", .set(path: "/gain", to: "+3.5dB")), ("gain 0 dB", .set(path: "/gain", to: "0 dB")),
      ("level 3 -6", .set(path: "/channel/3/level", to: "-6")), ("/gain -3", .set(path: "/gain", to: "-3")),
      ("level all -6 db", .set(path: "/channel/*/level", to: "-6 db")),
      ("mute 10", .set(path: "/channel/10/mute", to: "on")), ("unmute all", .set(path: "/channel/*/mute", to: "off")),
      ("solo 3", .set(path: "/channel/3/solo", to: "on")), ("unsolo 3", .set(path: "/channel/3/solo", to: "off")),
      ("mute track 2", .set(path: "/track/2/mute", to: "on")),
      ("unmute microphone", .set(path: "/microphone/mute", to: "off")),
      ("level microphone -6", .set(path: "/microphone/level", to: "-6")),
      ("level drums -6", .set(path: "/bus/drums/level", to: "-6")),
      ("pan drums 0.5", .set(path: "/bus/drums/pan", to: "0.5")),
      ("mute drums", .set(path: "/bus/drums/mute", to: "on")),
      ("mix drums 1 50", .set(path: "/bus/drums/insert/1/mix", to: "50")),
      ("bypass main 1 on", .set(path: "/main/insert/1/bypass", to: "on")),
      ("unmute track all", .set(path: "/track/*/mute", to: "off")),
      ("solo track 16", .set(path: "/track/16/solo", to: "on")),
      ("unsolo track 1", .set(path: "/track/1/solo", to: "off")),
      ("pause", .pause), ("play", .play), ("seek 83", .seek(83)), ("seek 1:23.5", .seek(83.5)), ("seek +10", .skip(10)),
      ("seek -1:05", .skip(-65)), ("tempo 80%", .set(path: "/song/tempo", to: "80%")),
      ("transpose +12", .set(path: "/song/transpose", to: "+12")), ("loop off", .loop(nil)),
      ("loop 0:10 0:20.5", .loop(SongLoop(10, 20.5))), ("loop 10-20", .loop(SongLoop(10, 20))),
      ("metronome on", .metronome(.on)), ("metronome off", .metronome(.off)), ("metronome 96", .metronome(.tempo(96))),
      ("metronome -6", .metronome(.level(-6))), ("metronome 3 dB", .metronome(.level(3))),
      ("metronome +3", .metronome(.level(3))), ("count-in 2", .set(path: "/song/count-in", to: "2")),
      ("soundfont my own/piano.sf2", .soundFont("my own/piano.sf2")),
      ("soundfont \"two  blanks.sf2\"", .soundFont("two  blanks.sf2")), ("record it's", .record("it's")),
      ("pan 3 -0.5", .set(path: "/channel/3/pan", to: "-0.5")),
      ("send 3 reverb 0.5", .set(path: "/channel/3/reverb", to: "0.5")),
      ("send all chorus 1", .set(path: "/channel/*/chorus", to: "1")),
      ("set reverb time 2.5", .setNode("reverb", "time", "2.5")),
      ("set 'main mixer' \"output gain\" -6 dB", .setNode("main mixer", "output gain", "-6 dB")),
      ("out hw:1", .move("hw:1")), ("map 1,0", .map(ChannelMap([1, 0]))), ("map mono, -1", .map(ChannelMap([-2, -1]))),
    ] as [(String, SynthesizerCommand)])
  func meaning(text: String, command: SynthesizerCommand) throws {
    #expect(try SynthesizerCommand(parsing: text) == command)
  }

  @Test(
    "and without a value they ask for it",
    arguments: [
      ("preset", .preset), ("instrument", .instruments), ("soundfont", .soundFont), ("reverb", .values(["/reverb"])),
      ("gain", .values(["/gain"])), ("level", .values(["/channel/*/level", "/microphone/level", "/bus/*/level"])),
      ("level 3", .values(["/channel/3/level"])), ("send all", .values(["/channel/*/{reverb,chorus,delay}"])),
      ("send 3", .values(["/channel/3/{reverb,chorus,delay}"])), ("send 3 reverb", .values(["/channel/3/reverb"])),
      ("mute", .values(["/channel/*/mute", "/microphone/mute", "/bus/*/mute", "/track/*/mute"])),
      ("/song/tempo", .values(["/song/tempo"])),
      ("seek", .place), ("tempo", .values(["/song/tempo"])), ("metronome", .metronome), ("loop", .loop),
      ("record", .recording), ("map", .map),
      ("out", .output),
      ("set", .nodes), ("set mixer", .node("mixer")), ("set mixer metering", .value("metering", of: "mixer")),
    ] as [(String, SynthesizerSetting)])
  func questions(text: String, setting: SynthesizerSetting) throws {
    #expect(try SynthesizerCommand(parsing: text) == .tell(setting))
  }

  @Test("an instrument is chosen as on the command line")
  func instrument() throws {
    let choice = try InstrumentChoice(parsing: "3:0-59=pad+bell")
    #expect(try SynthesizerCommand(parsing: "instrument 3:0-59=pad+bell") == .instrument(choice))
  }

  @Test(
    "or are refused in one line that says what is wrong",
    arguments: [
      ("", ": no such command"), ("presett pop", "presett: no such command; did you mean preset?"),
      ("save", "a word is missing: save FILE"), ("route 3", "a word is missing: route CHANNEL|track:N CHANNEL|off"),
      ("send 3 echo 1", "send 3 echo: give reverb, chorus or delay"),
      ("unmute track", "a word is missing: unmute CHANNEL|all|microphone|BUS|track N"),
      ("map left", "map left: give a source channel or -1 for each device channel, as in 0,1,-1,-1"),
      (
        "instrument 65=pad",
        "instrument 65=pad: give a channel from 1 to 16, B1 to D16 for other ports, before the name, as in 3=pad"
      ),
      (
        "level 0 3",
        "level 0: give a channel from 1 to 16, B1 to D16 for other ports, microphone or the name of a bus, or all"
      ),
      ("solo drums", "solo drums: give a channel from 1 to 16, B1 to D16 for other ports, or all"),
      ("seek soon", "seek soon: give a time, as in 83 or 1:23, or seconds as in +10 or -5"),
      (
        "metronome 6",
        "metronome 6: give on, off, a level as in -6dB, or for playing without songs a tempo from 20 to 400"
      ),
      ("loop 0:10", "loop 0:10: give two times, as in 0:10 0:20, or off"),
      ("pause now", "\"now\" is one word too many: pause"),
      ("mix click 1 5", "mix click: give \(TreeIndex.strip.expected), or all"),
    ])
  func refusal(text: String, line: String) {
    do throws(SynthesizerCommandError) {
      Issue.record("\(try SynthesizerCommand(parsing: text)) was accepted")
    } catch {
      #expect("\(error)" == line)
    }
  }

  @Test("any words are a command or an error of one line, and never a trap", arguments: 0..<8)
  func fuzz(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let words =
      SynthesizerCommand.names + [
        "pop", "next", "off", "plate", "flanger", "all", "3", "16", "-6", "dB", "1e999", "-0", "nan", "0x1p3", "", " ",
        "\t", "\u{0}", "é", "👩‍👩‍👧", "bands:", "bands:1,2", "\"", "'", "\"a b\"", "mixer", "/", "\u{301}", "\r\n",
        "\u{2028}",
      ]
    var performed = 0
    for _ in 0..<4000 {
      var text = (0..<random.next(below: 5)).map { _ in words[random.next(below: words.count)] }.joined(separator: " ")
      if random.next(below: 3) == 0 {
        let bytes = (0..<random.next(below: 24)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        text += String(decoding: bytes, as: UTF8.self)
      }
      do throws(SynthesizerCommandError) {
        let command = try SynthesizerCommand(parsing: text)
        performed += 1
        if case .set(let path, _) = command { #expect(path.hasPrefix("/")) }
      } catch {
        #expect(!"\(error)".isEmpty)
      }
    }
    #expect(performed > 20)
  }
}
