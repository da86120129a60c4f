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
      "/FADER/level", "level FADER DB",
      "the level of a channel, 1 to 16, of a song's second port B1 to B16, of the microphone or a bus",
      example: "level 3 -6"
    ) { $0.fader(of: $1.strip)?.gain },
    .parameter("/FADER/pan", "pan FADER PLACE", "-1 is left, 0 the centre, 1 right", example: "pan 3 -0.5") {
      $0.fader(of: $1.strip)?.pan
    },
    .parameter(
      "/CHANNEL/EFFECT", "send CHANNEL EFFECT SHARE",
      "how much of a channel goes there, 0 to 1; songs may change it", example: "send 3 reverb 0.5"
    ) { $0.fader(of: $1.strip)?.sends[$1.number] },
    .switch(
      "/FADER/mute", "mute FADER", "silences a channel, the microphone, a bus, or a track of songs",
      example: "mute 10", off: ("unmute", "lets it sound again"), check: hasChannels,
      .parameter { $0.fader(of: $1.strip)?.isMuted }),
    .switch(
      "/track/TRACK/mute", "mute track TRACK", "silences a track of songs", example: "mute track 1",
      off: ("unmute", "lets it sound again"), check: hasTrack,
      .property(
        .bool, read: { control, track in .bool(control.tracks.isMuted(track.number)) },
        write: { control, track, isOn in control.tracks.mute(track.number, isOn.bool ?? false) })),
    .switch(
      "/CHANNEL/solo", "solo CHANNEL", "silences all channels, or tracks, that are not soloed",
      example: "solo 3", off: ("unsolo", "takes it out of the solo"), check: hasChannels,
      .parameter { $0.fader(of: $1.strip)?.isSoloed }),
    .switch(
      "/track/TRACK/solo", "solo track TRACK", "silences all tracks that are not soloed", example: "solo track 1",
      off: ("unsolo", "takes it out of the solo"), check: hasTrack,
      .property(
        .bool, read: { control, track in .bool(control.tracks.isSoloed(track.number)) },
        write: { control, track, isOn in control.tracks.solo(track.number, isOn.bool ?? false) })),
  ]

  /// How much of effects that were inserted is heard.
  static let inserts: [ControlSetting] = [
    .parameter(
      "/STRIP/insert/INSERT/mix", "mix STRIP INSERT PERCENT", "how much of an insert is heard, 0 to 100 percent",
      example: "mix 10 1 50"
    ) { $0.insert($1)?.mix },
    .parameter(
      "/STRIP/insert/INSERT/bypass", "bypass STRIP INSERT on|off",
      "on: what an insert was given is heard in its place", example: "bypass 10 1 on"
    ) { $0.insert($1)?.bypass },
  ]

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

  private static let hasChannels: Check = { control, place, command in
    if case .channel = place.strip { try control.checkChannels(command: command) }
  }

  private static let hasTrack: Check = { control, track, command in try control.check(track.number, command: command) }

  private static func counted(_ one: String, _ many: String) -> @Sendable (PropertyValue) -> String {
    { value in "\(value) \(abs(value.integer ?? 0) == 1 ? one : many)" }
  }
}

extension Synthesizer {
  /// Level, pan and mute of a channel, the microphone or a bus; nil where there is none now. [any thread]
  func fader(of strip: Strip) -> MixerInput? {
    switch strip {
    case .channel(let channel): self.strip(channel)
    case .microphone: microphone?.strip
    case .bus(let name): bus(name)?.strip
    case .click, .main: nil
    }
  }

  fileprivate func insert(_ place: TreePlace) -> Insert? {
    let inserts = inserts(of: place.strip)
    return inserts.indices.contains(place.number) ? inserts[place.number] : nil
  }
}
