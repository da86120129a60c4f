import AudioGraph
import SynthDSP
import SynthKit
import TestSupport
import Testing

@Suite("Commands in words")
struct SynthesizerCommandTests {
  @Test(
    "mean what they say",
    arguments: [
      ("preset pop", .preset("pop")), ("  preset\tpop  ", .preset("pop")), ("preset next", .nextPreset),
      ("preset previous", .previousPreset), ("preset my own/scene.json", .preset("my own/scene.json")),
      ("preset bands:1,2,3,4,5,6,7,8,9,10", .preset("bands:1,2,3,4,5,6,7,8,9,10")),
      ("reverb plate", .reverb(.plate)), ("reverb off", .reverb(nil)), ("chorus flanger", .chorus(.flanger)),
      ("chorus off", .chorus(nil)), ("gain -3", .gain(-3)), ("gain +3.5dB", .gain(3.5)), ("gain 0 dB", .gain(0)),
      ("level 3 -6", .level(channel: 2, -6)), ("level all -6 db", .level(channel: nil, -6)),
      ("mute 10", .mute(channel: 9, true)), ("unmute all", .mute(channel: nil, false)),
      ("solo 3", .solo(channel: 2, true)), ("unsolo 3", .solo(channel: 2, false)),
      ("mute track 2", .muteTrack(1, true)), ("unmute track all", .muteTrack(nil, false)),
      ("solo track 16", .soloTrack(15, true)), ("unsolo track 1", .soloTrack(0, false)),
      ("pause", .pause), ("play", .play), ("seek 83", .seek(83)), ("seek 1:23.5", .seek(83.5)), ("seek +10", .skip(10)),
      ("seek -1:05", .skip(-65)), ("tempo 80%", .tempo(0.8)), ("tempo 125", .tempo(1.25)),
      ("transpose -2", .transpose(-2)), ("transpose +12", .transpose(12)), ("loop off", .loop(nil)),
      ("loop 0:10 0:20.5", .loop(SongLoop(10, 20.5))), ("loop 10-20", .loop(SongLoop(10, 20))),
      ("metronome on", .metronome(.on)), ("metronome off", .metronome(.off)), ("metronome 96", .metronome(.tempo(96))),
      ("metronome -6", .metronome(.level(-6))), ("metronome 3 dB", .metronome(.level(3))),
      ("metronome +3", .metronome(.level(3))), ("count-in 2", .countIn(2)), ("count-in 0", .countIn(0)),
      ("soundfont my own/piano.sf2", .soundFont("my own/piano.sf2")),
      ("soundfont \"two  blanks.sf2\"", .soundFont("two  blanks.sf2")), ("record it's", .record("it's")),
      ("pan 3 -0.5", .pan(channel: 2, -0.5)), ("pan all 0", .pan(channel: nil, 0)),
      ("send 3 reverb 0.5", .send(channel: 2, .reverb, 0.5)), ("send all chorus 1", .send(channel: nil, .chorus, 1)),
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
      ("preset", .preset), ("instrument", .instruments), ("soundfont", .soundFont), ("reverb", .reverb),
      ("chorus", .chorus), ("gain", .gain), ("level", .channels(.level, nil)), ("level 3", .channels(.level, 2)),
      ("pan 16", .channels(.pan, 15)), ("send all", .channels(.sends, nil)), ("mute", .channels(.mute, nil)),
      ("unsolo", .channels(.solo, nil)), ("seek", .place), ("tempo", .tempo), ("transpose", .transposition),
      ("metronome", .metronome), ("count-in", .countIn), ("loop", .loop), ("record", .recording), ("map", .map),
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
      ("pan 3 left", "pan left: give a place from -1, left, to 1, right"),
      ("pan 3 1.5", "pan 1.5: give a place from -1, left, to 1, right"),
      ("send 3 reverb", "a word is missing: send CHANNEL|all reverb|chorus|delay SHARE"),
      ("send 3 echo 1", "send echo: give reverb, chorus or delay"),
      ("send 3 chorus 2", "send 2: give a share from 0 to 1"),
      ("map left", "map left: give a source channel or -1 for each device channel, as in 0,1,-1,-1"),
      (
        "instrument 17=pad",
        "instrument 17=pad: give a channel from 1 to 16 before the name, as in 3=pad"
      ),
      ("reverb platte", "reverb platte: no such room; did you mean plate?"),
      (
        "chorus wide",
        "chorus wide: no such chorus; give chorus-1, chorus-2, chorus-3, chorus-4, feedback-chorus, flanger, off"
      ),
      ("reverb plate now", "\"now\" is one word too many: reverb ROOM|off"),
      ("gain loud", "gain loud: give decibels from -120 to 24"),
      ("gain 24.1", "gain 24.1: give decibels from -120 to 24"),
      ("gain nan", "gain nan: give decibels from -120 to 24"),
      ("level 0 3", "level 0: give a channel from 1 to 16, or all"),
      ("seek soon", "seek soon: give a time, as in 83 or 1:23, or seconds as in +10 or -5"),
      ("tempo 401%", "tempo 401%: give 25 to 400 percent"),
      (
        "metronome 6",
        "metronome 6: give on, off, a level as in -6dB, or for playing without songs a tempo from 20 to 400"
      ),
      ("count-in 17", "count-in 17: give bars from 0 to 16"),
      ("transpose 1.5", "transpose 1.5: give semitones from -24 to 24"),
      ("loop 0:10", "loop 0:10: give two times, as in 0:10 0:20, or off"),
      ("pause now", "\"now\" is one word too many: pause"), ("mute 17", "mute 17: give a channel from 1 to 16, or all"),
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
        if case .gain(let level) = command { #expect((-120...24).contains(level.value)) }
        if case .level(let channel, let level) = command {
          #expect((channel ?? 0) < 16 && (-120...24).contains(level.value))
        }
      } catch {
        #expect(!"\(error)".isEmpty)
      }
    }
    #expect(performed > 20)
  }
}
