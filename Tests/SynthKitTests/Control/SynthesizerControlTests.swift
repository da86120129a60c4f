import AudioGraph
import Foundation
import SynthDSP
import SynthInstruments
import SynthKit
import SynthMIDI
import TestSupport
import Testing

@Suite("Commands performed")
struct SynthesizerControlTests {
  private let synthesizer: Synthesizer

  init() throws { synthesizer = try Self.synthesizer() }

  private static func synthesizer(
    reverb: ReverbType? = .largeHall, control: EqualizerPresetControl? = nil
  ) throws -> Synthesizer {
    try Synthesizer(
      SynthesizerConfiguration(
        soundFonts: [try TestFiles.soundFont], presetControl: control, isLimited: false,
        reverb: reverb))
  }

  private func perform(_ text: String, _ control: inout SynthesizerControl) throws
    -> SynthesizerAnswer
  {
    try control.perform(SynthesizerCommand(parsing: text))
  }

  /// What plays after a command, as it would be asked for.
  private func instruments(_ text: String, _ control: inout SynthesizerControl) throws -> String {
    guard case .instruments(let assignments) = try perform(text, &control) else {
      return "another answer"
    }
    return assignments.map(\.description).joined(separator: ", ")
  }

  @Test("presets by name, by bands, and one after the other, round and round")
  func presets() throws {
    var control = SynthesizerControl(synthesizer)
    #expect(control.preset == "flat")
    #expect(try perform("preset pop", &control) == .preset("pop"))
    #expect(synthesizer.equalizer.curve == (try EqualizerPresetLibrary.standard().preset("pop").curve))
    #expect(try perform("preset next", &control) == .preset("rnb"))
    #expect(try perform("preset previous", &control) == .preset("pop"))
    #expect(try perform("preset vocal-booster", &control) == .preset("vocal-booster"))
    #expect(try perform("preset next", &control) == .preset("acoustic"))
    #expect(try perform("preset previous", &control) == .preset("vocal-booster"))
    #expect(
      try perform("preset bands:1,1,1,1,1,1,1,1,1,1", &control)
        == .preset("bands:1,1,1,1,1,1,1,1,1,1"))
    #expect(synthesizer.equalizer.curve.gains.allSatisfy { $0 == 1 })
  }

  @Test(
    "what cannot be had leaves all as it was, and says why",
    arguments: [
      ("preset popp", "preset popp: no such preset; did you mean pop?"),
      (
        "preset bands:1",
        "preset bands:1: not ten gains of −24 to 24 dB, from 32 Hz to 16 kHz, as in bands:3,2,0,0,0,0,0,0,1,2"
      ),
      (
        "preset /nope.json",
        "reading preset /nope.json: no such file or directory; give a preset's name or the path of a readable file"
      ),
      (
        "instrument 3=padd",
        "choosing instrument \"padd\": unknown instrument; did you mean \"pad\"? "
          + "list the instruments"
      ),
      (
        "soundfont /nope.sf2",
        "loading soundfont /nope.sf2: no such file or directory; give the path of an .sf2 or .sf3 file"
      ),
      ("reverb platte", "reverb platte: no such reverb; did you mean plate?"),
      (
        "chorus wide",
        "chorus wide: no such chorus; give chorus-1, chorus-2, chorus-3, chorus-4, feedback-chorus, flanger, off"
      ),
      ("gain loud", "gain loud: give a number from −120 to 24 dB"),
      ("gain 24.1", "gain 24.1: give a number from −120 to 24 dB"),
      ("gain nan", "gain nan: give a number from −120 to 24 dB"),
      ("pan 3 left", "pan left: give a number from −1 to 1"), ("pan 3 1.5", "pan 1.5: give a number from −1 to 1"),
      ("send 3 chorus 2", "send 2: give a number from 0 to 1"),
      ("/channel/3/levle 1", "channel/3/levle: no such path in the control tree; did you mean channel/3/level?"),
    ])
  func refusals(text: String, line: String) throws {
    var control = SynthesizerControl(synthesizer)
    let command = try SynthesizerCommand(parsing: text)
    do throws(SynthesizerCommandError) {
      Issue.record("\(try control.perform(command))")
    } catch {
      #expect("\(error)" == line)
    }
    #expect(synthesizer.equalizer.curve == .flat && control.preset == "flat")
    #expect(synthesizer.instruments.configuration.assignments.isEmpty)
    #expect(synthesizer.instruments.configuration.sampler.soundFonts == [try TestFiles.soundFont])
  }

  @Test(
    "another instrument takes the place of what was chosen for its channel and keys, and a soundfont of all fonts"
  )
  func instruments() throws {
    var control = SynthesizerControl(synthesizer)
    func assignments() -> [String] {
      synthesizer.instruments.configuration.assignments.map(\.description)
    }
    #expect(try instruments("instrument 3=pad", &control) == "3=pad")
    #expect(assignments() == ["3=pad"])
    _ = synthesizer.samples(64)
    #expect(
      synthesizer.instruments.preset(ofChannel: 2)?.name
        == (try InstrumentLibrary.standard().patch("pad").title))
    #expect(try instruments("instrument 3:0-59=bass", &control) == "3:60-127=pad, 3:0-59=bass")
    #expect(
      try instruments("instrument 3:50-70=bell", &control)
        == "3:71-127=pad, 3:0-49=bass, 3:50-70=bell")
    #expect(try instruments("instrument 3=bell+pad", &control) == "3=bell, 3=pad")
    #expect(
      try instruments("instrument 4:0-59=bass", &control)
        == "3=bell, 3=pad, 4:60-127=sampler, 4:0-59=bass")
    #expect(try instruments("instrument lead", &control) == "lead")
    #expect(try instruments("instrument :60-127=pad", &control) == ":0-59=lead, :60-127=pad")
    #expect(try instruments("instrument sampler", &control) == "sampler")
    #expect(assignments() == ["sampler"])
    let path = try SoundFontLocator(environment: [:], resources: .current, systemDirectories: [])
      .locate().path
    #expect(try perform("soundfont \(path)", &control) == .soundFont(path))
    #expect(synthesizer.instruments.configuration.sampler.soundFonts == [path])
  }

  @Test("a synthesizer without a soundfont finds the standard one when the sampler is to play")
  func firstSoundFont() throws {
    let patch = try InstrumentLibrary.standard().patch("pad")
    let synthesizer = try Synthesizer(
      SynthesizerConfiguration(soundFonts: [], instruments: [InstrumentAssignment(.patch(patch))]))
    var control = SynthesizerControl(synthesizer)
    _ = try perform("instrument 1=sampler", &control)
    #expect(
      synthesizer.instruments.configuration.sampler.soundFonts == [
        try SoundFontLocator.standard().locate().path
      ])
  }

  @Test("the names of instruments are completed behind a channel and a plus")
  func completion() {
    let control = SynthesizerControl(synthesizer)
    #expect(control.completions(of: "instrument  pa") == ["pad"])
    #expect(control.completions(of: "instrument 3:0-59=bell+sam") == ["3:0-59=bell+sampler"])
  }

  @Test("a preset that MIDI chooses is the present one, and next goes on from there")
  func chosenByMIDI() throws {
    let presets = EqualizerPresetLibrary.standard().presets().presets
    let presetControl = EqualizerPresetControl(presets, by: PresetMessages(programChannel: 15))
    let synthesizer = try Self.synthesizer(control: presetControl)
    var control = SynthesizerControl(synthesizer, presetControl: presetControl)
    _ = synthesizer.instruments.events.send(
      MIDIEvent(time: 0, message: .programChange(channel: 15, program: 0)))
    _ = synthesizer.samples(64)
    #expect(control.preset == "acoustic")
    #expect(try perform("preset next", &control) == .preset("bass-booster"))
    #expect(control.preset == "bass-booster")
  }

  @Test("levels, mutes and solos are those of the mixer's strips, and the gain that of all")
  func strips() throws {
    var control = SynthesizerControl(synthesizer)
    #expect(try perform("level 3 -6", &control).text == "level      channel 3 −6.0 dB")
    #expect(
      synthesizer.mixer.inputs.map(\.gain.value) == [0, 0, -6] + [Float](repeating: 0, count: 13))
    #expect(try perform("mute 10", &control).text == "mute       channel 10 on")
    #expect(synthesizer.mixer.inputs[9].isMuted.value == 1)
    #expect(try perform("unmute all", &control).text == "mute       all channels off")
    #expect(synthesizer.mixer.inputs.allSatisfy { $0.isMuted.value == 0 })
    #expect(try perform("solo 3", &control).text == "solo       channel 3 on")
    #expect(synthesizer.mixer.inputs[2].isSoloed.value == 1)
    #expect(try perform("unsolo 3", &control).text == "solo       channel 3 off")
    #expect(try perform("gain -3", &control).text == "gain       −3.0 dB")
    #expect(synthesizer.mainMixer.outputGain.value == -3)
  }

  @Test("pans and sends are those of the mixer's strips")
  func pansAndSends() throws {
    var control = SynthesizerControl(synthesizer)
    #expect(try perform("pan 3 -0.5", &control).text == "pan        channel 3 −0.5")
    #expect(try perform("pan", &control).text == "pan        3 −0.5, others 0")
    _ = try perform("send 3 reverb 0.25", &control)
    _ = try perform("send all chorus 1", &control)
    #expect(synthesizer.mixer.inputs[2].pan.value == -0.5 && synthesizer.mixer.inputs[3].pan.value == 0)
    #expect(synthesizer.effects.reverbSends[2].value == 0.25)
    #expect(synthesizer.effects.chorusSends.allSatisfy { $0.value == 1 })
  }

  @Test("a command alone tells how things are, and changes nothing")
  func state() throws {
    var control = SynthesizerControl(synthesizer)
    for text in ["preset pop", "reverb plate", "chorus flanger", "gain -3", "mute 10", "level 2 -6", "map 1,0"] {
      _ = try perform(text, &control)
    }
    #expect(try perform("preset", &control) == .preset("pop"))
    #expect(try perform("reverb", &control).text == "reverb     plate")
    #expect(try perform("chorus", &control).text == "chorus     flanger")
    _ = try perform("chorus off", &control)
    #expect(try perform("chorus", &control).text == "chorus     off")
    #expect(try perform("gain", &control).text == "gain       −3.0 dB")
    #expect(try perform("soundfont", &control) == .soundFonts([try TestFiles.soundFont], bank: nil))
    #expect(try perform("map", &control) == .map(ChannelMap([1, 0])))
    #expect(synthesizer.output.channelMap == ChannelMap([1, 0]))
    _ = try perform("mute track 3", &control)
    let strips = synthesizer.channelStrips
    let muted = "mute       10 on, others off; 3 on, others off"
    #expect(try perform("mute", &control).text == muted)
    #expect(try perform("level 2", &control).text == "level      channel 2 −6.0 dB")
    #expect(strips[1].level == -6 && strips[9].isMuted && strips[0].reverb == 40.0 / 127)
    #expect(try perform("record", &control) == .recording([]))
    #expect(throws: SynthesizerCommandError.song(.noSong, command: "tempo")) { try perform("tempo", &control) }
    #expect(throws: SynthesizerCommandError.self) { try perform("map 1,0,1", &control) }
    // More inputs than there are channels.
    _ = try perform("set mixer \"input bus count\" 300", &control)
    #expect(try perform("mute", &control).text == muted)
    #expect(synthesizer.output.channelMap == ChannelMap([1, 0]))
  }

  @Test("a room and a chorus that are asked for stay through a new song and a reset")
  func effects() throws {
    var control = SynthesizerControl(synthesizer)
    _ = try perform("reverb plate", &control)
    _ = try perform("chorus flanger", &control)
    synthesizer.play(try song(strike(60, ticks: 96)))
    _ = synthesizer.samples(64)
    [0x7E, 0x7F, 0x09, 0x01].withUnsafeBufferPointer {
      _ = synthesizer.instruments.events.send(systemExclusive: $0, time: 0)
    }
    _ = synthesizer.samples(64)
    #expect(
      synthesizer.effects.reverb.type.value
        == Float(ReverbType.allCases.firstIndex(of: .plate) ?? 0))
    #expect(synthesizer.effects.reverb.time.value == ReverbType.plate.standardTime)
    #expect(synthesizer.effects.chorus.rate.value == ChorusType.flanger.setting.rate)
  }

  @Test("a reverb that is switched off lets its tail ring, and hears nothing more")
  func tail() throws {
    var control = SynthesizerControl(synthesizer)
    // A held organ note that is sent to the reverb, whose return is measured at the mix of the returns.
    synthesizer.play(
      try song([0, 0xB0, 91, 127, 0, 0xC0, 19], [0, 0x90, 48, 100], vlq(20000), [0x80, 48, 64]))
    let meter = synthesizer.mainMixer.inputs[1].meter
    func peak(after frameCount: Int) -> Float {
      _ = synthesizer.samples(frameCount)
      _ = meter.takePeak(0)
      _ = synthesizer.samples(2400)
      return meter.takePeak(0)
    }
    let returned = peak(after: 48000)
    #expect(returned > 0.001)
    _ = try perform("reverb off", &control)
    #expect(peak(after: 0) > 0.1 * returned)
    #expect(peak(after: 4 * 48000) < 0.05 * returned)
    #expect(peak(after: 6 * 48000) == 0)
    _ = try perform("reverb large-hall", &control)
    #expect(peak(after: 48000) > 0.1 * returned)
  }

  @Test("a reverb that was left out can be had while it plays")
  func reverbLater() throws {
    let synthesizer = try Self.synthesizer(reverb: nil)
    var control = SynthesizerControl(synthesizer)
    let song = try song([0, 0xB0, 91, 127], strike(76, ticks: 96))
    synthesizer.play(song)
    let dry = synthesizer.samples(24000)
    _ = try perform("reverb plate", &control)
    synthesizer.play(song)
    let wet = synthesizer.samples(24000)
    #expect(dry != wet)
    _ = try perform("reverb off", &control)
    _ = synthesizer.samples(10 * 48000)
    let meter = synthesizer.mainMixer.inputs[1].meter
    #expect(meter.takePeak(0) > 0)
    synthesizer.play(song)
    _ = synthesizer.samples(24000)
    #expect(meter.takePeak(0) == 0)
  }

  /// A bass note held on an organ: its own steps are small, and those of a click would not be.
  @Test(
    "no command makes a step that the sound itself does not have",
    arguments: [
      ["preset rock"], ["preset next", "preset next", "preset next"], ["gain -60"], ["gain -120"],
      ["level 1 -40"],
      ["mute 1"], ["solo 2"], ["reverb off"], ["reverb plate"], ["chorus off"], ["chorus flanger"],
    ])
  func clicks(commands: [String]) throws {
    var control = SynthesizerControl(synthesizer)
    synthesizer.play(
      try song(
        [0, 0xB0, 91, 127, 0, 93, 127, 0, 0xC0, 19], [0, 0x90, 36, 127], vlq(9600), [0x80, 36, 64]))
    _ = synthesizer.samples(48000)
    let steady = synthesizer.samples(24000)[0]
    var changed = steady
    for command in commands {
      _ = try perform(command, &control)
      changed += synthesizer.samples(1600)[0]
    }
    changed += synthesizer.samples(9600)[0]
    let (usual, sharpest) = (sharpestBend(steady), sharpestBend(changed))
    print("\(commands.joined(separator: ", ")): bends by \(sharpest), \(usual) before")
    #expect(sharpest <= 2 * usual)
  }

  @Test("and a step of the same level would be found")
  func aClick() throws {
    synthesizer.play(try song([0, 0xC0, 19], [0, 0x90, 36, 127], vlq(9600), [0x80, 36, 64]))
    _ = synthesizer.samples(48000)
    let steady = synthesizer.samples(24000)[0]
    let loudest = try #require(steady.indices.max { abs(steady[$0]) < abs(steady[$1]) })
    let cut = steady[..<loudest] + [Float](repeating: 0, count: 100)
    #expect(sharpestBend(Array(cut)) > 2 * sharpestBend(steady))
  }

  private func sharpestBend(_ signal: [Float]) -> Float {
    signal.indices.dropFirst().dropLast().reduce(0) {
      max($0, abs(signal[$1 - 1] - 2 * signal[$1] + signal[$1 + 1]))
    }
  }

  @Test("words are completed: commands, presets, rooms and choruses")
  func completions() {
    let control = SynthesizerControl(synthesizer)
    #expect(control.completions(of: "") == SynthesizerCommand.names)
    #expect(control.completions(of: "pre") == ["preset"])
    #expect(control.completions(of: "preset po") == ["pop"])
    #expect(control.completions(of: "preset bass") == ["bass-booster", "bass-reducer"])
    #expect(control.completions(of: "reverb p") == ["plate"])
    #expect(control.completions(of: "chorus o") == ["off"])
    #expect(
      control.completions(of: "preset pop x").isEmpty && control.completions(of: "gain -").isEmpty)
  }

  @Test("so are nodes and what they have, in quotation marks where names have blanks, sends, and values")
  func nodeCompletions() {
    let control = SynthesizerControl(synthesizer)
    #expect(control.completions(of: "set main") == ["\"main mixer\""])
    #expect(control.completions(of: "set \"main m") == ["mixer\""])
    #expect(control.completions(of: "set reverb t") == ["type", "time"])
    #expect(control.completions(of: "set \"main mixer\" output") == ["\"output gain\""] + Self.outputMeters)
    #expect(control.completions(of: "set \"main mixer\" \"output g") == ["gain\""])
    #expect(control.completions(of: "set reverb type p") == ["plate"])
    #expect(control.completions(of: "set mixer metering ") == ["on", "off"])
    #expect(control.completions(of: "send 3 ") == ["reverb", "chorus", "delay"])
    #expect(control.completions(of: "send ").isEmpty)
  }

  private static let outputMeters = [
    "level", "peak", "clips", "level before fader", "peak before fader", "0 format",
  ].map { "\"output \($0)\"" }

  @Test("files are completed, directories up to their slash, and stop for a recording")
  func pathCompletions() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "paths-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FileManager.default.createDirectory(atPath: directory + "/stock room", withIntermediateDirectories: true)
    for name in ["/stop.wav", "/a.sf2", "/.hidden", "/stock room/b.sf2"] {
      #expect(FileManager.default.createFile(atPath: directory + name, contents: nil))
    }
    let control = SynthesizerControl(synthesizer)
    #expect(control.completions(of: "record st").contains("stop"))
    #expect(control.completions(of: "record \(directory)/stop") == ["\(directory)/stop.wav"])
    #expect(
      control.completions(of: "soundfont \(directory)/") == [
        "\(directory)/a.sf2", "\"\(directory)/stock room/",
        "\(directory)/stop.wav",
      ])
    #expect(control.completions(of: "soundfont \"\(directory)/stock room/b") == ["room/b.sf2\""])
    #expect(control.completions(of: "save \(directory)/.h") == ["\(directory)/.hidden"])
    #expect(control.completions(of: "save /nowhere/at/all").isEmpty)
  }
}
