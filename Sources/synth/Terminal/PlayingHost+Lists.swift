import AudioGraph
import SynthDSP
import SynthInstruments
import SynthKit
import SynthMIDI
import SynthText

// What can be chosen and what plays, in 80 columns.

extension PlayingHost {
  var presetList: String {
    let names = surface.control.presets.map(\.name)
    // One from a file or of given bands is not among them.
    let all = names.contains(surface.control.preset) ? names : [surface.control.preset] + names
    return line("presets", marked(all) { $0 == surface.control.preset })
  }

  var instrumentList: String {
    let assignments = session.synthesizer.instruments.configuration.assignments
    let isCommon = assignments.contains { $0.channel == nil }
    // Channels without an instrument have the soundfont.
    let rest = isCommon ? [] : [assignments.isEmpty ? "sampler" : "others sampler"]
    let now = (assignments.map(\.description) + rest).joined(separator: ", ")
    let playing = assignments.map(\.instrument.name) + (isCommon ? [] : ["sampler"])
    return line("instrument", now) + "\n"
      + line("all", marked(InstrumentLibrary.standard().choices) { playing.contains($0) })
  }

  /// - Parameter song: the present one's name; nil where keyboards alone play.
  func status(song: String?) -> String {
    let synthesizer = session.synthesizer
    var lines: [String] = []
    if let song, let duration = session.duration {
      let place =
        "\(clock(min(session.position, duration))) of \(clock(duration))\(session.isSongPaused ? ", paused" : "")"
      lines += ["song       \(song)", "position   \(place)"] + values("/song/tempo")
      if session.transposition != 0 { lines += values("/song/transpose") }
      if let loop = session.loop { lines.append(SynthesizerAnswer.loop(loop).line) }
      if session.countIn > 0 { lines += values("/song/count-in") }
      if !session.routes.isEmpty { lines.append(SynthesizerAnswer.routes(session.routes).line) }
    }
    if session.metronome.isOn.value > 0 { lines.append("metronome  on") }
    if let microphone = synthesizer.microphone { lines.append(microphone.line) }
    for recording in recorder.recordings { lines.append("recording  \(recording.path), \(clock(recording.duration))") }
    if let saving = recorder.saving { lines.append("saving     \(saving.path), \(Int(saving.part * 100)) %") }
    lines.append(SynthesizerAnswer.preset(surface.control.preset).line)
    let configuration = synthesizer.instruments.configuration
    if !configuration.assignments.isEmpty {
      lines.append(wrapped(SynthesizerAnswer.instruments(configuration.assignments).line, 11))
    }
    let sampler = configuration.sampler
    if !sampler.soundFonts.isEmpty || sampler.bank != nil {
      let bank = sampler.bank.map { $0.name ?? "" }
      lines.append(SynthesizerAnswer.soundFonts(sampler.soundFonts, bank: bank).line)
      let points = sampler.engine == .native ? ", \(sampler.interpolation.pointCount) points" : ""
      lines.append("engine     \(sampler.engine)\(points)")
    }
    lines.append(wrapped("levels     \(levels)", 11))
    let device = session.output as? any ReportedOutput
    if let device { lines += device.facts.split(separator: "\n").map { wrapped(String($0), 11) } }
    lines += addresses
    if !addresses.isEmpty, let path = recorder.directory.path { lines.append("clients    record into \(path)") }
    lines.append(SessionReporter.line(session.latency))
    if let device { lines.append("xruns      \(device.xruns)") }
    return lines.joined(separator: "\n")
  }

  private func values(_ path: String) -> [String] {
    (try? surface.control.values(at: [path])).map { [$0.line] } ?? []
  }

  /// The peaks of the last seconds of channels that sound, and of all: "1 −20.3 dB, 10 −18.0 dB; all −17.1 dB".
  private var levels: String {
    func level(_ meter: Meter) -> Decibels { Decibels(amplitude: Double(max(meter.heldPeak(0), meter.heldPeak(1)))) }
    let channels = session.synthesizer.channelInputs.map { level($0.meter) }.enumerated().filter { $1 > -60 }
    let main = session.synthesizer.mainMixer.outputMeter
    guard level(main) > -60 else { return "silence" }
    let texts = channels.map { "\(ChannelName.text($0)) \($1.figure(decimals: 1)) dB" }
    let clips = main.clipCount(0) + main.clipCount(1)
    let over = clips > 0 ? ", \(NumberFormatting.count(clips, "sample", "samples")) beyond full scale" : ""
    return (texts.isEmpty ? "" : texts.joined(separator: ", ") + "; ")
      + "all \(level(main).figure(decimals: 1)) dB\(over)"
  }

  private func marked(_ names: [String], _ isPlaying: (String) -> Bool) -> String {
    names.map { isPlaying($0) ? "*\($0)" : $0 }.joined(separator: ", ")
  }

  private func line(_ label: String, _ text: String) -> String { wrapped(padded(label, 11) + text, 11) }
}
