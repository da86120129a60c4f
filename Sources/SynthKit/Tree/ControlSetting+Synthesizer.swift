import AudioGraph
import SynthDSP
import SynthInstruments
import SynthText

// What a synthesizer and its song can be set to. One entry here puts a setting on every view.

extension ControlSetting {
  /// All settings, in the order of the manuals.
  package static let all = sound + inserts + song

  /// Effects, levels and the strips of channels and tracks.
  static let sound: [ControlSetting] = [
    .property(
      "/reverb", "reverb ROOM|off", ReverbType.allCases.map(\.name).joined(separator: ", "), example: "reverb plate",
      kind: .choice(ReverbType.allCases.map(\.name) + ["off"]), read: { control, _ in .text(control.reverb) },
      write: { control, _, name in try control.set(ReverbType.allCases.first { $0.name == name.text }) }),
    .property(
      "/chorus", "chorus TYPE|off", ChorusType.allCases.map(\.name).joined(separator: ", "), example: "chorus off",
      kind: .choice(ChorusType.allCases.map(\.name) + ["off"]), read: { control, _ in .text(control.chorus) },
      write: { control, _, name in try control.set(ChorusType.allCases.first { $0.name == name.text }) }),
    .property(
      "/delay", "delay TYPE|off", DelayType.allCases.map(\.name).joined(separator: ", "), example: "delay delay-1",
      kind: .choice(DelayType.allCases.map(\.name) + ["off"]), read: { control, _ in .text(control.delay) },
      write: { control, _, name in try control.set(DelayType.allCases.first { $0.name == name.text }) }),
    .parameter("/gain", "gain DB", "the level of everything", example: "gain -3") { synthesizer, _ in
      synthesizer.mainMixer.outputGain
    },
    .parameter(
      "/channel/CHANNEL/level", "level CHANNEL DB",
      "the level of a channel, 1 to 16, of a song's second port B1 to B16", example: "level 3 -6"
    ) { $0.strip($1[0])?.gain },
    .parameter(
      "/microphone/level", "level microphone DB", "the level of the microphone", example: "level microphone -6",
      check: hasMicrophone
    ) { synthesizer, _ in synthesizer.microphone?.strip.gain },
    .parameter(
      "/channel/CHANNEL/pan", "pan CHANNEL PLACE", "-1 is left, 0 the centre, 1 right", example: "pan 3 -0.5"
    ) { $0.strip($1[0])?.pan },
    .parameter(
      "/channel/CHANNEL/EFFECT", "send CHANNEL EFFECT SHARE",
      "how much of a channel goes there, 0 to 1; songs may change it", example: "send 3 reverb 0.5"
    ) { $0.strip($1[0])?.sends[$1[1]] },
    .switch(
      "/channel/CHANNEL/mute", "mute CHANNEL", "silences a channel, a track of songs, or the microphone",
      example: "mute 10", off: ("unmute", "lets it sound again"), check: hasChannels,
      .parameter { $0.strip($1[0])?.isMuted }),
    .switch(
      "/track/TRACK/mute", "mute track TRACK", "silences a track of songs", example: "mute track 1",
      off: ("unmute", "lets it sound again"), check: hasTrack,
      .property(
        .bool, read: { control, track in .bool(control.tracks.isMuted(track[0])) },
        write: { control, track, isOn in control.tracks.mute(track[0], isOn.bool ?? false) })),
    .switch(
      "/microphone/mute", "mute microphone", "silences the microphone", example: "mute microphone",
      off: ("unmute", "lets it be heard again"), check: hasMicrophone,
      .parameter { synthesizer, _ in synthesizer.microphone?.strip.isMuted }),
    .switch(
      "/channel/CHANNEL/solo", "solo CHANNEL", "silences all channels, or tracks, that are not soloed",
      example: "solo 3", off: ("unsolo", "takes it out of the solo"), check: hasChannels,
      .parameter { $0.strip($1[0])?.isSoloed }),
    .switch(
      "/track/TRACK/solo", "solo track TRACK", "silences all tracks that are not soloed", example: "solo track 1",
      off: ("unsolo", "takes it out of the solo"), check: hasTrack,
      .property(
        .bool, read: { control, track in .bool(control.tracks.isSoloed(track[0])) },
        write: { control, track, isOn in control.tracks.solo(track[0], isOn.bool ?? false) })),
  ]

  /// How much of effects that were inserted is heard.
  static let inserts: [ControlSetting] = [
    mix("/channel/CHANNEL/insert/INSERT/mix", "mix CHANNEL INSERT PERCENT", example: "mix 10 1 50") {
      .channel($0[0])
    },
    mix("/main/insert/INSERT/mix", "mix main INSERT PERCENT", example: "mix main 1 50") { _ in .main },
    mix("/microphone/insert/INSERT/mix", "mix microphone INSERT PERCENT", example: "mix microphone 1 50") { _ in
      .microphone
    },
    bypass("/channel/CHANNEL/insert/INSERT/bypass", "bypass CHANNEL INSERT on|off", example: "bypass 10 1 on") {
      .channel($0[0])
    },
    bypass("/main/insert/INSERT/bypass", "bypass main INSERT on|off", example: "bypass main 1 on") { _ in .main },
    bypass("/microphone/insert/INSERT/bypass", "bypass microphone INSERT on|off", example: "bypass microphone 1 on") {
      _ in .microphone
    },
  ]

  private static func mix(
    _ path: String, _ command: String, example: String, strip: @escaping @Sendable ([Int]) -> Strip
  ) -> ControlSetting {
    .parameter(path, command, "how much of an insert is heard, 0 to 100 percent", example: example) {
      $0.insert($1, of: strip($1))?.mix
    }
  }

  private static func bypass(
    _ path: String, _ command: String, example: String, strip: @escaping @Sendable ([Int]) -> Strip
  ) -> ControlSetting {
    .parameter(path, command, "on: what an insert was given is heard in its place", example: example) {
      $0.insert($1, of: strip($1))?.bypass
    }
  }

  /// How songs are played.
  static let song: [ControlSetting] = [
    .property(
      "/song/tempo", "tempo PERCENT", "25 to 400; 100 is the file's tempo", example: "tempo 80%",
      kind: .number(25...400, unit: .percent), check: hasSong,
      read: { control, _ in .number((control.session?.tempo ?? 1) * 100) },
      write: { control, _, percent in control.session?.tempo = (percent.number ?? 100) / 100 }),
    .property(
      "/song/transpose", "transpose N", "semitones, -24 to 24; drums stay", example: "transpose -2",
      kind: .integer(-24...24), check: hasSong, text: counted("semitone", "semitones"),
      read: { control, _ in .integer(control.session?.transposition ?? 0) },
      write: { control, _, semitones in control.session?.transposition = semitones.integer ?? 0 }),
    .property(
      "/song/count-in", "count-in BARS", "counted before songs and seeks, 0 to \(EventInput.mostCountInBars)",
      example: "count-in 2", kind: .integer(0...EventInput.mostCountInBars), check: hasSong,
      text: counted("bar", "bars"), read: { control, _ in .integer(control.session?.countIn ?? 0) },
      write: { control, _, bars in control.session?.countIn = bars.integer ?? 0 }),
  ]

  private static let hasSong: Check = { control, _, command in
    guard control.session?.duration != nil else { throw SynthesizerCommandError.song(.noSong, command: command) }
  }

  private static let hasMicrophone: Check = { control, _, command in
    guard control.synthesizer.microphone == nil else { return }
    throw SynthesizerCommandError.refused("\(command) microphone: there is none; --in DEVICE adds one at the start")
  }

  private static let hasChannels: Check = { control, _, command in try control.checkChannels(command: command) }

  private static let hasTrack: Check = { control, track, command in try control.check(track[0], command: command) }

  private static func counted(_ one: String, _ many: String) -> @Sendable (PropertyValue) -> String {
    { value in "\(value) \(abs(value.integer ?? 0) == 1 ? one : many)" }
  }
}

extension Synthesizer {
  /// The insert whose number is the last of some indices; nil for none.
  fileprivate func insert(_ indices: [Int], of strip: Strip) -> Insert? {
    let inserts = inserts(of: strip)
    return indices.last.flatMap { inserts.indices.contains($0) ? inserts[$0] : nil }
  }
}
